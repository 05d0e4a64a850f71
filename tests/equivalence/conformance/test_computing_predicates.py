"""An engine without Map shows its arithmetic by the rows that it keeps: wrong operations are seen there, too."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situation import choose_in_situation, with_types
from equivalence.cases.situations import SITUATIONS
from physical.columns.stream import PhysicalStream
from physical.runtime.run_whole import AnyStream
from semantics import Expression, IntervalStream, Plan, Type
from semantics.expression import Arithmetic, Comparison, Constant, Negation, Ref
from semantics.plan import Filter, Semijoin, Source
from semantics.scalar_operations import arithmetic, comparison, negate
from semantics.value import Row
from tests.equivalence.conformance.test_crowds_and_numbers import findings

CASES = 120
"""By default, an engine that lists filters only gets four times as many, and one that lists everything half as many."""
Compute = Callable[[str, Any, Any], Any]


class OnlyFilters:
    """An engine that knows sources, and filters whose predicates compare what they compute."""

    name = "only filters"

    def __init__(self, compute: Compute = arithmetic, negative: Callable[[Any], Any] = negate) -> None:
        self.compute, self.negative = compute, negative

    def supports(self, plan: Plan) -> bool:
        return all(isinstance(node, Source | Filter) for node in plan.walk())

    def run(self, plan: Plan, sources: Mapping[str, AnyStream]) -> IntervalStream:
        if not isinstance(plan, Filter):
            assert isinstance(plan, Source)
            return PhysicalStream.of(sources[plan.name]).to_interval()
        elements = self.run(plan.inputs[0], sources).elements
        return IntervalStream(plan.schema, [e for e in elements if self.value(plan.predicate, e[0]) is True])

    def value(self, expression: Expression, row: Row) -> Any:
        match expression:
            case Ref(index=index):
                return row[index]
            case Constant(value=value):
                return value
            case Negation(operand=operand):
                given = self.value(operand, row)
                return None if given is None else self.negative(given)
            case Arithmetic(symbol=symbol, left=left, right=right):
                return self.compute(symbol, self.value(left, row), self.value(right, row))
            case Comparison(symbol=symbol, left=left, right=right):
                return comparison(symbol, self.value(left, row), self.value(right, row))
            case _:
                raise NotImplementedError(expression)


def wrapped(number: Any) -> Any:
    return (number + 2**63) % 2**64 - 2**63 if isinstance(number, int) else number


def instead(symbol: str, compute: Callable[[Any, Any], Any]) -> Compute:
    """One operation is another one; NULL stays NULL, and the rest is right."""

    def computed(asked: str, left: Any, right: Any) -> Any:
        known = asked == symbol and left is not None and right is not None
        return compute(left, right) if known else arithmetic(asked, left, right)

    return computed


def of_zero(symbol: str, otherwise: Any) -> Compute:
    return instead(symbol, lambda a, b: arithmetic(symbol, a, b) if b else otherwise)


WRONG: Mapping[str, OnlyFilters] = {
    "MOD has the divisor's sign": OnlyFilters(instead("MOD", lambda a, b: a % b if b else None)),
    "MOD has no sign": OnlyFilters(instead("MOD", lambda a, b: abs(a) % abs(b) if b else None)),
    "MOD 0 is 0": OnlyFilters(of_zero("MOD", 0)),
    "MOD 0 is the dividend": OnlyFilters(instead("MOD", lambda a, b: arithmetic("MOD", a, b) if b else a)),
    "/ 0 is infinite": OnlyFilters(of_zero("/", float("inf"))),
    "/ of integers drops the fraction": OnlyFilters(instead("/", lambda a, b: float(int(a / b)) if b else None)),
    "+ wraps around": OnlyFilters(instead("+", lambda a, b: wrapped(a + b))),
    "- wraps around": OnlyFilters(instead("-", lambda a, b: wrapped(a - b))),
    "* wraps around": OnlyFilters(instead("*", lambda a, b: wrapped(a * b))),
    "+ stays at the edge": OnlyFilters(instead("+", lambda a, b: max(min(a + b, 2**63 - 1), -(2**63)))),
    "- of the least integer wraps around": OnlyFilters(negative=lambda a: None if a is None else wrapped(-a)),
}


def test_right_arithmetic_is_found_right() -> None:
    assert findings(OnlyFilters(), "computing predicates", [Filter], CASES) == []


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arithmetic_in_predicates_is_found(name: str) -> None:
    assert findings(WRONG[name], "computing predicates", [Filter], CASES)


@pytest.mark.parametrize(("name", "operator"), [("computing predicates", Filter), ("computing conditions", Semijoin)])
def test_engines_without_floats_and_map_get_every_operation(name: str, operator: type[Plan]) -> None:
    situation = with_types(SITUATIONS[name], frozenset({Type.INT, Type.BOOL}))
    plans = [choose_in_situation(SeededChoices(f"{name}/{i}"), situation, operator)[0] for i in range(200)]
    assert all(isinstance(node, Source | operator) for plan in plans for node in plan.walk())
    conditions = [expression for plan in plans for expression in plan.own_expressions]
    computed = [c.left for c in conditions if isinstance(c, Comparison)]
    assert {c.symbol for c in computed if isinstance(c, Arithmetic)} == {"+", "-", "*", "/", "MOD"}
    assert any(isinstance(c, Negation) for c in computed)
