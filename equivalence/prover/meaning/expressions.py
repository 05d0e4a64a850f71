"""Expressions as terms: NULL and three-valued logic exactly, integers without bounds, everything else by its order.

Floats and texts are embedded into the reals by their total order: a theorem about all streams over the reals holds for
streams over an ordered subset too. Whatever is computed from them is a free function. Integers never overflow here, so
a proof is about inputs on which neither side fails.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final, assert_never

from equivalence.prover.terms.build import (
    ZERO,
    add,
    at_most,
    call,
    conj,
    disj,
    equal,
    get,
    is_null,
    ite,
    less,
    mod,
    mul,
    neg,
    null,
    number,
    some,
    sub,
)
from equivalence.prover.terms.term import FALSE, TRUE, ConstantTerm, SmtSort, Symbol, Term
from semantics import Type, Value
from semantics import expression as syntax

SORTS: Final = {
    Type.INT: SmtSort.INT_OR_NULL,
    Type.BOOL: SmtSort.BOOL_OR_NULL,
    Type.FLOAT: SmtSort.REAL_OR_NULL,
    Type.STR: SmtSort.REAL_OR_NULL,
}
_CHARACTERS: Final = 0x110001
"""One more than there are code points: the end of a text comes before all of them."""
_TO_FLOAT: Final = Symbol("float", (SmtSort.INT,), SmtSort.REAL)
_FLOAT_NEG: Final = Symbol("float.neg", (SmtSort.REAL,), SmtSort.REAL)


@dataclass(frozen=True, slots=True)
class FreeFunction(syntax.ScalarFunction):
    """Any function: its value for NULL may be anything, too."""


@dataclass(frozen=True)
class Truth:
    """A three-valued truth as two formulas that never hold both."""

    true: Term
    false: Term

    @property
    def null(self) -> Term:
        return conj(neg(self.true), neg(self.false))


class ExpressionTerms:
    """Translates expressions over one row of terms; equal functions get equal symbols, others never."""

    def __init__(self) -> None:
        self._symbols: dict[syntax.ScalarFunction, Symbol] = {}
        self.applications: dict[Term, FreeFunction] = {}
        """Where free functions were applied, and which."""

    def value(self, expression: syntax.Expression, row: Sequence[Term]) -> Term:
        """The value, of a sort with NULL."""
        match expression:
            case syntax.Ref(index=index):
                return row[index]
            case syntax.Constant():
                return constant(expression.value, expression.type)
            case syntax.Now():
                raise AssertionError("an operator gives the instant as a column")
            case syntax.Arithmetic():
                return self._arithmetic(expression, row)
            case syntax.Negation(operand=operand):
                value = self.value(operand, row)
                return _strict((value,), some(self.negated(get(value))), value.sort)
            case syntax.Case(branches=branches, default=default):
                chosen = self._as(default, expression.type, row)
                for condition, result in reversed(branches):
                    chosen = ite(self.truth(condition, row).true, self._as(result, expression.type, row), chosen)
                return chosen
            case syntax.Coalesce(operands=operands):
                values = [self._as(operand, expression.type, row) for operand in operands]
                return reduce(lambda rest, v: ite(is_null(v), rest, v), reversed(values))
            case syntax.Call(function=function, arguments=arguments):
                return self._call(function, arguments, row)
            case (
                syntax.Comparison()
                | syntax.And()
                | syntax.Or()
                | syntax.Not()
                | syntax.IsNull()
                | syntax.IsDistinct()
                | syntax.In()
                | syntax.Like()
            ):
                truth = self.truth(expression, row)
                return ite(truth.null, null(SmtSort.BOOL), some(truth.true))
            case _:
                assert_never(expression)

    def truth(self, expression: syntax.Expression, row: Sequence[Term]) -> Truth:
        """When a predicate is TRUE and when it is NULL."""
        match expression:
            case syntax.Comparison(symbol=symbol, left=left, right=right):
                return compared(symbol, *self._promoted(left, right, row))
            case syntax.And(left=left, right=right):
                return _not(_or(_not(self.truth(left, row)), _not(self.truth(right, row))))
            case syntax.Or(left=left, right=right):
                return _or(self.truth(left, row), self.truth(right, row))
            case syntax.Not(operand=operand):
                return _not(self.truth(operand, row))
            case syntax.IsNull(operand=operand):
                return _known(is_null(self.value(operand, row)))
            case syntax.IsDistinct(left=left, right=right):
                return _known(neg(equal(*self._promoted(left, right, row))))
            case syntax.In(operand=operand, options=options):
                found = [compared("=", *self._promoted(operand, option, row)) for option in options]
                return reduce(_or, found)
            case syntax.Like(operand=operand, pattern=pattern, escape=escape):
                matches = Symbol(f"like {escape}" if escape else "like", (SmtSort.REAL, SmtSort.REAL), SmtSort.BOOL)
                text, shape = self.value(operand, row), self.value(pattern, row)
                return _unless_null((text, shape), call(matches, get(text), get(shape)))
            case syntax.Constant():
                return Truth(*(TRUE if expression.value is known else FALSE for known in (True, False)))
            case (
                syntax.Ref()
                | syntax.Now()
                | syntax.Arithmetic()
                | syntax.Negation()
                | syntax.Case()
                | syntax.Coalesce()
                | syntax.Call()
            ):
                value = self.value(expression, row)
                return _unless_null((value,), get(value))
            case _:
                assert_never(expression)

    def _promoted(self, left: syntax.Expression, right: syntax.Expression, row: Sequence[Term]) -> tuple[Term, Term]:
        """Both as floats where ints and floats meet."""
        type_ = Type.FLOAT if Type.FLOAT in (left.type, right.type) else left.type
        return self._as(left, type_, row), self._as(right, type_, row)

    def _as(self, expression: syntax.Expression, type_: Type, row: Sequence[Term]) -> Term:
        """The value as one of this type: an int becomes a float."""
        if expression.type is type_:
            return self.value(expression, row)
        if isinstance(expression, syntax.Constant):
            return constant(None if expression.value is None else float(expression.value), Type.FLOAT)
        value = self.value(expression, row)
        return _strict((value,), some(self.to_float(get(value))), SmtSort.REAL)

    def _arithmetic(self, expression: syntax.Arithmetic, row: Sequence[Term]) -> Term:
        symbol, type_ = expression.symbol, expression.type
        values = [self._as(operand, type_, row) for operand in (expression.left, expression.right)]
        left, right = map(get, values)
        result = some(
            _integer(symbol, left, right) if type_ is Type.INT else self.float_arithmetic(symbol, left, right)
        )
        if symbol in ("/", "MOD"):
            zero = ZERO if type_ is Type.INT else ConstantTerm(Fraction(0), SmtSort.REAL)
            result = ite(equal(right, zero), null(result.sort), result)
        return _strict(values, result, result.sort)

    def to_float(self, value: Term) -> Term:
        return call(_TO_FLOAT, value)

    def negated(self, value: Term) -> Term:
        return mul(number(-1), value) if value.sort is SmtSort.INT else call(_FLOAT_NEG, value)

    def float_arithmetic(self, symbol: str, left: Term, right: Term) -> Term:
        return call(Symbol(f"float.{symbol}", (SmtSort.REAL, SmtSort.REAL), SmtSort.REAL), left, right)

    def _call(
        self, function: syntax.ScalarFunction, arguments: Sequence[syntax.Expression], row: Sequence[Term]
    ) -> Term:
        """A free function of the values, or a user's: NULL where one of its arguments is."""
        typed = zip(arguments, function.parameters, strict=True)
        values = [self._as(argument, parameter, row) for argument, parameter in typed]
        if isinstance(function, FreeFunction):
            applied = call(self._symbol(function, [v.sort for v in values]), *values)
            self.applications[applied] = function
            return applied
        result = call(self._symbol(function, [v.sort.plain for v in values]), *map(get, values))
        return _strict(values, result, result.sort)

    def _symbol(self, function: syntax.ScalarFunction, parameters: Sequence[SmtSort]) -> Symbol:
        if function not in self._symbols:
            alike = sum(known.name == function.name for known in self._symbols)
            name = f"function {function.name}" + (f" {alike + 1}" if alike else "")
            self._symbols[function] = Symbol(name, tuple(parameters), SORTS[function.result])
        return self._symbols[function]


