"""Factories slide by slide, by hand: what comes out, what is kept, and what is let go."""

from collections.abc import Sequence

import pytest

from physical.columns.column import ColumnVector, from_values, rows
from physical.columns.stream import PhysicalStream
from physical.engines.incremental.engine import IncrementalEngine, ReevaluationEngine
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.grouping import StoringNode
from physical.engines.incremental.join_grid import GridNode
from physical.engines.incremental.window_evaluator import IncrementalEvaluator, ReevaluationEvaluator, WindowEvaluator
from physical.engines.interval.run_plan import run
from physical.kernels.types import ENDLESS
from semantics import Type, parse, parse_plan

WINDOW = "S(x int) | window(range 3 slide 1)"


def batch(values: Sequence[int | None], end: int) -> ExpiringRows:
    return ExpiringRows((from_values(values, Type.INT),), len(values), end)


def given(evaluator: WindowEvaluator, now: int, *arrivals: ExpiringRows) -> list[tuple[object, ...]]:
    """What a slide gives when these rows come, one batch for each port."""
    for port, arrival in enumerate(arrivals):
        evaluator.feed(port, arrival, now)
    return sorted(rows(evaluator.slide(now, now + 1).columns), key=str)


def kept(evaluator: WindowEvaluator) -> int:
    return sum(len(held) for held in evaluator.held())


@pytest.mark.parametrize("make", [IncrementalEvaluator, ReevaluationEvaluator])
def test_a_sum_slides_over_three_basic_windows(make: type[IncrementalEvaluator] | type[ReevaluationEvaluator]) -> None:
    evaluator = make(parse_plan(f"{WINDOW} | aggregate(sum(x) as s, avg(x) as a)"))
    assert given(evaluator, 0, batch([1, 2, 3], 3)) == [(6, 2.0)]
    assert given(evaluator, 1, batch([10], 4)) == [(16, 4.0)]
    assert given(evaluator, 2) == [(16, 4.0)], "an empty basic window changes nothing"
    assert given(evaluator, 3, batch([5], 6)) == [(15, 7.5)], "the first basic window is over"
    assert given(evaluator, 6) == [], "and so are all"


def test_input_is_discarded_and_one_part_of_a_basic_window_kept() -> None:
    evaluator = IncrementalEvaluator(parse_plan(f"{WINDOW} | filter(x > 1) | aggregate(sum(x) as s)"))
    again = ReevaluationEvaluator(parse_plan(f"{WINDOW} | filter(x > 1) | aggregate(sum(x) as s)"))
    for now in range(10):
        rows_ = batch(range(100), now + 3)
        assert given(evaluator, now, rows_) == given(again, now, rows_)
        assert kept(evaluator) == min(now + 1, 3)
        assert kept(again) == 100 * min(now + 1, 3)


def test_what_simply_concatenates_keeps_nothing() -> None:
    evaluator = IncrementalEvaluator(parse_plan(f"{WINDOW} | filter(x > 1)"))
    assert given(evaluator, 0, batch([1, 2, 3], 3)) == [(2,), (3,)]
    assert kept(evaluator) == 0


def test_a_landmark_has_one_cumulative_result() -> None:
    evaluator = IncrementalEvaluator(
        parse_plan("S(x int) | window(landmark 0) | aggregate(max(x) as m, count(distinct x) as d)")
    )
    for now in range(8):
        assert given(evaluator, now, batch([now, now, -1], ENDLESS)) == [(now, now + 2)]
    (node,) = (node for node in evaluator.merging if isinstance(node, StoringNode))
    assert len(node.store.summary) == 1


def test_a_join_computes_the_new_row_and_the_new_column_and_keeps_both_sides() -> None:
    evaluator = IncrementalEvaluator(parse_plan(f"join({WINDOW}, T(y int) | window(range 3 slide 1); x = y)"))
    (grid,) = (node for node in evaluator.merging if isinstance(node, GridNode))
    assert given(evaluator, 0, batch([1, 2], 3), batch([2], 3)) == [(2, 2)]
    assert given(evaluator, 1, batch([2], 4), batch([1, 2], 4)) == [(1, 1), (2, 2), (2, 2), (2, 2)], "no cell twice"
    assert [len(side.rows) for side in grid.sides] == [3, 3]
    assert given(evaluator, 3, batch([2], 6)) == [(2, 2)], "the first basic windows are gone"
    assert [len(side.rows) for side in grid.sides] == [2, 2]


