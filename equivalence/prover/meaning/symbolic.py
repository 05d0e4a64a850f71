"""A rule with everything that is free in it left open: a proof of it is a proof of all its instances."""

from collections.abc import Collection
from typing import Final, NoReturn, cast

from equivalence.cases.random_aggregates import ALL_KINDS
from equivalence.prover.meaning.aggregates import FreeAggregate
from equivalence.prover.meaning.expressions import SORTS, FreeFunction
from equivalence.prover.meaning.open_numbers import DecisionPath, UnknownNumber
from equivalence.prover.terms.build import at_most, number
from equivalence.prover.terms.term import SmtSort, Var
from equivalence.rules.instances import ConditionNotMet, column_expression_over, references_in
from semantics import ColumnExpression, Query, Schema, Type, source
from semantics.aggregate import Aggregate, CountRows, UserDefined
from semantics.builder.aggregate_expression import AggregateExpression
from semantics.constraint import Constraint
from semantics.expression import Call, Expression, Ref
from semantics.substitute import substitute_in_aggregate

ANY_TYPE: Final = Type.STR
"""The type of columns and functions for which a rule names none. Of texts a proof uses nothing but their order, which
all types have, so that it holds for columns of every type."""
COLUMNS_OF_ANY_STREAM: Final = 2
"""Columns of a stream of any type: one stands for those that a rule picks, the other for the rest."""


class SymbolicInstance:
    """A `Free` that leaves everything open, along one path of decisions."""

    def __init__(self, path: DecisionPath, dropped: Collection[str] = (), *, kinds: Collection[str] = ()) -> None:
        """With kinds, an aggregate that may be any function is one of these."""
        self._path = path
        self._kinds = kinds
        self._dropped = dropped
        self._untouched: list[tuple[str, ...]] = []
        self.constraints: list[Constraint] = []

    def stream(self, name: str, like: Query | None = None, *, types: tuple[Type, ...] | None = None) -> Query:
        if like is not None:
            return source(name, like.schema)
        chosen = types or (ANY_TYPE,) * COLUMNS_OF_ANY_STREAM
        made = source(name, Schema.of(**{f"{name.lower()}{i}": type_ for i, type_ in enumerate(chosen, 1)}))
        if not types:
            self._untouched.append(made.schema.names)
        return made

    def predicate(self, name: str, *over: Query) -> ColumnExpression:
        return column_expression_over(_any_function(name, over, Type.BOOL), over)

    def function(self, name: str, *over: Query, type_: Type | None = None) -> ColumnExpression:
        return column_expression_over(_any_function(name, over, type_ or ANY_TYPE), over)

    def constant(self, name: str, type_: Type) -> ColumnExpression:
        return column_expression_over(_any_function(name, (), type_), ())

    def columns(self, name: str, over: Query, *, at_least: int = 1) -> tuple[str, ...]:  # noqa: ARG002
        """Some of the columns: every choice is a path of its own, the first one up to the order of untyped columns."""
        names = over.schema.names
        choices = [chosen for mask in range(2 ** len(names)) if len(chosen := _picked(names, mask)) >= at_least]
        if names in self._untouched:
            self._untouched.remove(names)
            choices = [chosen for chosen in choices if chosen == names[: len(chosen)]]
        return choices[self._path.choose(len(choices))]

    def number(self, name: str, at_least: int = 1) -> int:
        variable = Var(f"number {name}", SmtSort.INT)
        self._path.known.append(at_most(number(at_least), variable))
        return cast(int, UnknownNumber(variable, self._path))

    def aggregate(self, name: str, over: Query, among: Collection[str] = ()) -> AggregateExpression:
        """Any function of the multiset, or each of those named on a path of its own."""
        among = among or self._kinds
        chosen = self._named(name, over, among) if among else _any_aggregate(name, over)
        return AggregateExpression(lambda scope: (substitute_in_aggregate(chosen, references_in(scope, (over,))),))

    def require(self, condition: str, holds: bool) -> None:
        if not holds and condition not in self._dropped:
            raise ConditionNotMet(condition)

    def given(self, constraint: Constraint) -> None:
        if str(constraint) not in self._dropped:
            self.constraints.append(constraint)

    def _named(self, name: str, over: Query, among: Collection[str]) -> Aggregate:
        names = [kind for kind in ALL_KINDS if kind in among]
        allowed, make = ALL_KINDS[names[self._path.choose(len(names))]]
        if not allowed:
            return CountRows()
        kinds = list({SORTS[type_]: type_ for type_ in allowed}.values())  # types of one sort are alike in proofs
        type_ = kinds[self._path.choose(len(kinds))]
        return make(_any_function(f"{name} argument", (over,), type_))


def _picked(names: tuple[str, ...], mask: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(names) if mask >> i & 1)


def _any_function(name: str, over: tuple[Query, ...], result: Type) -> Expression:
    types = tuple(type_ for query in over for type_ in query.schema.types)
    return Call(FreeFunction(name, types, result, _never), tuple(Ref(i, type_) for i, type_ in enumerate(types)))


def _any_aggregate(name: str, over: Query) -> Aggregate:
    function = FreeAggregate(name, ANY_TYPE, ANY_TYPE, _never, _never, _never)
    return UserDefined(function, _any_function(f"{name} argument", (over,), ANY_TYPE))


def _never(*_: object) -> NoReturn:
    raise TypeError("what is left open cannot be computed")
