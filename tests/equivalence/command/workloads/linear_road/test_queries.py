"""Linear Road: by hand on a few reports, against the reference on little traffic, and over shared stores on more."""

from pathlib import Path

import pytest

from equivalence.command.workloads.linear_road import EXPENDITURE, HISTORY, POSITION, TARIFF, Traffic
from examples.linear_road.network import Network
from examples.linear_road.queries import boxes, drive, plans
from physical import PhysicalStream, run
from physical.engine import ENGINES
from physical.storage.parameters import Persistent
from semantics import FOREVER, Interval, Schema, evaluate

FINAL = ("Toll", "AccidentAlert", "Balance", "Expenditure")


def events(schema: Schema, *rows: tuple[tuple[int, ...], int]) -> PhysicalStream:
    return PhysicalStream.from_elements(schema, [(row, Interval(t, t + 1)) for row, t in rows])


def table(schema: Schema, *rows: tuple[float, ...]) -> PhysicalStream:
    return PhysicalStream.from_elements(schema, [(row, Interval(0, FOREVER)) for row in rows])


def answer(name: str, streams: dict[str, PhysicalStream]) -> list[tuple[object, ...]]:
    return [(*row, span.start, span.end) for row, span, _ in run(plans()[name], streams).canonical().to_runs()]


STANDING = [((car, 0, 0, 1, 0, 2, 11000), t) for t in range(0, 150, 30) for car in (7, 8)]
"""Cars 7 and 8 stand at 11000 in segment 2, and report it five times."""
MOVING = ((7, 20, 0, 1, 0, 2, 11880), 150)


def test_two_cars_that_stand_are_an_accident_until_one_moves() -> None:
    streams = {"Position": events(POSITION, *STANDING, MOVING)}
    assert answer("Stopped", streams) == [(7, 0, 0, 1, 11000, 2, 90, 150), (8, 0, 0, 1, 11000, 2, 90, 150)]
    assert answer("Accident", streams) == [(0, 0, 1, 11000, 2, 90, 150)]


def test_cars_that_come_near_an_accident_are_told() -> None:
    near, far, back = (
        ((1, 60, 0, 2, 0, 1, 9000), 100),
        ((2, 60, 0, 2, 0, 3, 16000), 100),
        ((3, 9, 0, 2, 1, 3, 16000), 100),
    )
    streams = {"Position": events(POSITION, *sorted([*STANDING, near, far, back], key=lambda report: report[1]))}
    assert answer("AccidentAlert", streams) == [(1, 1, 2, 100, 101)]


def test_a_slow_and_busy_segment_costs_those_who_cross_into_it() -> None:
    slow = [((car, 20, 0, 1, 0, 4, 22000 + car), 10) for car in (1, 2, 3)]
    late = [((9, 30, 0, 1, 0, 4, 22000), 70), ((9, 30, 0, 1, 0, 5, 27000), 100)]
    streams = {"Position": events(POSITION, *slow, *late), "Tariff": table(TARIFF, (40.0, 1, 2))}
    assert answer("SegmentToll", streams)[0] == (0, 0, 4, 20.0, 8, 60, 120)
    charged = [found for found in answer("Toll", streams) if found[0] == 9]
    assert charged == [(9, 0, 4, 8, 70, 71), (9, 0, 5, 0, 100, 101)]


def test_an_earlier_day_is_looked_up() -> None:
    request, history = (
        events(EXPENDITURE, ((1, 5, 3, 0), 20)),
        table(HISTORY, (5, 3, 0, 90), (5, 4, 0, 80), (6, 3, 0, 70)),
    )
    assert answer("Expenditure", {"ExpenditureRequest": request, "History": history}) == [(1, 5, 3, 90, 20, 21)]


@pytest.mark.parametrize("name", FINAL)
def test_oracle_little_traffic(name: str) -> None:
    streams = Traffic(cars=20, minutes=5, segments=3, few=1, seed=10).streams
    expected = evaluate(plans()[name], {source: stream.to_interval() for source, stream in streams.items()}, 300)
    found = run(plans()[name], streams, 300)
    assert len(found) > 0
    assert found.equivalent(PhysicalStream.of(expected))


@pytest.mark.parametrize("shared", [True, False], ids=["shared", "not shared"])
def test_differential_boxes_between_stores_and_whole_plans(shared: bool, tmp_path: Path) -> None:
    traffic = Traffic(cars=200, minutes=15, segments=8, few=6, accidents=4, seed=2)
    places = {"Tariff": None, "History": Persistent("sqlite", tmp_path / "history.db", group=1000)}
    network = Network(boxes(), shared=shared, tables=places)
    drive(network, traffic.streams, traffic.minutes)
    for name, plan in plans().items():
        assert len(network.result(name)) > 0, name
        assert network.result(name).equivalent(run(plan, traffic.streams)), name
    held = {name: sum(len(store) for store in stores) for name, stores in network.stores.items()}
    network.close()
    assert {name for name, count in held.items() if count} == set(places), "queues are empty when all have read them"


@pytest.mark.parametrize("name", ["Toll", "Balance"])
def test_differential_state_in_stores(name: str) -> None:
    streams = Traffic(cars=60, minutes=8, segments=5, few=2, seed=3).streams
    assert ENGINES["stored"].run(plans()[name], streams).equivalent(run(plans()[name], streams))
