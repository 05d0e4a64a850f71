"""Instances of a rule: everything that is free in it, chosen at random, so that it can be tested."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_aggregates import choose_aggregate
from equivalence.cases.random_expressions import ExpressionGenerator
from equivalence.cases.random_plans import PlanGenerator
from equivalence.cases.random_rows import TYPES, choose_value
from equivalence.lists.list_expression import Listing, given
from equivalence.lists.list_query import ListQuery
from equivalence.rules.statement import Rule, check_sides
from semantics import ColumnExpression, Expression, Plan, Query, Schema, SchemaError, Scope, Type, lit, source
from semantics.builder.aggregate_expression import AggregateExpression
from semantics.constraint import Constraint
from semantics.expression import Coalesce, Constant, Not, Ref
from semantics.scope import LEFT, RIGHT
from semantics.substitute import Replacement, substitute, substitute_in_aggregate

COLUMN_TYPES: Final = (Type.INT, Type.INT, Type.INT, *TYPES)
"""Mostly numbers: most functions are about them."""
INSTANCES_TRIED: Final = 40
"""Among these, each side condition of a rule comes up, and some instance meets them all."""


class ConditionNotMet(Exception):
    """A side condition of a rule does not hold for the choices of an instance."""


class RandomInstance:
    """A `Free` that chooses everything at random, and remembers the side conditions that came up."""

    def __init__(self, choices: Choices, dropped: Collection[str] = (), *, awkward: bool = True) -> None:
        self._choices = choices
        self._dropped = dropped
        self._awkward = awkward
        self.conditions: list[str] = []
        self.constraints: list[Constraint] = []

    def stream(self, name: str, like: Query | None = None, *, types: tuple[Type, ...] | None = None) -> Query:
        if like is not None:
            return source(name, like.schema)
        chosen = types or [self._choices.of(COLUMN_TYPES) for _ in range(self._choices.between(1, 2))]
        return source(name, Schema.of(**{f"{name.lower()}{i}": type_ for i, type_ in enumerate(chosen, 1)}))

    def predicate(self, name: str, *over: Query) -> ColumnExpression:  # noqa: ARG002  # symbolic things need the name
        kind = self._choices.below(8)
        if kind == 0:
            return lit(True)
        predicate = PlanGenerator(self._choices, {}, self._awkward).predicate(_scope(over))
        return column_expression_over(predicate if kind < 5 else _fails(predicate), over)

    def function(self, name: str, *over: Query, type_: Type | None = None) -> ColumnExpression:  # noqa: ARG002
        type_ = type_ or self._choices.of(COLUMN_TYPES)
        return column_expression_over(
            ExpressionGenerator(self._choices, _scope(over), self._awkward).of(type_, depth=1), over
        )

    def constant(self, name: str, type_: Type) -> ColumnExpression:  # noqa: ARG002
        value = choose_value(self._choices, type_, self._awkward)
        return ColumnExpression(lambda _: Constant(value, type_))

    def columns(self, name: str, over: Query, *, at_least: int = 1) -> tuple[str, ...]:  # noqa: ARG002
        chosen = self._choices.below(2 ** len(over.schema))  # one choice, however many columns: so columns can shrink
        picked = [column for i, column in enumerate(over.schema.names) if chosen >> i & 1]
        return tuple(picked if len(picked) >= at_least else over.schema.names[:at_least])

    def number(self, name: str, at_least: int = 1) -> int:  # noqa: ARG002
        return self._choices.between(at_least, at_least + 4)

    def aggregate(self, name: str, over: Query, among: Collection[str] = ()) -> AggregateExpression:  # noqa: ARG002
        chosen = choose_aggregate(self._choices, Scope(over.schema), self._awkward, among)
        return AggregateExpression(lambda scope: (substitute_in_aggregate(chosen, references_in(scope, (over,))),))

    def require(self, condition: str, holds: bool) -> None:
        self.conditions.append(condition)
        if not holds and condition not in self._dropped:
            raise ConditionNotMet(condition)

    def given(self, constraint: Constraint) -> None:
        self.conditions.append(str(constraint))
        if str(constraint) not in self._dropped:
            self.constraints.append(constraint)


@dataclass(frozen=True)
class Instance:
    """A rule with nothing left free but the streams."""

    left: Plan
    right: Plan
    constraints: tuple[Constraint, ...] = ()

    @property
    def sources(self) -> dict[str, Schema]:
        return self.left.sources() | self.right.sources()


@dataclass(frozen=True)
class ListInstance:
    """A rule about lists with nothing left free but the lists."""

    left: Listing
    right: Listing
    constraints: tuple[Constraint, ...] = ()

    @property
    def sources(self) -> dict[str, Schema]:
        return given(self.left) | given(self.right)


def instance_of(choices: Choices, rule: Rule, *, awkward: bool = True) -> Instance | ListInstance:
    """One instance of a rule; raises Unmet where the side conditions do not hold."""
    free = RandomInstance(choices, rule.dropped, awkward=awkward)
    left, right = rule.sides(free)
    check_sides(rule, left, right)
    if isinstance(left, Query) and isinstance(right, Query):
        return Instance(left.plan, right.plan, tuple(free.constraints))
    if isinstance(left, ListQuery) and isinstance(right, ListQuery):
        return ListInstance(left.listing, right.listing, tuple(free.constraints))
    raise SchemaError(f"rule {rule.name}: one side is a query, the other is about lists")


def conditions(rule: Rule) -> tuple[str, ...]:
    """The names of the rule's side conditions, as they come up in many instances."""
    names: dict[str, None] = {}
    for seed in range(INSTANCES_TRIED):
        free = RandomInstance(SeededChoices(seed), rule.dropped)
        with suppress(ConditionNotMet):
            rule.sides(free)
        names |= dict.fromkeys(free.conditions)
    return tuple(name for name in names if name not in rule.dropped)


def _scope(over: tuple[Query, ...]) -> Scope:
    return Scope(*(query.schema for query in over))


def _fails(predicate: Expression) -> Expression:
    """TRUE where the predicate is not: since most predicates are seldom true, some are turned round."""
    return Not(Coalesce((predicate, Constant(False, Type.BOOL))))


def column_expression_over(expression: Expression, over: tuple[Query, ...]) -> ColumnExpression:
    """An expression over the columns of some queries, to be used wherever these names are in scope."""
    return ColumnExpression(lambda scope: substitute(expression, references_in(scope, over)))


def references_in(scope: Scope, over: tuple[Query, ...]) -> Replacement:
    """References by position, made for some queries, as references in another scope that has the same names."""
    labels = [(side, name) for side, query in zip((LEFT, RIGHT), over, strict=False) for name in query.schema.names]

    def found(ref: Ref) -> Expression:
        side, name = labels[ref.index]
        twice = scope.right is not None and name in scope.left.names and name in scope.right.names
        return scope.find(name, side if twice else None)

    return found
