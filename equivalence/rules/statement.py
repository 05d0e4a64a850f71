"""A rule is stated once: one function that returns two queries over whatever is free in it.

What is free comes from a `Free`: drawn at random to test the rule, symbolic to prove it. Everything else that is
known of the rule (its tests, its exhaustive check, its proof, its row in the catalogue) follows from the function.

>>> @rule("σ_p(A ∪ B) ≐ σ_p(A) ∪ σ_p(B)", source="folklore")
... def filter_over_union(free: Free) -> Sides:
...     a = free.stream("A")
...     b = free.stream("B", like=a)
...     p = free.predicate("p", a)
...     return a.union(b).filter(p), a.filter(p).union(b.filter(p))
>>> filter_over_union.name
'filter-over-union'
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Protocol

from equivalence.lists.equivalences import Equivalence
from equivalence.lists.list_query import ListQuery
from semantics import ColumnExpression, Query, SchemaError, Type
from semantics.builder.aggregate_expression import AggregateExpression
from semantics.constraint import Constraint

Sides = tuple[Query, Query] | tuple[ListQuery, ListQuery]
"""Two queries; or two expressions over lists, where the rule is about order, duplicates or how intervals are cut."""


class Free(Protocol):
    """What a rule leaves open. Each thing has a name, unique within the rule.

    Streams have columns named after them (A has a1, a2, …), so products never clash; `like` gives the columns of
    another query, names included. Predicates, functions and aggregates may use all columns of the queries they are
    over, may be NULL, and mean the same wherever the same names are in scope.
    """

    def stream(self, name: str, like: Query | None = None, *, types: tuple[Type, ...] | None = None) -> Query:
        """Any stream; with types, of just these columns."""

    def predicate(self, name: str, *over: Query) -> ColumnExpression:
        """Any predicate over the columns of one query, or of two side by side."""

    def function(self, name: str, *over: Query, type_: Type | None = None) -> ColumnExpression:
        """Any function of the columns, of a given type or of any."""

    def constant(self, name: str, type_: Type) -> ColumnExpression:
        """Any value of this type, NULL included."""

    def columns(self, name: str, over: Query, *, at_least: int = 1) -> tuple[str, ...]:
        """Some of the columns, in the order of the schema."""

    def number(self, name: str, at_least: int = 1) -> int:
        """A window's size, a slide, an instant."""

    def aggregate(self, name: str, over: Query, among: Collection[str] = ()) -> AggregateExpression:
        """Any aggregate over the columns, or one of those named: count, count_of, sum, min, max, avg, …"""

    def require(self, condition: str, holds: bool) -> None:
        """A side condition on what was chosen before, under the name by which it can be dropped."""

    def given(self, constraint: Constraint) -> None:
        """A side condition on a stream, under its own text as its name."""


@dataclass(frozen=True)
class Rule:
    """Two queries that are said to be equivalent, whatever is free in them, wherever the side conditions hold."""

    name: str
    family: str
    statement: str
    source: str
    sides: Callable[[Free], Sides]
    equivalence: Equivalence = "snapshot-multiset"
    valid: bool = True
    dropped: frozenset[str] = frozenset()
    """Names of side conditions that are ignored: how a false sibling of a true rule is made."""

    def claiming(self, equivalence: Equivalence) -> "Rule":
        """The false sibling that claims an equivalence the rule does not keep."""
        return replace(self, name=f"{self.name} as {equivalence}", valid=False, equivalence=equivalence)

    def without(self, condition: str) -> "Rule":
        """The false sibling: the same rule with one side condition dropped."""
        return replace(self, name=f"{self.name} without: {condition}", valid=False, dropped=self.dropped | {condition})


def rule(
    statement: str, *, source: str, equivalence: Equivalence = "snapshot-multiset", valid: bool = True
) -> Callable[[Callable[[Free], Sides]], Rule]:
    """Turn a function into a rule; it is named after the function, its family after the module."""

    def make(sides: Callable[[Free], Sides]) -> Rule:
        family = sides.__module__.rpartition(".")[2]
        return Rule(sides.__name__.replace("_", "-"), family, statement, source, sides, equivalence, valid)

    return make


def check_sides(of: Rule, left: Query | ListQuery, right: Query | ListQuery) -> None:
    """Both sides must have the same types, column by column."""
    if left.schema.types != right.schema.types:
        raise SchemaError(f"rule {of.name}: the sides have different columns: {left.schema}; {right.schema}")
