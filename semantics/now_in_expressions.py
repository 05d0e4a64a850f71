"""`now`, the instant of a snapshot: a number in its place, a column in its place, and where it can change a value.

An operator that asks for it is not snapshot-reducible, but snapshot-computable: τ_t(op_e(S)) = op_e[now:=t](τ_t(S)).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from semantics.comparison import MIRRORED
from semantics.errors import SnapeqError
from semantics.expression import (
    Arithmetic,
    Comparison,
    ComparisonSymbol,
    Constant,
    Expression,
    In,
    IsDistinct,
    Negation,
    Now,
    Ref,
    children,
    evaluate,
    mentions_now,
)
from semantics.plan import Plan
from semantics.rebuild import with_children, with_expressions
from semantics.time import Instant
from semantics.value import Row, Type

STEPS: Final[dict[ComparisonSymbol, tuple[int, ...]]] = {
    "<": (0,),
    ">=": (0,),
    "<=": (1,),
    ">": (1,),
    "=": (0, 1),
    "<>": (0, 1),
}
"""How far behind v the truth of `now < v`, `now <= v` … changes."""


def replace_now(expression: Expression, by: Expression) -> Expression:
    """The expression with something in the place of `now`.

    >>> from semantics import parse, show_expression
    >>> show_expression(replace_now(parse("now < $0:int + 5"), Ref(1, Type.INT)))
    '$1:int < $0:int + 5'
    """
    if not mentions_now(expression):
        return expression
    if isinstance(expression, Now):
        return by
    return with_children(expression, [replace_now(child, by) for child in children(expression)])


def now_as_column(expression: Expression, position: int) -> Expression:
    """The expression over rows that have the instant at this position."""
    return replace_now(expression, Ref(position, Type.INT))


def node_at(node: Plan, t: Instant) -> Plan:
    """The operator as it is at one instant, over the same inputs.

    >>> from semantics import parse_plan, show
    >>> show(node_at(parse_plan("S(x int) | filter(x > now)"), 7))
    'S(x int) | filter(x > 7)'
    """
    return with_expressions(node, lambda expression: replace_now(expression, Constant(t, Type.INT)))


@dataclass(frozen=True)
class Threshold:
    """`now` compared with a sum of signed terms over the row: the truth changes only where now passes the sum."""

    symbol: ComparisonSymbol
    terms: tuple[tuple[int, Expression], ...]

    def instants(self, row: Row) -> Iterator[int]:
        """Where the truth changes for one row; nowhere if it is unknown, and where it has no value it is never asked.

        A guard may keep a comparison from being evaluated for rows for which it fails.
        """
        try:
            values = [(sign, evaluate(term, row)) for sign, term in self.terms]
        except SnapeqError:
            return
        known = [sign * value for sign, value in values if isinstance(value, int)]
        if len(known) == len(values):  # NULL is unknown at every instant
            border = sum(known)
            yield from (border + step for step in STEPS[self.symbol])


@lru_cache(maxsize=512)
def thresholds(expressions: tuple[Expression, ...]) -> tuple[Threshold, ...] | None:
    """All that decides where the values can change in time, as long as the row stays; None if they always can.

    >>> from semantics import parse
    >>> (border,) = thresholds((parse("$0:int >= now - 5"),))
    >>> list(border.instants((3,))), thresholds((parse("now mod 2 = 0"),))
    ([9], None)
    """
    return _all([_thresholds(expression) for expression in expressions])


def _thresholds(expression: Expression) -> tuple[Threshold, ...] | None:
    match expression:
        case _ if not mentions_now(expression):
            return ()
        case Now():
            return None
        case Comparison(symbol=symbol, left=left, right=right):
            found = _border(symbol, left, right)
        case IsDistinct(left=left, right=right):
            found = _border("=", left, right)
        case In(operand=operand, options=options):
            return _all([_border("=", operand, option) for option in options])
        case _:
            found = None
    return thresholds(children(expression)) if found is None else found


def _all(found: Sequence[tuple[Threshold, ...] | None]) -> tuple[Threshold, ...] | None:
    known = [part for part in found if part is not None]
    return tuple(dict.fromkeys(chain.from_iterable(known))) if len(known) == len(found) else None


def _border(symbol: ComparisonSymbol, left: Expression, right: Expression) -> tuple[Threshold, ...] | None:
    """The comparison as one of now alone with the rest, if ints are compared and both sides are sums."""
    if not (left.type is right.type is Type.INT):
        return None
    terms = [*_signed_terms(left, 1), *_signed_terms(right, -1)]
    rest = tuple((-sign, term) for sign, term in terms if not isinstance(term, Now))
    if any(mentions_now(term) for _, term in rest):
        return None
    match sum(sign for sign, term in terms if isinstance(term, Now)):
        case 1:
            return (Threshold(symbol, rest),)
        case -1:
            return (Threshold(MIRRORED[symbol], tuple((-sign, term) for sign, term in rest)),)
        case 0:
            return ()
        case _:
            return None


def _signed_terms(expression: Expression, sign: int) -> Iterator[tuple[int, Expression]]:
    match expression:
        case Arithmetic(symbol="+" | "-" as symbol, left=left, right=right):
            yield from _signed_terms(left, sign)
            yield from _signed_terms(right, sign if symbol == "+" else -sign)
        case Negation(operand=operand):
            yield from _signed_terms(operand, -sign)
        case _:
            yield sign, expression
