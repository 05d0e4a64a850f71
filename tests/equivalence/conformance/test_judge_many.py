"""An engine for which a run is dear is tried on many cases at once; what is wrong with it is found all the same."""

import pytest

from equivalence import conform
from equivalence.verdicts.fault_kind import FaultKind
from physical import PhysicalStream, run
from physical.runtime.run_whole import AnyStream
from semantics import Plan, StreamError
from semantics.plan import Distinct, Istream


class Dear:
    """The interval engine, which says that its runs are dear, and counts them."""

    name = "dear"
    lifts = True

    def __init__(self) -> None:
        self.runs = 0

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002
        return True

    def run(self, plan: Plan, sources: dict[str, AnyStream], horizon: int) -> PhysicalStream:
        self.runs += 1
        return run(plan, sources, horizon)


class KeepsDuplicates(Dear):
    def run(self, plan: Plan, sources: dict[str, AnyStream], horizon: int) -> PhysicalStream:
        return super().run(plan.input if isinstance(plan, Distinct) else plan, sources, horizon)


class Refuses(Dear):
    def run(self, plan: Plan, sources: dict[str, AnyStream], horizon: int) -> PhysicalStream:
        if isinstance(plan, Istream):
            raise StreamError("no")
        return super().run(plan, sources, horizon)


def test_many_cases_take_few_runs() -> None:
    engine = Dear()
    result = conform(engine, cases=4000)
    assert not result.failures
    assert result.cases > 3000
    assert engine.runs < result.cases / 8


@pytest.mark.parametrize(
    ("engine", "name", "operator"),
    [(KeepsDuplicates(), FaultKind.WRONG_RESULT, "Distinct"), (Refuses(), FaultKind.RAISES, "Istream")],
)
def test_a_fault_is_found_and_blamed(engine: Dear, name: FaultKind, operator: str) -> None:
    found = conform(engine, cases=4000).failures
    assert [(finding.name, finding.operator) for finding in found] == [(name, operator)]
