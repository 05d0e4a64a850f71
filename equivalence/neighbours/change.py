"""One small change of a part of a plan, and how to say it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from semantics import Expression, Scope, SnapeqError, Value
from semantics.notation.show_expression import show_expression

T = TypeVar("T")
U = TypeVar("U")


class ChangeKind(StrEnum):
    """What was changed."""

    SIZE = "window size"
    SLIDE = "slide"
    ROWS = "rows"
    LANDMARK = "landmark"
    COMPARED_CONSTANT = "comparison constant"
    CONSTANT = "constant"
    COMPARISON = "comparison"
    CONDITION = "condition"
    BRANCH = "branch"
    ARITHMETIC = "arithmetic"
    FUNCTION = "function"
    AGGREGATE = "aggregate"
    KEY = "key"
    DUPLICATES = "duplicates"
    JOIN = "join"
    CHANGES = "changes"
    """ISTREAM or DSTREAM."""


DECISIVE = frozenset(
    {
        ChangeKind.SIZE,
        ChangeKind.SLIDE,
        ChangeKind.ROWS,
        ChangeKind.LANDMARK,
        ChangeKind.COMPARED_CONSTANT,
        ChangeKind.CONSTANT,
    }
)
"""Changes that somebody makes by mistake and that no row of a small example shows: sizes, thresholds, constants."""


@dataclass(frozen=True)
class Change(Generic[T]):
    """A part after the change."""

    made: T
    kind: ChangeKind
    text: str
    number: "Number[T] | None" = None
    """If a number or text was changed: which one, and how to change it otherwise."""
    operator: str = ""
    """The operator of the node that was changed, once it is known."""

    def within(self, whole: Callable[[T], U]) -> "Change[U]":
        """The same change, of the whole that the part stands in."""
        number = None if self.number is None else self.number.within(whole)
        return Change(whole(self.made), self.kind, self.text, number, self.operator)


@dataclass(frozen=True)
class Number(Generic[T]):
    """A number or text in a plan: as it was, as it is after a change, and the change to any other one."""

    old: Value
    new: Value
    to: Callable[[Value], Change[T]]

    def within(self, whole: Callable[[T], U]) -> "Number[U]":
        return Number(self.old, self.new, lambda value: self.to(value).within(whole))


def lifted(changes: Iterator[Change[T]], whole: Callable[[T], U]) -> Iterator[Change[U]]:
    """The changes of a part as changes of its whole, as far as there is such a whole."""
    for change in changes:
        try:
            yield change.within(whole)
        except SnapeqError:
            continue


def instead(new: Expression, old: Expression, scope: Scope) -> str:
    """The text of a change from one expression to another."""
    return f"`{show_expression(new, scope)}` instead of `{show_expression(old, scope)}`"
