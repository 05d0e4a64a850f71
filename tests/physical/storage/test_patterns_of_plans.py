"""Patterns from plans: the queries of Table 2, and what is claimed of a producer seen on data."""

import numpy as np
import pytest

from examples.linear_road.queries import boxes
from physical import run
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.storage.patterns_of_plans import consume_of, expire_of, pattern_of, read_of
from semantics import Schema, Type, parse_plan
from semantics.notation.show import show
from semantics.sql import parse_query, read_script

STREAM, STORE = "Stream(a int, b int)", "Store(a int, b int)"
PRODUCERS = {
    f"{STREAM} | map(a as a, b as b)": "never expire",
    f"{STREAM} | window(range unbounded) | distinct": "never expire",
    f"{STREAM} | window(range 24) | map(a as a)": "ordered expire",
    f"{STREAM} | filter(a > 1) | window(range 7 slide 3)": "ordered expire",
    f"{STREAM} | window(landmark 2 reset 10)": "ordered expire",
    f"{STREAM} | window(rows 3 with ties)": "ordered expire",
    f"{STREAM} | window(rows 3)": "ordered expire",
    f"{STREAM} | window(rows 5 slide 2)": "ordered expire",
    f"{STREAM} | window(partition by a rows 1)": "unordered expire",
    f"difference({STREAM} | window(range 9), {STREAM} | window(range 5))": "unordered expire",
    f"{STREAM} | window(range 9) | group(a; sum(b) as s)": "unordered expire",
    f"{STREAM} | window(range unbounded) | group(a; sum(b) as s)": "replaced expire",
    f"union({STREAM} | window(range 3), {STREAM} | window(range 9))": "unordered expire",
}
CONSUMERS = {
    f"{STORE} | window(range unbounded)": ("never consume", "sequential"),
    f"{STORE} | window(range 24) | map(a as a)": ("ordered consume", "sequential"),
    f"{STORE} | filter(a > 0)": ("ordered consume", "sequential"),
    f"{STORE} | window(range 24) | aggregate(min(a) as low, max(a) as high)": ("eager consume", "sequential"),
    f"{STORE} | window(range 24) | group(a; avg(b) as m)": ("ordered consume", "random"),
    f"{STORE} | window(partition by a rows 2)": ("eager consume", "clustered"),
    f"join({STORE} | window(range 3), Other(x int) | window(range 3); a = x)": ("ordered consume", "random"),
    f"union({STORE} | window(range 3), {STORE} | window(range unbounded))": ("never consume", "sequential"),
}


def events(size: int = 300) -> PhysicalStream:
    random = np.random.default_rng(0)
    start = np.sort(random.integers(0, 200, size))
    columns = tuple(ColumnVector(Type.INT, random.integers(0, 6, size)) for _ in range(2))
    return PhysicalStream(Schema.of(a=int, b=int), columns, start, start + 1)


@pytest.mark.parametrize(("text", "expected"), PRODUCERS.items())
def test_how_results_expire(text: str, expected: str) -> None:
    assert expire_of(parse_plan(text)).value == expected


@pytest.mark.parametrize("text", [text for text, kind in PRODUCERS.items() if kind != "replaced expire"])
def test_results_end_in_order_where_it_is_said_and_elsewhere_they_do_not(text: str) -> None:
    result = run(parse_plan(text), {"Stream": events()})
    in_order = bool((np.diff(result.end) >= 0).all())
    assert in_order == (expire_of(parse_plan(text)).value != "unordered expire")


def test_groups_that_are_replaced_never_end() -> None:
    plan = parse_plan(f"{STREAM} | window(range unbounded) | group(a; sum(b) as s)")
    groups = run(parse_plan(f"{show(plan)} | map(a as a)"), {"Stream": events()})
    assert all(interval.end == float("inf") or interval.end is None for _, interval, _ in groups.canonical().to_runs())


@pytest.mark.parametrize(("text", "expected"), CONSUMERS.items())
def test_how_stores_are_consumed_and_read(text: str, expected: tuple[str, str]) -> None:
    plan = parse_plan(text)
    assert (consume_of(plan, "Store").value, read_of(plan, "Store").value) == expected


def test_a_store_between_queries() -> None:
    producer = parse_plan(f"{STREAM} | window(range 24)")
    ordered, eager = parse_plan(f"{STORE} | window(range 3)"), parse_plan(f"{STORE} | window(partition by a rows 2)")
    assert pattern_of("Store", producer, [ordered]).value == "fifo"
    assert pattern_of("Store", producer, [ordered, eager]).value == "random"
    assert pattern_of("Store", producer, [ordered, eager], roomy=True).value == "fifo"


def test_stores_of_linear_road() -> None:
    plans = boxes()
    readers = {name: [plan for plan in plans.values() if f"{name}(" in show(plan)] for name in ("Position", "Accident")}
    assert {read_of(plan, "Position").value for plan in readers["Position"]} == {"random"}
    assert pattern_of("Accident", plans["Accident"], readers["Accident"]).value == "random"


POSITIONS = """
CREATE STREAM Position(car INT, seg INT, speed INT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Toll(s INT, price INT, ts BIGINT) ORDERED BY ts;
"""
READERS = {
    "SELECT car, seg FROM Position WINDOW(PARTITION BY car ROWS 4) GROUP BY car, seg HAVING COUNT(*) = 4": "clustered",
    "SELECT seg FROM Position WINDOW(RANGE 30) QUALIFY ROW_NUMBER() OVER (PARTITION BY car ORDER BY ts DESC) = 1": (
        "clustered"
    ),
    "SELECT AVG(speed) AS speed FROM Position WINDOW(RANGE 300)": "sequential",
    "SELECT car, price FROM Position WINDOW(RANGE 30), Toll WINDOW(RANGE 60) WHERE seg = s": "random",
}
"""What the boxes of Figure 8 ask: four reports from one place, the last report, statistics, the toll of a segment."""


@pytest.mark.parametrize(("sql", "expected"), READERS.items())
def test_car_positions_are_read_in_all_three_ways(sql: str, expected: str) -> None:
    assert read_of(parse_query(sql, read_script(POSITIONS)), "Position").value == expected


def test_car_positions_share_one_fifo_store() -> None:
    catalogue = read_script(POSITIONS)
    producer = parse_query("SELECT car, seg, speed FROM Position WINDOW(RANGE 300)", catalogue)
    readers = [parse_query(sql, catalogue) for sql in READERS]
    assert pattern_of("Position", producer, readers, roomy=True).value == "fifo"
