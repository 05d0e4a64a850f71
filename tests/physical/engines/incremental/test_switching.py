"""An evaluator that changes between re-evaluation and parts as windows grow and shrink."""

import numpy as np

from physical.columns.column import from_values
from physical.columns.stream import PhysicalStream, joined
from physical.engines.incremental.chunks import Fixed
from physical.engines.incremental.stage_operator import StageOperator
from physical.engines.incremental.switching import SwitchingEvaluator
from physical.engines.incremental.window_evaluator import IncrementalEvaluator
from semantics import Schema, Type, parse_plan

PLAN = parse_plan("S(x int) | group(x; count(*) as n)")
SIZES = [1, 2, 9, 30, 30, 8, 1, 1, 1, 1, 1, 1, 1, 40, 3]


def batch(at: int, size: int) -> PhysicalStream:
    start = np.full(size, at, np.int64)
    return PhysicalStream(Schema.of(x=int), (from_values([i % 3 for i in range(size)], Type.INT),), start, start + 3)


def run(operator: StageOperator) -> PhysicalStream:
    parts = []
    for at, size in enumerate(SIZES):
        parts.append(operator.process(batch(at, size), 0))
    return joined([*parts, operator.close()])


def test_it_keeps_parts_of_large_windows_and_evaluates_small_ones_again() -> None:
    operator = StageOperator(PLAN, 2**40, lambda plan: SwitchingEvaluator(plan, many=20, few=5), Fixed())
    evaluator = operator.evaluator
    assert isinstance(evaluator, SwitchingEvaluator)
    modes = []
    for at, size in enumerate(SIZES):
        operator.process(batch(at, size), 0)
        modes.append("rows" if evaluator.parts is None else "parts")
    assert modes == ["rows"] * 4 + ["parts"] * 8 + ["rows"] * 2 + ["parts"]
    assert evaluator.changes == 3


def test_results_are_those_of_parts() -> None:
    found = run(StageOperator(PLAN, 2**40, lambda plan: SwitchingEvaluator(plan, many=20, few=5), Fixed()))
    assert found.equivalent(run(StageOperator(PLAN, 2**40, IncrementalEvaluator, Fixed())))
