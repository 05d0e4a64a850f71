"""Linear Road by boxes over stores gives what the queries say, whatever is known of the stores."""

import pytest

from benchmarks.storage.published import judged
from benchmarks.storage.report import reports_of
from benchmarks.storage.response import response_of, speed_for
from benchmarks.storage.road import LinearRoad, Outcome
from benchmarks.storage.sharing import SPEED_0, STATISTICS, run_reading, run_sharing
from benchmarks.storage.stores import Knowledge, Stores
from equivalence.command.workloads.linear_road import Traffic
from examples.linear_road.queries import plans
from physical import run
from physical.storage.parameters import ReadPattern

TRAFFIC = Traffic(cars=150, minutes=12, segments=6, few=4, accidents=3, seed=6)


def said(name: str) -> list[tuple[object, ...]]:
    elements = run(plans()[name], TRAFFIC.streams).to_interval().elements
    return sorted((*row, span.start) for row, span in elements)


@pytest.mark.parametrize("known", Knowledge)
def test_differential_boxes_and_queries(known: Knowledge) -> None:
    found = LinearRoad(Stores.ordered(known, block=16), TRAFFIC.few).run(reports_of(TRAFFIC.streams["Position"]))
    assert sorted(found.tolls) == said("Toll")
    assert sorted(found.alerts) == said("AccidentAlert")
    assert any(toll for *_, toll, _ in found.tolls)
    assert found.alerts


def test_sharing_and_read_patterns_change_no_answer() -> None:
    positions = TRAFFIC.streams["Position"]
    shared, apart = (run_sharing(positions, g, False) for g in ([(SPEED_0, STATISTICS)], [(SPEED_0,), (STATISTICS,)]))
    assert shared.answers == apart.answers
    assert all(run_reading(positions, pattern)[1] == shared.answers[SPEED_0] for pattern in ReadPattern)


def test_responses_by_hand() -> None:
    outcome = Outcome(instants=[(0, 2.0, 1), (1, 0.5, 2), (10, 0.5, 1)])
    found = response_of(outcome, 4.0, reports=3)
    assert (found.average, found.longest, found.late, found.alerts) == ((8 + 2 * 9 + 2) / 4, 9, 3, 4)
    assert found.work == pytest.approx(1e6)


def test_traffic_is_as_fast_as_the_papers_share_of_late_alerts_wants() -> None:
    """One of ten alerts is late as soon as two seconds of work take more than five of traffic, all at the end."""
    outcome = Outcome(instants=[(0, 0.01, 8), (100, 2.0, 2)])
    assert speed_for(outcome) == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("ours", "papers", "word"),
    [(2.0, 2.2, "about as much"), (1.1, 3.0, "less"), (9.0, 2.0, "more"), (0.9, 2.0, "disagrees")],
)
def test_ratios_beside_the_published_ones(ours: float, papers: float, word: str) -> None:
    assert word in judged(ours, papers)
