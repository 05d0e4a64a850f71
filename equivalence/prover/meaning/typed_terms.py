"""Decimals, points in time and spans as integers: exactly where that is linear, else as functions without a formula.

A decimal is the number of its last digit's units, so its scale is part of what a term means. Nothing overflows here: a
proof is about inputs on which neither side fails. What rounds has no formula here, only a name.
"""

from typing import Final

from equivalence.prover.terms.build import (
    at_most,
    call,
    conj,
    equal,
    get,
    ite,
    mul,
    neg,
    null,
    number,
    some,
)
from equivalence.prover.terms.term import SmtSort, Symbol, Term
from semantics.casts import can_always_be_cast
from semantics.decimals import INT_DIGITS
from semantics.temporal import DAY_MICROS
from semantics.types import Type

_BASIC: Final = {
    Type.INT: SmtSort.INT_OR_NULL,
    Type.BOOL: SmtSort.BOOL_OR_NULL,
    Type.FLOAT: SmtSort.REAL_OR_NULL,
    Type.STR: SmtSort.REAL_OR_NULL,
}


class SortsByType(dict[Type, SmtSort]):
    """The sort of every type. Arrays and rows are countable and have an order, as texts; no more is known of them."""

    def __missing__(self, type_: Type) -> SmtSort:
        return SmtSort.REAL_OR_NULL if type_.is_nested else SmtSort.INT_OR_NULL


SORTS: Final = SortsByType(_BASIC)


def name_of_type(type_: Type) -> str:
    """A name that no other type has: fields of a row may be called anything, and only the notation quotes them."""
    return type_.value if type_.is_nested else type_.name


def scale(type_: Type) -> int:
    return 0 if type_.sizes is None else type_.sizes[1]


def widened(value: Term, source: Type, target: Type) -> Term | None:
    """A plain value as one of a type that holds it exactly; None if it may have to be rounded."""
    if source is target:
        return value
    if source is Type.DATE and target is Type.TIMESTAMP:
        return mul(number(DAY_MICROS), value)
    if target.sizes is not None and (source is Type.INT or source.is_decimal):
        return rescaled(value, source, scale(target))
    return None


def rescaled(value: Term, source: Type, digits: int) -> Term | None:
    """An INT or DECIMAL in units of a last digit; None if that one is coarser."""
    more = digits - scale(source)
    if more < 0:
        return None
    return mul(number(10**more), value) if more else value


def exact_sum_types(symbol: str, left: Type, right: Type, result: Type) -> tuple[int, int] | None:
    """Factors for both operands so that the result is their sum, difference or product; None if it is none of these."""
    if result.sizes is not None:
        return _factors_of_decimals(symbol, left, right, result)
    days = DAY_MICROS
    if symbol == "*":
        return (1, 1)
    if Type.MONTH_INTERVAL in (left, right) or Type.TIME in (left, right) or result is Type.DATE or symbol == "/":
        return (1, 1) if left is right is Type.MONTH_INTERVAL and symbol in "+-" else None
    return (days if left is Type.DATE else 1, days if right is Type.DATE else 1)


def _factors_of_decimals(symbol: str, left: Type, right: Type, result: Type) -> tuple[int, int] | None:
    scales = scale(left), scale(right)
    if symbol == "*":
        return (1, 1) if scale(result) == sum(scales) else None
    if symbol == "/" or scale(result) != max(scales):
        return None
    return 10 ** (max(scales) - scales[0]), 10 ** (max(scales) - scales[1])


def cast_term(value: Term, source: Type, target: Type, safe: bool) -> Term:
    """CAST of a value of a sort with NULL; where it is not NULL, it has a formula or a name."""
    plain = _formula(get(value), source, target)
    may_fail = safe and not can_always_be_cast(source, target)
    if plain is None:
        sort = SORTS[target] if may_fail else SORTS[target].plain
        name = f"{'try_' if safe else ''}cast {source.value} as {target.value}"
        found = call(Symbol(name, (value.sort.plain,), sort), get(value))
        return found if may_fail else some(found)
    return ite(_inside(plain, target), some(plain), null(SORTS[target])) if may_fail else some(plain)


def _formula(value: Term, source: Type, target: Type) -> Term | None:
    if (source is Type.INT and target.is_counted) or (source.is_counted and target is Type.INT):
        return value
    if (source, target) == (Type.TIME, Type.DAY_INTERVAL):
        return value
    if (source, target) == (Type.BOOL, Type.INT):
        return ite(value, number(1), number(0))
    if (source, target) == (Type.INT, Type.BOOL):
        return neg(equal(value, number(0)))
    return widened(value, source, target)


def _inside(value: Term, target: Type) -> Term:
    """Is it among the values of the type?"""
    if target.sizes is not None:
        least, greatest = 1 - 10 ** target.sizes[0], 10 ** target.sizes[0] - 1
    elif target.is_counted:
        least, greatest = target.python.least, target.python.greatest
    else:
        least, greatest = -(10**INT_DIGITS), 10**INT_DIGITS
    return conj(at_most(number(least), value), at_most(value, number(greatest)))
