"""Deviations of numbers: division, overflow, NaN and the zero with a sign.

They are meanings that an engine may choose rather than mistakes, so they are not in the catalogue of mistakes.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from equivalence.deviations.catalogue.expressions import called, rewriting
from equivalence.deviations.catalogue.groups import each_aggregate, of_all_values
from equivalence.deviations.catalogue.plan_change import on, plan_deviation, rewritten
from equivalence.deviations.deviation import Deviation, Parameter, once
from equivalence.deviations.situation import Input
from semantics import ArithmeticOverflow, Plan, ScalarFunction, Type, Value
from semantics import aggregate as agg
from semantics.expression import Arithmetic, Call, Comparison, Expression, Not, Ref
from semantics.plan import Aggregation, Distinct, Filter, Grouping, Map, Union
from semantics.value import INT_MAX, INT_MIN

_BELOW_ZERO: Final = -5e-324
"""Stands for −0.0 where it is another number than 0.0: the reference knows one zero only."""


def _quotient(e: Expression) -> bool:
    return isinstance(e, Arithmetic) and e.symbol == "/" and e.left.type is Type.INT and e.right.type is Type.INT


def _float_quotient(e: Expression) -> bool:
    return isinstance(e, Arithmetic) and e.symbol == "/" and e.left.type is Type.FLOAT and e.right.type is Type.FLOAT


def _by_zero(a: float, b: float) -> float:
    if not b:
        raise ArithmeticOverflow("division by zero")
    return a / b


def _to_infinity(a: float, b: float) -> float:
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


def _sum_of_integers(e: Expression) -> bool:
    return isinstance(e, Arithmetic) and e.symbol == "+" and e.type is Type.INT


def _wrapped(number: int) -> Value:
    return (number - INT_MIN) % 2**64 + INT_MIN


def _null_outside(number: int) -> Value:
    return number if INT_MIN <= number <= INT_MAX else None


def _cut_off(number: int) -> Value:
    return min(max(number, INT_MIN), INT_MAX)


def _summing(kept: Callable[[int], Value]) -> Callable[[Plan, Parameter], Plan]:
    def change(function: agg.Aggregate) -> agg.Aggregate:
        if not isinstance(function, agg.Sum) or function.type is not Type.INT:
            return function
        return of_all_values(function.argument, Type.INT, lambda values: kept(sum(values)))

    return each_aggregate(change)


def _of_plus(name: str, sentence: str, kept: Callable[[int], Value]) -> Deviation:
    return rewriting(name, sentence, "overflow", _sum_of_integers, lambda e: called(e, lambda a, b: kept(a + b)))


def _of_sums(name: str, sentence: str, kept: Callable[[int], Value]) -> Deviation:
    return plan_deviation(name, sentence, "overflow of sums", (Aggregation, Grouping), _summing(kept))


_LARGEST: Final = "is kept in a wider type, or cut off at the largest"
PLUS: Final = (
    _of_plus("overflow wraps", "an integer that leaves 64 bits comes back at the other end", _wrapped),
    _of_plus("overflow is NULL", "an integer that leaves 64 bits is NULL", _null_outside),
    _of_plus("overflow keeps the sign", f"an integer that leaves 64 bits {_LARGEST}", _cut_off),
)
SUMS: Final = (
    _of_sums("overflow of a sum wraps", "a sum that leaves 64 bits comes back at the other end", _wrapped),
    _of_sums("overflow of a sum is NULL", "a sum that leaves 64 bits is NULL", _null_outside),
    _of_sums("overflow of a sum keeps the sign", f"a sum that leaves 64 bits {_LARGEST}", _cut_off),
)

FLOORED: Final = rewriting(
    "division rounds down", "the quotient of integers is rounded down to an integer", "division", _quotient,
    lambda e: called(e, lambda a, b: float(a // b) if b else None),
)  # fmt: skip


def _zero_divisor(name: str, sentence: str, quotient: Callable[[float, float], float]) -> Deviation:
    return rewriting(name, sentence, "zero divisor", _float_quotient, lambda e: called(e, quotient))


BY_ZERO: Final = (
    _zero_divisor("division by zero is an error", "dividing by 0 is an error", _by_zero),
    _zero_divisor("division by zero is infinite", "dividing by 0 is infinite, or NaN", _to_infinity),
)


def _float_equality(e: Expression) -> bool:
    return isinstance(e, Comparison) and e.symbol == "=" and e.left.type is Type.FLOAT and e.right.type is Type.FLOAT


def _ieee(e: Any) -> Expression:
    return called(e, lambda a, b: bool(a == b))


def _has_nan(row: tuple[Expression, ...]) -> Expression:
    function = ScalarFunction(
        "deviating", tuple(e.type for e in row), Type.BOOL, lambda *values: any(v != v for v in values), strict=False
    )
    return Call(function, row)


def _nans_apart(node: Distinct) -> Plan:
    """Rows with a NaN equal no other row."""
    row = tuple(Ref(i, type_) for i, type_ in enumerate(node.schema.types))
    return Union(Distinct(Filter(node.input, Not(_has_nan(row)))), Filter(node.input, _has_nan(row)))


def _nulls_for_nans(given: Input) -> Input:
    return replace(
        given,
        arrivals=tuple(replace(a, row=tuple(None if v != v else v for v in a.row)) for a in given.arrivals),
    )


NANS: Final = (
    rewriting("NaN equals nothing", "NaN = NaN is false, as for IEEE 754", "NaN", _float_equality, _ieee),
    Deviation(
        "NaN is NULL", "NaN is taken for NULL", "NaN", "input", "before the watermark", once,
        lambda situation, _: situation.with_inputs(_nulls_for_nans),
    ),
)  # fmt: skip
NANS_APART: Final = plan_deviation(
    "NaNs kept apart", "DISTINCT takes no two NaNs for equal", "equal NaNs", (Distinct,),
    on(Distinct)(_nans_apart),
)  # fmt: skip


def _with_sign(node: Plan) -> Plan:
    """Products of floats keep the sign of a zero."""
    if not isinstance(node, Map):
        return node
    return replace(node, expressions=tuple(map(_signed, node.expressions)))


def _signed(e: Expression) -> Expression:
    if isinstance(e, Arithmetic) and e.symbol == "*" and e.type is Type.FLOAT:
        function = ScalarFunction("deviating", (e.left.type, e.right.type), Type.FLOAT, _product)
        return Call(function, (e.left, e.right))
    return e


def _product(a: float, b: float) -> float:
    made = a * b
    return _BELOW_ZERO if made == 0 and math.copysign(1.0, made) < 0 else made


ZEROS_APART: Final = plan_deviation(
    "zeros kept apart", "DISTINCT takes 0.0 and -0.0 for different values", "zeros", (Distinct,),
    on(Distinct)(lambda node: replace(node, input=rewritten(node.input, _with_sign))),
)  # fmt: skip
