"""`dropDuplicatesWithinWatermark` has no result of its own to be compared with, but it makes three promises."""

import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from pyspark.sql import Column
from pyspark.sql import functions as f

from equivalence.cases.case_column import lift, lift_cases
from equivalence.cases.random_cases import Case
from physical.adapters.spark.event_time import INSTANT
from physical.adapters.spark.event_time_engine import chronons
from physical.adapters.spark.feed import EventFeed, drained
from physical.adapters.spark.sql_engine import own_session
from physical.columns.stream import PhysicalStream
from semantics import parse_plan
from tests.physical.adapters.spark.raw import raw_cases

DELAY = 3
PLAN = parse_plan("A(k int) | window(range 1)")


def kept(cases: list[Case], feed: EventFeed) -> list[tuple[str, int]]:
    """What is left of all cases in one run: the key, with the number of its case, and when it was."""
    spark, stream = own_session(True), chronons(lift_cases(PLAN, cases)["A"])
    with tempfile.TemporaryDirectory() as folder:
        live = feed.live(spark, stream, Path(folder) / "a").dropDuplicatesWithinWatermark(["c0", "c1"])
        found = drained(spark, live.select(_key(), INSTANT))[0].to_pylist()
    return [(row["key"], row[INSTANT] - feed.shift) for row in found if row[INSTANT] < feed.shift + feed.end]


def _key() -> Column:
    return f.concat_ws("/", "c0", f.coalesce(f.col("c1").cast("string"), f.lit("null"))).alias("key")


def given(cases: list[Case]) -> Counter[tuple[str, int]]:
    rows = PhysicalStream.of(lift_cases(PLAN, cases)["A"]).to_interval().elements
    return Counter((f"{case}/{'null' if k is None else k}", span.start) for (case, k), span in rows)


@pytest.mark.usefixtures("spark")
def test_nothing_is_invented_no_key_is_lost_and_what_is_near_is_dropped() -> None:
    assert lift(PLAN).schema.names[1:] == ("k",)
    cases = raw_cases(PLAN, 80)
    found, whole = kept(cases, EventFeed(delay=DELAY)), given(cases)
    assert not Counter(found) - whole
    assert {key for key, _ in found} == {key for key, _ in whole}
    for key in {key for key, _ in found}:
        times = sorted(t for k, t in found if k == key)
        assert all(later - earlier >= DELAY for earlier, later in pairwise(times)), (key, times)
