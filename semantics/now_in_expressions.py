"""`now`, the instant of a snapshot: a number in its place, a column in its place, and where it can change a value.

An operator that asks for it is not snapshot-reducible, but snapshot-computable: τ_t(op_e(S)) = op_e[now:=t](τ_t(S)).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from semantics.comparison import MIRRORED
from semantics.dataclass_on_use import dataclass
from semantics.errors import SnapeqError
from semantics.expression import (
    Arithmetic,
    Cast,
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
SUMMED: Final = frozenset({Type.INT, Type.TIMESTAMP, Type.DAY_INTERVAL})
"""Types whose sums are sums of integers in one unit; casts between them keep the integer."""


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
    factor: int = 1
    """How often now is taken: an instant may be many microseconds long."""

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
            yield from self.changes(sum(known))

    def changes(self, border: Any) -> list[Any]:
        """Where the truth of `factor · now < border` changes; as well for whole arrays of borders.

        >>> Threshold("<=", (), 1000).changes(2500), Threshold("<", (), 1000).changes(2500)
        ([3], [3])
        """
        steps = STEPS[self.symbol]
        return [border // self.factor + 1 if step else -(-border // self.factor) for step in steps]


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
    """The comparison as one of now alone with the rest, if integers are compared and both sides are sums."""
    if left.type not in SUMMED or right.type not in SUMMED:
        return None
    terms = [*signed_terms(left, 1), *signed_terms(right, -1)]
    rest = tuple((-sign, term) for sign, term in terms if not _times_now(term))
    if any(mentions_now(term) for _, term in rest):
        return None
    factor = sum(sign * _times_now(term) for sign, term in terms)
    if factor < 0:
        return (Threshold(MIRRORED[symbol], tuple((-sign, term) for sign, term in rest), -factor),)
    return (Threshold(symbol, rest, factor),) if factor else ()


def _times_now(term: Expression) -> int:
    """How often now is in a term that is a multiple of it; 0 if it is none."""
    match term:
        case Now():
            return 1
        case Arithmetic(symbol="*", left=Now(), right=Constant(value=int(factor), type=Type.INT)):
            return factor
        case Arithmetic(symbol="*", left=Constant(value=int(factor), type=Type.INT), right=Now()):
            return factor
        case _:
            return 0


def signed_terms(expression: Expression, sign: int) -> Iterator[tuple[int, Expression]]:
    """What an expression adds up, each term with its sign; a cast that keeps the integer is left out around now."""
    match expression:
        case Cast(operand=operand, safe=False) if mentions_now(operand) and {operand.type, expression.type} <= SUMMED:
            yield from signed_terms(operand, sign)
        case Arithmetic(symbol="+" | "-" as symbol, left=left, right=right) if {left.type, right.type} <= SUMMED:
            yield from signed_terms(left, sign)
            yield from signed_terms(right, sign if symbol == "+" else -sign)
        case Negation(operand=operand) if operand.type in SUMMED:
            yield from signed_terms(operand, -sign)
        case _:
            yield sign, expression
