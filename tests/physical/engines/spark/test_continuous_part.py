"""One part of a continuous query, put to sleep after every step: always the answer of the reference."""

from random import Random

import numpy as np
import pytest

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from physical.columns.stream import PhysicalStream, joined
from physical.engines.spark.continuous.part import QueryPart
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.continuous.query_frame import sources_of
from physical.kernels.types import ENDLESS
from semantics import Interval, Plan, Schema, evaluate, parse, parse_plan
from tests.physical.engines.spark.lifted import drawn, reference, without_endless_rows

STEPS = (0, 0, 2, 3, 3, 6, CASE_HORIZON)
"""Watermarks of the batches that follow each other, some without any progress."""


def job_of(plan: Plan) -> PartTask:
    return PartTask(plan, tuple(sources_of(plan).items()), allow_unbounded=True)


def asleep_after_every_step(plan: Plan, case: Case, random: Random) -> PhysicalStream:
    """Every element in some batch whose watermark is not past its start, in any order within it."""
    job, memory, given = job_of(plan), None, [PhysicalStream.empty(plan.schema)]
    streams = {name: PhysicalStream.of(case[name]) for name, _ in job.streams}
    batch_of = {name: [_a_batch(int(s), random) for s in stream.start] for name, stream in streams.items()}
    for number, watermark in enumerate(STEPS):
        part = QueryPart(job, memory)
        part.take({n: _shuffled(s, batch_of[n], number, random) for n, s in streams.items()}, watermark)
        assert not part.late()
        if number == len(STEPS) - 1:
            part.end(CASE_HORIZON)
        given.append(part.results())
        memory = part.memory()
    return joined(given)


def _a_batch(start: int, random: Random) -> int:
    return random.choice([number for number, watermark in enumerate(STEPS) if watermark <= start])


def _shuffled(stream: PhysicalStream, batch_of: list[int], number: int, random: Random) -> PhysicalStream:
    mine = [i for i, batch in enumerate(batch_of) if batch == number]
    return stream.take(np.array(random.sample(mine, len(mine)), np.int64))


@pytest.mark.parametrize("most", [5, pytest.param(None, marks=pytest.mark.full)], ids=["some", "all"])
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_a_part_that_sleeps_between_all_batches(operator: type[Plan], most: int | None) -> None:
    random = Random(7)
    for seed in (1, 2):
        plan, drawn_cases = drawn(operator, seed)
        cases = without_endless_rows(plan, drawn_cases)
        assert cases
        for case in cases[:most]:
            found = asleep_after_every_step(plan, case, random).to_logical(CASE_HORIZON)
            assert found == reference(plan, case), (plan, case)


def test_a_table_is_known_from_the_start_and_holds_nothing_back() -> None:
    plan = parse_plan("leftjoin(S(x int) | window(range 3), T(y int); x = y)")
    table = parse("interval(y int): (1)@[0, ∞)")
    job = PartTask(plan, (("S", Schema.of(x=int)),), (("T", Schema.of(y=int)),))
    part = QueryPart(job, None, {"T": PhysicalStream.of(table)})
    part.take({"S": PhysicalStream.of(parse("raw(x int): (1)@0 (2)@1"))}, 0)
    awake = QueryPart(job, part.memory())
    awake.advance(2)
    sources = {"S": parse("raw(x int): (1)@0 (2)@1"), "T": table}
    assert awake.results().to_logical(2) == evaluate(plan, sources, 2)


def test_late_is_what_starts_before_the_watermark() -> None:
    plan = parse_plan("S(x int) | window(range 5) | distinct")
    part = QueryPart(job_of(plan))
    part.take({"S": PhysicalStream.of(parse("raw(x int): (1)@7"))}, 0)
    awake = QueryPart(part.job, part.memory())
    awake.take({"S": PhysicalStream.of(parse("raw(x int): (2)@4 (3)@5 (4)@5 (5)@6"))}, 5)
    assert awake.late() == {"S": 1}
    assert QueryPart(part.job, awake.memory()).late() == {}
    awake.end(ENDLESS)
    expected = evaluate(plan, {"S": parse("raw(x int): (3)@5 (4)@5 (5)@6 (1)@7")}, 20)
    assert awake.results().to_logical(20) == expected


def test_after_the_end_everything_is_late() -> None:
    plan = parse_plan("S(x int) | window(range 5) | distinct")
    part = QueryPart(job_of(plan))
    part.end(20)
    awake = QueryPart(part.job, part.memory())
    awake.take({"S": PhysicalStream.of(parse("raw(x int): (1)@30"))}, 0)
    assert awake.late() == {"S": 1}
    assert len(awake.results()) == 0


def test_results_are_out_up_to_the_watermark_and_no_further() -> None:
    plan = parse_plan("S(x int) | window(range 5) | aggregate(count(*) as n)")
    part = QueryPart(job_of(plan))
    part.take({"S": PhysicalStream.of(parse("raw(x int): (1)@0 (1)@0 (2)@4"))}, 0)
    assert len(part.results()) == 0
    part.advance(3)
    assert part.results().canonical().to_runs() == (((2,), Interval(0, 3), 1),)


def test_a_session_is_out_when_it_can_get_no_more_rows() -> None:
    plan = parse_plan("S(x int) | window(partition by x session 3)")
    part = QueryPart(job_of(plan))
    part.take({"S": PhysicalStream.of(parse("raw(x int): (1)@0 (2)@1 (1)@2 (3)@9"))}, 0)
    part.advance(9)
    ended = {((1, 0, 5), Interval(0, 5), 2), ((2, 1, 4), Interval(1, 4), 1)}
    assert set(part.results().canonical().to_runs()) == ended
    awake = QueryPart(part.job, part.memory())
    awake.end(20)
    assert set(awake.results().canonical().to_runs()) == {((3, 9, 12), Interval(9, 12), 1)}


def test_lead_waits_for_the_row_that_follows() -> None:
    plan = parse_plan("S(x int) | over(lead(x, 1) as next, count(*) rows 1 as two)")
    part = QueryPart(job_of(plan))
    part.take({"S": PhysicalStream.of(parse("raw(x int): (1)@0 (2)@4"))}, 0)
    part.advance(4)
    assert len(part.results()) == 0, "a row may still follow the first one before it ends"
    awake = QueryPart(part.job, part.memory())
    awake.take({"S": PhysicalStream.of(parse("raw(x int): (3)@6 (4)@6 (5)@20"))}, 4)
    awake.end(30)
    elements = parse("raw(x int): (1)@0 (2)@4 (3)@6 (4)@6 (5)@20")
    assert awake.results().to_logical(30) == evaluate(plan, {"S": elements}, 30)
