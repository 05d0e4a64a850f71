"""Wrong decimals, dates and casts: as other engines, or somebody in a hurry, would have them."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from typing import Any, Final

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.reference.wrong_expressions import called, on
from equivalence.mutants.reference.wrong_reference import WrongReference, WrongRewrite
from semantics import Expression, Plan, Type, Value, decimal
from semantics import expression as expr
from semantics.casts import cast_value
from semantics.decimals import rounded, scaled
from semantics.newer_types import newer_type
from semantics.temporal import DAY_MICROS, Date, DayInterval, Timestamp

LARGEST: Final = 10**12
"""Numbers beyond it are left to the right meaning."""


class WrongTypes(WrongReference):
    """The reference with another meaning of a type."""

    knows_types = True

    def supports(self, plan: Plan) -> bool:
        """Only what can show it."""
        return newer_type(plan) is not None


def _fitting(number: Any, type_: Type, rounding: str) -> Value:
    """A number with the digits of a decimal, rounded in another way; NULL if it is too long."""
    precision, scale = type_.sizes or (1, 0)
    return rounded(Decimal(number).quantize(scaled(1, scale), rounding), precision, scale)


def _casting(rounding: str) -> WrongRewrite:
    """Casts to DECIMAL that round in another way."""

    def change(e: expr.Cast) -> Expression:
        source = e.operand.type
        if e.type.sizes is None or not source.is_number or not e.safe:
            return e

        def cast(value: Any) -> Value:
            plain = value == value and abs(value) < LARGEST
            return _fitting(value, e.type, rounding) if plain else cast_value(value, source, e.type, safe=True)

        return called(e.type, cast, e.operand)

    return on(expr.Cast, change)


def _rounding_to_int(e: expr.Cast) -> Expression:
    if e.type is not Type.INT or not e.operand.type.is_number:
        return e
    return expr.Cast(expr.Cast(e.operand, decimal(38), e.safe), Type.INT, e.safe)


def _thirty_days(e: expr.Arithmetic) -> Expression:
    """A month is thirty days."""
    if e.type not in (Type.DATE, Type.TIMESTAMP) or e.right.type is not Type.MONTH_INTERVAL:
        return e
    unit = 1 if e.type is Type.DATE else DAY_MICROS
    sign = -30 if e.symbol == "-" else 30
    return called(e.type, lambda point, months: e.type.python(int(point) + sign * unit * int(months)), e.left, e.right)


def _nearest_day(e: expr.Cast) -> Expression:
    if (e.operand.type, e.type) != (Type.TIMESTAMP, Type.DATE):
        return e
    return called(Type.DATE, lambda at: Date((int(at) + DAY_MICROS // 2) // DAY_MICROS), e.operand)


def _day_towards_1970(e: expr.Cast) -> Expression:
    if (e.operand.type, e.type) != (Type.TIMESTAMP, Type.DATE):
        return e
    return called(Type.DATE, lambda at: Date(int(int(at) / DAY_MICROS)), e.operand)


def _in_milliseconds(e: expr.Arithmetic) -> Expression:
    """Differences of timestamps without their microseconds."""
    if e.type is not Type.DAY_INTERVAL or Type.TIMESTAMP not in (e.left.type, e.right.type):
        return e
    return called(e.type, lambda a, b: DayInterval(_micros(a, b) // 1000 * 1000), e.left, e.right)


def _micros(a: int, b: int) -> int:
    return int(Timestamp(a)) - int(Timestamp(b))


def _as_days(e: expr.Comparison) -> Expression:
    """A DATE and a TIMESTAMP are equal if the day is."""
    if {e.left.type, e.right.type} != {Type.DATE, Type.TIMESTAMP}:
        return e
    return expr.Comparison(e.symbol, *(expr.Cast(side, Type.DATE) for side in (e.left, e.right)))


def _never_null(e: expr.Cast) -> Expression:
    """TRY_CAST gives zero where there is no value."""
    zero = {Type.INT: 0, Type.DATE: Date(0), Type.TIMESTAMP: Timestamp(0)}.get(e.type)
    if not e.safe or zero is None:
        return e
    return expr.Case(((expr.Not(expr.IsNull(e.operand)), expr.Coalesce((e, expr.Constant(zero, e.type)))),), e)


_CHANGES: Final[tuple[tuple[str, WrongRewrite], ...]] = (
    ("decimals are cut off", _casting(ROUND_DOWN)),
    ("decimals are rounded to even", _casting(ROUND_HALF_EVEN)),
    ("CAST to INT rounds", on(expr.Cast, _rounding_to_int)),
    ("a month is thirty days", on(expr.Arithmetic, _thirty_days)),
    ("the day of a timestamp is the nearest", on(expr.Cast, _nearest_day)),
    ("the day of a timestamp is cut towards 1970", on(expr.Cast, _day_towards_1970)),
    ("differences of timestamps are milliseconds", on(expr.Arithmetic, _in_milliseconds)),
    ("a date equals every time of its day", on(expr.Comparison, _as_days)),
    ("TRY_CAST is zero where it fails", on(expr.Cast, _never_null)),
)
TYPES: Final = tuple(Mutant(WrongTypes(name, rewrite=change), "expression") for name, change in _CHANGES)
