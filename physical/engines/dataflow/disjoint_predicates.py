"""Which two predicates can never both hold: those that want one column in disjoint ranges."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from semantics import Expression
from semantics.comparison import both_ways
from semantics.expression import Comparison, Constant, Ref, conjuncts


@dataclass(frozen=True)
class ConstantBound:
    """A column compares with a constant by this symbol."""

    column: int
    symbol: str
    value: Any


def disjoint(left: Expression | None, right: Expression | None) -> bool:
    """Is it certain that no row satisfies both? None is satisfied by all rows; False means that it is not known.

    >>> from semantics import Type
    >>> x = Ref(0, Type.INT)
    >>> disjoint(Comparison("<", x, Constant(3, Type.INT)), Comparison("=", x, Constant(3, Type.INT)))
    True
    """
    if left is None or right is None:
        return False
    both = [*bounds(left), *bounds(right)]
    return any(_apart(upper, lower) for upper in both for lower in both)


def _apart(upper: ConstantBound, lower: ConstantBound) -> bool:
    """Does one want a column below a value and the other want it above?"""
    if upper.column != lower.column or upper.symbol[0] == ">" or lower.symbol[0] == "<":
        return False
    strict = upper.symbol == "<" or lower.symbol == ">"
    return bool(upper.value <= lower.value if strict else upper.value < lower.value)


def bounds(predicate: Expression) -> Iterator[ConstantBound]:
    """The bounds that every row satisfies for which the predicate holds."""
    compared = [part for part in conjuncts(predicate) if isinstance(part, Comparison) and part.symbol != "<>"]
    for part in compared:
        for symbol, own, other in both_ways(part):
            if isinstance(own, Ref) and isinstance(other, Constant) and _ordered(other):
                yield ConstantBound(own.index, symbol, other.value)


def _ordered(constant: Constant) -> bool:
    """NULL and NaN bound nothing."""
    return constant.value is not None and constant.value == constant.value
