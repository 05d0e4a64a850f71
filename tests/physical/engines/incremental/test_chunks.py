"""The number of chunks: it grows while that helps, and goes back to the best."""

import pytest

from physical.columns.stream import PhysicalStream
from physical.engines.incremental.chunks import Adaptive, Bisecting, Fixed
from physical.engines.incremental.engine import IncrementalEngine
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.stage_operator import StageOperator
from physical.engines.incremental.window_evaluator import chunked
from physical.kernels.types import ENDLESS
from semantics import Interval, parse_plan


def noted(pace: Adaptive, times: dict[int, float], slides: int = 100) -> Adaptive:
    """The pace after some slides whose response time depends on m alone."""
    for _ in range(slides):
        pace.note(times[pace.chunks])
    return pace


def test_m_doubles_every_five_slides_until_the_time_rises() -> None:
    pace = noted(Adaptive(), {1: 9.0, 2: 7.0, 4: 5.0, 8: 6.0})
    assert (pace.chunks, pace.settled) == (4, True)
    assert pace.tried == {1: 9.0, 2: 7.0, 4: 5.0, 8: 6.0}


def test_m_changes_after_the_fifth_slide_only() -> None:
    assert noted(Adaptive(), {1: 9.0}, slides=4).chunks == 1
    assert noted(Adaptive(), {1: 9.0}, slides=5).chunks == 2


def test_m_stays_one_if_chunks_never_help_and_below_its_limit() -> None:
    assert noted(Adaptive(), {1: 1.0, 2: 2.0}).chunks == 1
    assert noted(Adaptive(limit=4), {1: 3.0, 2: 2.0, 4: 1.0}).chunks == 4


def test_a_basic_window_is_cut_into_chunks() -> None:
    assert [len(chunk) for chunk in chunked(ExpiringRows((), 10, 7), 4)] == [3, 3, 3, 1]
    assert [len(chunk) for chunk in chunked(ExpiringRows((), 2, 7), 4)] == [1, 1]


def test_a_stage_feeds_chunks_before_their_basic_window_is_complete() -> None:
    """Basic windows of ten: from the second one on, five elements are a chunk and are processed when they come."""
    plan = parse_plan("S(x int) | window(range 20 slide 10) | aggregate(count(*) as n, sum(x) as s)")
    stage = StageOperator(plan, ENDLESS, pace=Fixed(2))
    rows = [((1,), Interval(10 + t // 10 * 10, 30 + t // 10 * 10)) for t in range(30)]
    elements = PhysicalStream.from_elements(plan.inputs[0].schema, rows)
    stage.push(elements.take(slice(0, 10)))
    stage.heartbeat(20)
    stage.push(elements.take(slice(10, 15)))
    assert [len(batch) for batch in stage.waiting[0]] == [0], (
        "five elements of the next basic window are no longer waiting"
    )
    assert sum(len(rows) for rows in stage.evaluator.held()) == 2, (
        "they are a partial result beside that of the first one"
    )


def test_sessions_with_chunks_give_the_same() -> None:
    plan = parse_plan("S(x int) | window(range 6 slide 3) | group(x; count(*) as n)")
    schema = plan.inputs[0].schema
    stream = PhysicalStream.from_elements(schema, [((t % 3,), Interval(t // 4, t // 4 + 1)) for t in range(80)])
    results = []
    for chunks in (1, 4):
        session, given = (
            IncrementalEngine(chunks).session({"S": plan.inputs[0].inputs[0].schema}),
            list[PhysicalStream](),
        )
        session.add("q", plan)
        session.subscribe("q", given.append)
        for first in range(0, 80, 3):
            session.push("S", stream.take(slice(first, first + 3)))
            session.heartbeat(int(stream.start[min(first + 2, 79)]))
        session.close()
        results.append([batch.to_interval().elements for batch in given])
    whole = IncrementalEngine().run(plan, {"S": stream})
    for elements in results:
        flat = [element for batch in elements for element in batch]
        assert PhysicalStream.from_elements(plan.schema, flat).equivalent(whole)


@pytest.mark.parametrize("best", [1, 2, 7, 30, 64])
def test_every_search_finds_the_best_number_of_chunks(best: int) -> None:
    searches: list[Adaptive | Bisecting] = [Adaptive(slides=3, limit=64, step=1), Bisecting(limit=64, slides=3)]
    for pace in searches:
        while not pace.settled and pace.chunks < 64:
            pace.note(abs(pace.chunks - best) + 1.0)
        assert pace.chunks == best


def test_doubling_goes_one_step_too_far_and_comes_back() -> None:
    pace = Adaptive(slides=1)
    while not pace.settled:
        pace.note(abs(pace.chunks - 9) + 1.0)
    assert (pace.chunks, sorted(pace.tried)) == (8, [1, 2, 4, 8, 16])
