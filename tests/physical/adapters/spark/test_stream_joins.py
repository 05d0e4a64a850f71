"""Spark's joins of two streams against the relational join of all that came."""

import pytest

from physical.adapters.spark.feed import EventFeed
from physical.adapters.spark.stream_joins import Kind, stream_join_rows
from semantics import Multiset, show
from tests.physical.adapters.spark.after_end_of_stream import KINDS, WITHIN, right, sources_of, together
from tests.physical.adapters.spark.blocks import Block, blocks
from tests.physical.adapters.spark.raw import raw_cases

CASES = 60
FOUND = blocks("spark-streaming.md", "meeting")


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("kind", ["full"])
def test_oracle_joins_without_null_keys(kind: Kind) -> None:
    plan = sources_of("int")
    cases = [case for case in raw_cases(plan, CASES) if not any("null" in show(s) for s in case.values())]
    assert len(cases) > CASES / 4
    assert together(kind, plan, cases, EventFeed(instants=3)) == [right(kind, case) for case in cases]


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("block", FOUND, ids=lambda block: block.title)
def test_joins_answer_as_the_page_says(block: Block) -> None:
    kind = KINDS[block.lines["kind"]]
    assert show(right(kind, block.streams)) == block.lines["right"]
    assert show(Multiset(stream_join_rows(kind, block.streams, 1, WITHIN, EventFeed()))) == block.lines["spark"]