def test_a_row_has_a_partner_until_the_last_one_leaves() -> None:
    plan = f"semijoin({WINDOW}, T(y int) | window(range 3 slide 1); x = y)"
    evaluator, alone = IncrementalEvaluator(parse_plan(plan)), IncrementalEvaluator(parse_plan(f"anti{plan[4:]}"))
    for one, expected in ((evaluator, [[(7,)], [(7,)], []]), (alone, [[], [], [(7,)]])):
        assert given(one, 0, batch([7], 9), batch([7], 2)) == expected[0]
        assert given(one, 1, batch([], 9), batch([7], 4)) == expected[0]
        assert given(one, 3) == expected[1]
        assert given(one, 4) == expected[2]


def test_chunks_may_come_before_their_basic_window_begins() -> None:
    evaluator = IncrementalEvaluator(parse_plan(f"{WINDOW} | group(x; count(*) as n)"))
    for values in ([1, 2], [2], [2, 3]):
        evaluator.feed(0, batch(values, 8), 5)
    assert given(evaluator, 4) == []
    assert given(evaluator, 5) == [(1, 1), (2, 3), (3, 1)]
    assert kept(evaluator) == 3


def test_of_a_basic_window_only_its_best_values_are_kept() -> None:
    evaluator = IncrementalEvaluator(parse_plan(f"{WINDOW} | aggregate(top(x, 3) as third)"))
    assert given(evaluator, 0, batch([5, None, 9, 1, 7, 8], 3)) == [(7,)]
    assert given(evaluator, 1, batch([8, 2], 4)) == [(8,)]
    assert kept(evaluator) == 5
    assert given(evaluator, 3) == [(None,)], "two values are left"


def test_a_sum_may_overflow_in_parts_but_not_as_a_whole() -> None:
    evaluator = IncrementalEvaluator(parse_plan(f"{WINDOW} | aggregate(sum(x) as s)"))
    evaluator.feed(0, batch([2**62, 2**62], 3), 0)
    evaluator.feed(0, batch([-(2**62)], 3), 0)
    assert given(evaluator, 0) == [(2**62,)]
    assert given(evaluator, 1, batch([-(2**62), -(2**62)], 4)) == [(-(2**62),)]


def test_text_may_have_other_words_in_every_basic_window() -> None:
    evaluator = IncrementalEvaluator(parse_plan("S(s str) | window(range 2) | aggregate(min(s) as l, max(s) as m)"))
    texts: list[list[str | None]] = [["m", "z"], ["a"], ["b", None]]
    seen = []
    for now, words in enumerate(texts):
        column: ColumnVector = from_values(words, Type.STR)
        seen.append(given(evaluator, now, ExpiringRows((column,), len(words), now + 2)))
    assert seen == [[("m", "z")], [("a", "z")], [("a", "b")]]


@pytest.mark.parametrize("engine", [IncrementalEngine(), ReevaluationEngine()], ids=lambda engine: engine.name)
def test_unequal_and_empty_basic_windows_of_time(engine: IncrementalEngine) -> None:
    """Range 5 slide 3: basic windows of two instants and of one by turns; none in the long silence."""
    plan = parse_plan("S(x int) | window(range 5 slide 3) | aggregate(count(*) as n, sum(x) as s)")
    stream = parse("raw(x int): (1)@0 (2)@1 (4)@2 (8)@3 (16)@5 (32)@40")
    expected = "interval(n int, s int): (1, 1)@[0,3) (4, 15)@[3,6) (3, 28)@[6,9) (1, 16)@[9,12) (1, 32)@[42,45)"
    assert engine.run(plan, {"S": stream}).equivalent(PhysicalStream.of(parse(expected)))
    assert run(plan, {"S": stream}).equivalent(PhysicalStream.of(parse(expected)))
