"""Built-in functions that the solvers' theories have: their values as terms. All others are free functions."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Final

from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    at_most,
    before,
    div,
    equal,
    get,
    is_null,
    ite,
    less,
    mod,
    mul,
    null,
    number,
    some,
    sub,
)
from equivalence.prover.terms.term import SmtSort, Term
from semantics import Type
from semantics.expression import Call, Constant, Expression
from semantics.functions.calendar_fields import UNIT_MICROS
from semantics.functions.definition import BuiltIn
from semantics.temporal import MICROS

Pick = Callable[[Term, Term], Term]
UNIX: Final = {"unix_timestamp": MICROS, "unix_millis": 1000, "unix_micros": 1}
CLOCK: Final = {
    "hour": (3600 * MICROS, 24),
    "minute": (60 * MICROS, 60),
    "second": (MICROS, 60),
    "millisecond": (1000, 60_000),
    "microsecond": (1, 60 * MICROS),
}
"""How long a field is, and how many there are."""


def interpreted(function: BuiltIn, arguments: Sequence[Expression], values: Sequence[Term]) -> Term | None:
    """The value for values that may be NULL, if the theory has the function; where a strict one is NULL, any."""
    plain = [get(value) for value in values]
    integers = all(parameter is Type.INT for parameter in function.parameters)
    match function.name:
        case "greatest" | "least" as name:
            return some(reduce(_pick(name), plain))
        case "greatest_ignore_nulls" | "least_ignore_nulls" as name:
            return reduce(_known(_pick(name)), values)
        case "abs" if integers:
            return some(absolute(plain[0]))
        case "sign" if integers:
            return some(ite(less(ZERO, plain[0]), ONE, ite(less(plain[0], ZERO), number(-1), ZERO)))
        case "floor" | "ceil" if integers:
            return some(plain[0])
        case "div":
            return _unless_zero(plain[1], _quotient(*plain))
        case "floor_mod":
            return _unless_zero(plain[1], _floor_mod(*plain))
        case "extract" | "date_trunc" as name if function.parameters[1] is Type.TIMESTAMP:
            of = part_of_clock if name == "extract" else beginning
            word = arguments[0].value if isinstance(arguments[0], Constant) else None
            made = of(str(word), plain[1])
            return None if made is None else some(made)
        case "unix_timestamp" | "unix_millis" | "unix_micros" as name if function.parameters == (Type.TIMESTAMP,):
            return some(div(plain[0], number(UNIX[name])))
        case _:
            return None


def part_of_clock(field: str, micros: Term) -> Term | None:
    """A field that follows from how many microseconds have passed; those of the calendar do not."""
    if field == "epoch":
        return div(micros, number(MICROS))
    sizes = CLOCK.get(field)
    return sizes and mod(div(micros, number(sizes[0])), number(sizes[1]))


def beginning(unit: str, micros: Term) -> Term | None:
    """The beginning of a unit that is always as long; weeks are cut at the first day of the first year."""
    if unit == "week" or unit not in UNIT_MICROS:
        return None
    return sub(micros, mod(micros, number(UNIT_MICROS[unit])))


def leaves(call: Call) -> Iterator[Expression]:
    """The arguments of a call; those of CONCAT inside CONCAT are its own."""
    for argument in call.arguments:
        inside = isinstance(argument, Call) and argument.function.name == "concat" == call.function.name
        yield from leaves(argument) if inside and isinstance(argument, Call) else (argument,)


def absolute(value: Term) -> Term:
    return ite(at_most(ZERO, value), value, mul(number(-1), value))


def _pick(name: str) -> Pick:
    if name.startswith("greatest"):
        return lambda one, other: ite(before(one, other), other, one)
    return lambda one, other: ite(before(other, one), other, one)


def _known(pick: Pick) -> Pick:
    """Of two values that may be NULL, the only one that is not, or what is picked."""
    return lambda one, other: ite(is_null(one), other, ite(is_null(other), one, some(pick(get(one), get(other)))))


def _unless_zero(divisor: Term, result: Term) -> Term:
    return ite(equal(divisor, ZERO), null(SmtSort.INT), some(result))


def _quotient(left: Term, right: Term) -> Term:
    """Cut towards zero."""
    size = div(absolute(left), absolute(right))
    alike = equal(less(left, ZERO), less(right, ZERO))
    return ite(alike, size, mul(number(-1), size))


def _floor_mod(left: Term, right: Term) -> Term:
    """Of the sign of the divisor: what divides by a negative number divides its negative by a positive one."""
    negative = mul(number(-1), mod(mul(number(-1), left), absolute(right)))
    return ite(less(right, ZERO), negative, mod(left, absolute(right)))
