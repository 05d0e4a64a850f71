"""Aggregates that not every engine knows: who says nothing gets none of them."""

import pytest

from equivalence.conformance.subject.by_command.capabilities import Capabilities
from equivalence.conformance.subject.in_process import InProcess
from physical.engine import ENGINES
from semantics import Plan, Unsupported, parse_plan

FURTHER = ["mode(x)", "sum(distinct x)", "count(distinct x, x)", "corr(x, x)", "min_by(x, x)"]
COMMON = ["count(*)", "count(distinct x)", "median(x)", "top(x, 2)"]


class Modest:
    """An engine that says nothing of aggregates."""

    name = "modest"

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them, it thinks
        return True

    def run(self, plan: Plan, sources: object) -> object:  # noqa: ARG002  # never called
        raise AssertionError("it is not asked")


def over(aggregate: str) -> Plan:
    return parse_plan(f"S(x int) | window(range 3) | aggregate({aggregate} as a) | filter(a is null)")


@pytest.mark.parametrize("aggregate", FURTHER)
def test_an_engine_that_says_nothing_gets_no_further_aggregate(aggregate: str) -> None:
    with pytest.raises(Unsupported, match="does not say knows_all_aggregates = True, and there is"):
        InProcess(Modest()).check_support(over(aggregate))
    lacking = Capabilities("silent").lacking(over(aggregate))
    assert lacking is not None
    assert lacking.startswith("aggregate")


@pytest.mark.parametrize("aggregate", FURTHER)
def test_nor_does_it_get_one_in_a_frame(aggregate: str) -> None:
    framed = parse_plan(f"S(x int) | over({aggregate} rows 2 as a)")
    with pytest.raises(Unsupported, match="does not say knows_all_aggregates = True, and there is"):
        InProcess(Modest()).check_support(framed)
    lacking = Capabilities("silent", operators=frozenset({"Source", "Over"})).lacking(framed)
    assert lacking is not None
    assert lacking.startswith("aggregate")


@pytest.mark.parametrize("aggregate", COMMON)
def test_what_every_engine_knows_is_asked_of_all(aggregate: str) -> None:
    InProcess(Modest()).check_support(over(aggregate))
    assert Capabilities("silent").lacking(over(aggregate)) is None


@pytest.mark.parametrize("aggregate", FURTHER)
def test_our_engines_know_all(aggregate: str) -> None:
    for engine in ENGINES.values():
        if engine.supports(over(aggregate)):
            InProcess(engine).check_support(over(aggregate))
