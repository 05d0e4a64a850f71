"""Two plans on samples that an engine computes, many in one run."""

from collections.abc import Mapping

from equivalence.sampling.sample_on_engine import check_plans_on
from physical import PhysicalStream
from physical.engines.interval.engine import IntervalEngine
from physical.runtime.run_whole import AnyStream
from semantics import Plan, parse_plan
from semantics.plan import Difference

A, B = "A(x int, y int)", "B(x int, y int)"


def test_plans_that_are_not_equivalent_have_a_smallest_example() -> None:
    left, right = parse_plan(f"union({A}, {B}) | distinct"), parse_plan(f"union({A} | distinct, {B} | distinct)")
    verdict = check_plans_on(IntervalEngine(), left, right)
    assert verdict.kind == "refuted"
    assert str(verdict.counterexample).splitlines()[0] == "let A = raw(x int, y int): (0, 0)@0"


def test_an_overflow_in_one_case_does_not_hide_the_others() -> None:
    left, right = parse_plan(f"{A} | map(x * y + x as z)"), parse_plan(f"{A} | map(x * y + y as z)")
    assert check_plans_on(IntervalEngine(), left, right).kind == "refuted"
    assert check_plans_on(IntervalEngine(), left, left).kind == "agreed"


def test_nothing_at_stake_is_vacuous() -> None:
    nothing = parse_plan(f"{A} | filter(x < 0 and x > 0)")
    assert check_plans_on(IntervalEngine(), nothing, nothing).kind == "vacuous"


class Wrong(IntervalEngine):
    """Takes difference for union."""

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None = None) -> PhysicalStream:
        return super().run(plan.left if isinstance(plan, Difference) else plan, sources, horizon)


def test_an_engine_that_is_wrong_itself_decides_nothing() -> None:
    left, right = parse_plan(f"difference({A}, {B})"), parse_plan(f"difference({A}, {B} | rstream) | rstream")
    assert check_plans_on(Wrong(), left, right).kind == "unknown"