def compared(symbol: str, left: Term, right: Term) -> Truth:
    """A comparison: NULL where one side is. TRUE of `=` is written so that a variable can be read off it."""
    a, b = get(left), get(right)
    if symbol == "=":
        unequal = conj(neg(is_null(left)), neg(is_null(right)), neg(equal(left, right)))
        return Truth(conj(neg(is_null(left)), equal(left, right)), unequal)
    holds = {
        "<>": neg(equal(a, b)),
        "<": before(a, b),
        "<=": neg(before(b, a)),
        ">": before(b, a),
        ">=": neg(before(a, b)),
    }
    return _unless_null((left, right), holds[symbol])


def before(left: Term, right: Term) -> Term:
    """The total order on the values of one sort that are not NULL; FALSE is before TRUE."""
    return conj(neg(left), right) if left.sort is SmtSort.BOOL else less(left, right)


def constant(value: Value, type_: Type) -> Term:
    """A value; floats and texts by their place in the order."""
    if value is None:
        return null(SORTS[type_])
    if isinstance(value, str):
        return some(ConstantTerm(place(value), SmtSort.REAL))
    if type_ is Type.FLOAT:
        return some(ConstantTerm(real(float(value)), SmtSort.REAL))
    return some(ConstantTerm(value, SORTS[type_].plain))  # type: ignore[arg-type]  # only ints and truths are left


def place(text: str) -> Fraction:
    """A number for each text, in the order of texts: its code points are the digits of a fraction."""
    digits = [(ord(character) + 1) for character in text]
    return sum((Fraction(digit, _CHARACTERS**i) for i, digit in enumerate(digits, 1)), Fraction(0))


def real(value: float) -> Fraction:
    """A float as the number that it is; the infinities lie beyond all floats, and NaN beyond these."""
    if math.isnan(value):
        return Fraction(10) ** 401
    if math.isinf(value):
        return Fraction(10) ** 400 * (1 if value > 0 else -1)
    return Fraction(value)


def _strict(values: Sequence[Term], result: Term, sort: SmtSort) -> Term:
    """The result, or NULL where one of the values is."""
    return ite(disj(*map(is_null, values)), null(sort), result)


def _integer(symbol: str, left: Term, right: Term) -> Term:
    match symbol:
        case "+":
            return add(left, right)
        case "-":
            return sub(left, right)
        case "*":
            return mul(left, right)
        case _:
            rest = mod(_absolute(left), _absolute(right))
            return ite(less(left, ZERO), mul(number(-1), rest), rest)


def _absolute(value: Term) -> Term:
    return ite(at_most(ZERO, value), value, mul(number(-1), value))


def _known(formula: Term) -> Truth:
    return Truth(formula, neg(formula))


def _unless_null(values: Sequence[Term], formula: Term) -> Truth:
    there = conj(*(neg(is_null(value)) for value in values))
    return Truth(conj(there, formula), conj(there, neg(formula)))


def _not(truth: Truth) -> Truth:
    return Truth(truth.false, truth.true)


def _or(left: Truth, right: Truth) -> Truth:
    return Truth(disj(left.true, right.true), conj(left.false, right.false))
