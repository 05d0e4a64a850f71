"""Predicates that compute: an engine without Map shows its arithmetic by the rows that it keeps, and by nothing else.

Each condition compares the result of one operation, so that it fits an engine that lists few of them, over values at
which wrong operations differ from right ones: signs that differ, divisors that are zero, sums next to 64 bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from equivalence.cases.choices import Choices
from equivalence.cases.numbers import EDGES
from equivalence.cases.random_expressions import COMPARISONS
from equivalence.cases.random_plans import Catalogue, PlanGenerator
from equivalence.cases.random_rows import COMMON_VALUES, choose_value
from equivalence.cases.situation import ChooseValue, Situation
from semantics import Expression, Plan, Schema, Scope, Type, Value
from semantics.expression import Arithmetic, ArithmeticSymbol, Comparison, Constant, Negation, Ref
from semantics.plan import Source
from semantics.value import INT_MAX, INT_MIN

Pools = Mapping[Type, Sequence[Value]]
CATALOGUE: Final[Catalogue] = {
    "A": Schema.of(x=int, y=int, f=float, e=float),
    "B": Schema.of(u=int, v=int, g=float, h=float),
}
"""Names differ, so that joins need no Map that renames."""
SIGNED: Final[Pools] = {
    **COMMON_VALUES,
    Type.INT: (0, 1, -1, 2, -2, 3, -3, 5, 7),
    Type.FLOAT: (0.0, 0.5, -0.5, 2.0, -2.0, 7.5, -7.5),
}
AT_THE_EDGE: Final[Pools] = {**SIGNED, Type.INT: EDGES}
_SYMBOLS: Final[tuple[ArithmeticSymbol, ...]] = ("+", "-", "*", "MOD", "MOD", "/")


class SignedConditions(PlanGenerator):
    """Conditions that compare a sum, difference, product, quotient, remainder or negative with 0 or another number."""

    pools: ClassVar[Pools] = SIGNED
    symbols: ClassVar[tuple[ArithmeticSymbol, ...]] = _SYMBOLS
    computed_types: ClassVar[tuple[Type, ...]] = (Type.INT, Type.INT, Type.FLOAT)

    def plan(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        return self.source()

    def pair(self, depth: int) -> tuple[Plan, Plan]:  # noqa: ARG002  # what is below does not matter here
        left, right = (Source(name, schema) for name, schema in self.catalogue.items())
        return (right, left) if self.choices.chance(1, 2) else (left, right)

    def predicate(self, scope: Scope) -> Expression:
        computed = self._computed(scope, self.choices.of([t for t in self.computed_types if t in scope.types]))
        return Comparison(self.choices.of(COMPARISONS), computed, self._compared_with(scope, computed.type))

    def _computed(self, scope: Scope, type_: Type) -> Expression:
        columns = _columns(scope, type_)
        column = self.choices.of(columns)
        if self.choices.chance(1, 6):
            return Negation(column)
        others = [other for other in columns if other != column] or columns
        return Arithmetic(self.choices.of(self.symbols), column, self._number(others, type_))

    def _compared_with(self, scope: Scope, type_: Type) -> Expression:
        """Often 0, as signs tell most of what can be wrong, or something that is computed, too."""
        kind = self.choices.of(("zero", "number", "computed"))
        if kind == "zero" or not (columns := _columns(scope, type_)):
            return Constant(0 if type_ is Type.INT else 0.0, type_)
        return self._number(columns, type_) if kind == "number" else self._computed(scope, type_)

    def _number(self, columns: Sequence[Expression], type_: Type) -> Expression:
        if self.choices.chance(2, 3):
            return self.choices.of(columns)
        return Constant(self.choices.of(self.pools[type_]), type_)


class EdgeConditions(SignedConditions):
    """The same with integers next to those that do not fit into 64 bits."""

    pools = AT_THE_EDGE
    symbols = ("+", "-", "*", "MOD")
    computed_types = (Type.INT,)


def with_arithmetic(choices: Choices, situation: Situation, operator: type[Plan]) -> Situation:  # noqa: ARG001
    """Numbers of both signs, or few at the edge: where one row overflows, nothing is seen of the others."""
    if choices.chance(2, 5):
        value = _chooses_of(_few(choices, 1, AT_THE_EDGE, {Type.INT: (INT_MIN, INT_MAX)}))
        return replace(situation, value=value, shape=EdgeConditions, least=2, largest=4)
    value = _chooses_of(_few(choices, 2, SIGNED, {Type.INT: (0, 2, -7), Type.FLOAT: (0.0, 2.0, -7.5)}))
    return replace(situation, value=value, shape=SignedConditions, least=6, largest=10)


def _few(choices: Choices, others: int, pools: Pools, always: Pools) -> Pools:
    """These values of each type, with which most goes wrong, and some others."""
    return {
        type_: (*always.get(type_, ()), *(choices.of(pool) for _ in range(others))) for type_, pool in pools.items()
    }


def _chooses_of(pools: Pools) -> ChooseValue:
    def choose(choices: Choices, type_: Type) -> Value:
        if type_ not in pools:
            return choose_value(choices, type_, False)
        return None if choices.chance(1, 12) else choices.of(pools[type_])

    return choose


def _columns(scope: Scope, type_: Type) -> list[Expression]:
    return [Ref(i, t) for i, t in enumerate(scope.types) if t is type_]
