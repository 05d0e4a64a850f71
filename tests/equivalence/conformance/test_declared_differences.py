"""What an engine's documentation admits refutes nothing, also if it shows beside something else."""

from collections.abc import Mapping
from math import inf

from equivalence import conform
from physical.columns.stream import PhysicalStream
from physical.engines.interval.engine import IntervalEngine
from physical.runtime.run_whole import AnyStream
from semantics import Interval, Plan, Row, Type
from semantics.aggregate import Avg, Max, Sum
from semantics.plan import Aggregation, Grouping

CASES = 600
HUGE = 1e300


class RoundingEngine:
    """Its sums of floats leave the doubles too early."""

    name = "rounding"
    differences: tuple[str, ...] = ()
    spoilt: tuple[type, ...] = (Sum, Avg)

    def supports(self, plan: Plan) -> bool:
        return IntervalEngine().supports(plan)

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None = None) -> PhysicalStream:
        found = IntervalEngine().run(plan, sources, horizon)
        columns = self.spoilt_columns(plan)
        elements = [(spoilt(row, columns), Interval(start, end)) for row, start, end in found.to_elements()]
        return PhysicalStream.from_elements(plan.schema, elements) if columns else found

    def spoilt_columns(self, plan: Plan) -> set[int]:
        if not isinstance(plan, Aggregation | Grouping):
            return set()
        first = len(plan.schema) - len(plan.aggregates)
        listed = enumerate(plan.aggregates, first)
        return {i for i, one in listed if isinstance(one, self.spoilt) and one.type is Type.FLOAT}


class AdmittingEngine(RoundingEngine):
    differences = ("float sums",)


class HidingEngine(AdmittingEngine):
    """It admits one thing, and does another as well."""

    spoilt = (Sum, Avg, Max)


def spoilt(row: Row, columns: set[int]) -> Row:
    huge = (i in columns and isinstance(value, float) and HUGE < abs(value) < inf for i, value in enumerate(row))
    return tuple(inf if too_large else value for too_large, value in zip(huge, row, strict=True))


def test_what_is_not_declared_is_a_finding() -> None:
    assert not conform(RoundingEngine(), cases=CASES, isolated=False).holds


def test_what_is_declared_is_none_although_infinities_stand_by() -> None:
    found = conform(AdmittingEngine(), cases=CASES, isolated=False)
    assert found.holds, [str(finding) for finding in found.findings]
    assert any("sums of floats" in finding.message for finding in found.findings)


def test_what_is_declared_hides_nothing_in_other_columns() -> None:
    assert not conform(HidingEngine(), cases=CASES, isolated=False).holds
