"""What an engine's documentation admits refutes nothing, also if it shows beside something else."""

from collections.abc import Mapping

from equivalence import conform
from physical.columns.stream import PhysicalStream
from physical.engines.interval.engine import IntervalEngine
from physical.runtime.run_whole import AnyStream
from semantics import Interval, Plan, Row, Type
from semantics.aggregate import Avg, Sum
from semantics.plan import aggregates_in

CASES = 600
HUGE = 1e300


class RoundingEngine:
    """Its sums of floats leave the doubles too early."""

    name = "rounding"
    differences: tuple[str, ...] = ()

    def supports(self, plan: Plan) -> bool:
        return IntervalEngine().supports(plan)

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None = None) -> PhysicalStream:
        found = IntervalEngine().run(plan, sources, horizon)
        sums = [one for one in aggregates_in(plan) if isinstance(one, Sum | Avg)]
        if not any(one.argument.type is Type.FLOAT for one in sums):
            return found
        elements = [(left_the_doubles(row), Interval(start, end)) for row, start, end in found.to_elements()]
        return PhysicalStream.from_elements(plan.schema, elements)


class AdmittingEngine(RoundingEngine):
    differences = ("float sums",)


def left_the_doubles(row: Row) -> Row:
    return tuple(float("inf") if isinstance(value, float) and abs(value) > HUGE else value for value in row)


def test_what_is_not_declared_is_a_finding() -> None:
    assert not conform(RoundingEngine(), cases=CASES, isolated=False).holds


def test_what_is_declared_is_none_although_infinities_stand_by() -> None:
    found = conform(AdmittingEngine(), cases=CASES, isolated=False)
    assert found.holds, found
    assert any("sums of floats" in finding.message for finding in found.findings)
