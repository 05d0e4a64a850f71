"""How many changes a plan may make: a window over rows that last can change at every instant."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from semantics.errors import TooManyChanges
from semantics.plan import Plan
from semantics.time import FOREVER, End, Instant

MOST_CHANGES: Final = 1_000_000
"""Of all operators of a plan together, unless another number is asked for: they take some hundred MB."""


@dataclass(frozen=True)
class Instants:
    """Every step-th instant from the first on, before an end: like a range, but of any size.

    >>> list(Instants(3, 9, 2)), Instants(0, 10**30).number, Instants(5, 3).number
    ([3, 5, 7], 1000000000000000000000000000000, 0)
    """

    first: Instant
    end: End
    step: int = 1

    @property
    def number(self) -> End:
        return FOREVER if self.end == FOREVER else max(-(-(int(self.end) - self.first) // self.step), 0)

    def __iter__(self) -> Iterator[Instant]:
        return iter(range(self.first, int(self.end), self.step))


class Budget:
    """The changes that a plan has left, counted row by row over all its operators."""

    def __init__(self, limit: int) -> None:
        self._limit, self._spent = limit, 0

    def check(self, node: Plan, changes: End) -> None:
        """Refuse so many changes of an operator before they are made: memory is never filled with them."""
        if self._spent + changes > self._limit:
            raise TooManyChanges(_refusal(node, self._spent + changes, self._limit))

    def spend(self, node: Plan, changes: End) -> None:
        self.check(node, changes)
        self._spent += int(changes)


def _refusal(node: Plan, changes: End, limit: int) -> str:
    reached = "changes without end" if changes == FOREVER else f"{changes:,} changes or more"
    why = "" if node.reducible else f", since {_reason(node)}"
    remedy = f"expected at most {limit:,}: take a nearer horizon or a higher limit"
    return f"evaluate_sparse: {_named(node)} brings the plan to {reached}{why}; {remedy}"


def _reason(node: Plan) -> str:
    if node.computable:
        return "what it asks of now may change at every instant"
    return "over a row that lasts every instant counts by itself"


def _named(node: Plan) -> str:
    """An operator, a window with its parameters."""
    if node.computable:
        return node.operator
    parameters = [f"{field.name}={getattr(node, field.name)}" for field in fields(node) if field.name != "input"]
    return f"{node.operator}({', '.join(parameters)})"
