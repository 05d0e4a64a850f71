"""Expressions as terms: NULL and three-valued logic exactly, integers without bounds, everything else by its order.

Floats and texts are embedded into the reals by their total order: a theorem about all streams over the reals holds for
streams over an ordered subset too. So are arrays and rows, each type by an order of its own, of whose values only
equality and order are known; a constant is some value. Whatever is computed from any of them is a free function.
Integers never overflow here, so a proof is about inputs on which neither side fails.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Final, assert_never, cast

from equivalence.prover.meaning.functions import absolute, interpreted, leaves
from equivalence.prover.meaning.typed_terms import SORTS as SORTS
from equivalence.prover.meaning.typed_terms import cast_term, exact_sum_types, name_of_type, rescaled, scale, widened
from equivalence.prover.terms.build import (
    ZERO,
    add,
    before,
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
from semantics import Type, Unsupported, Value
from semantics import expression as syntax
from semantics.decimals import unscaled
from semantics.fold import fold_expression
from semantics.functions.definition import BuiltIn

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
            case syntax.Cast(operand=operand, type=type_, safe=safe):
                return self._cast(self.value(operand, row), operand.type, type_, safe)
            case syntax.Call(function=function, arguments=arguments):
                return self._built_in(expression, row) or self._call(function, arguments, row)
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
                | syntax.Cast()
                | syntax.Call()
            ):
                value = self.value(expression, row)
                return _unless_null((value,), get(value))
            case _:
                assert_never(expression)

    def _promoted(self, left: syntax.Expression, right: syntax.Expression, row: Sequence[Term]) -> tuple[Term, Term]:
        """Both as floats where ints and floats meet, in one unit where days meet microseconds or decimals differ."""
        if left.type is not right.type and Type.FLOAT not in (left.type, right.type):
            return self._in_one_unit(left, right, row)
        type_ = Type.FLOAT if Type.FLOAT in (left.type, right.type) else left.type
        return self._as(left, type_, row), self._as(right, type_, row)

    def _in_one_unit(self, left: syntax.Expression, right: syntax.Expression, row: Sequence[Term]) -> tuple[Term, Term]:
        """Decimals are compared digit by digit: the finer scale holds both."""
        if left.type.is_nested or right.type.is_nested:
            raise Unsupported(f"{left.type.name} compared with {right.type.name}")
        dated = Type.DATE in (left.type, right.type)
        digits = max(scale(left.type), scale(right.type))

        def of(side: syntax.Expression) -> Term:
            value = self.value(side, row)
            plain = get(value)
            made = widened(plain, side.type, Type.TIMESTAMP) if dated else rescaled(plain, side.type, digits)
            assert made is not None, "the finer unit holds both"
            return _strict((value,), some(made), value.sort)

        return of(left), of(right)

    def _as(self, expression: syntax.Expression, type_: Type, row: Sequence[Term]) -> Term:
        """The value as one of this type: an int becomes a float."""
        if expression.type is type_:
            return self.value(expression, row)
        if type_ is not Type.FLOAT:
            return self._wider(self.value(expression, row), expression.type, type_)
        if expression.type.is_decimal:
            value = self.value(expression, row)
            return _strict((value,), some(call(_decimal_to_float(expression.type), get(value))), SmtSort.REAL)
        if isinstance(expression, syntax.Constant):
            return constant(None if expression.value is None else float(cast(float, expression.value)), Type.FLOAT)
        value = self.value(expression, row)
        return _strict((value,), some(self.to_float(get(value))), SmtSort.REAL)

    def _wider(self, value: Term, source: Type, target: Type) -> Term:
        """The value as one of a wider type, or a function of it if it may be rounded."""
        if source.is_nested or target.is_nested:
            raise Unsupported(f"{source.name} as {target.name}")
        made = widened(get(value), source, target)
        if made is None:
            made = call(Symbol(f"{source.value} as {target.value}", (SmtSort.INT,), SmtSort.INT), get(value))
        return _strict((value,), some(made), value.sort)

    def _cast(self, value: Term, source: Type, target: Type, safe: bool) -> Term:
        if source is target:
            return value
        if target is Type.FLOAT and source is Type.INT:
            return _strict((value,), some(self.to_float(get(value))), SmtSort.REAL)
        if target is Type.FLOAT and source.is_decimal:
            return _strict((value,), some(call(_decimal_to_float(source), get(value))), SmtSort.REAL)
        return ite(is_null(value), null(SORTS[target]), cast_term(value, source, target, safe))

    def _typed_arithmetic(self, expression: syntax.Arithmetic, row: Sequence[Term]) -> Term:
        """Arithmetic of decimals, points in time and spans."""
        symbol, left, right = expression.symbol, expression.left, expression.right
        values = [self.value(left, row), self.value(right, row)]
        a, b = map(get, values)
        factors = exact_sum_types(symbol, left.type, right.type, expression.type)
        if factors is None:
            name = f"{left.type.value} {symbol} {right.type.value}"
            result = some(call(Symbol(name, (SmtSort.INT, SmtSort.INT), SmtSort.INT), a, b))
        else:
            result = some(_integer(symbol, mul(number(factors[0]), a), mul(number(factors[1]), b)))
        if symbol in ("/", "MOD"):
            result = ite(equal(b, ZERO), null(result.sort), result)
        return _strict(values, result, result.sort)

    def _arithmetic(self, expression: syntax.Arithmetic, row: Sequence[Term]) -> Term:
        symbol, type_ = expression.symbol, expression.type
        if not type_.is_numeric:
            return self._typed_arithmetic(expression, row)
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

    def _built_in(self, call: syntax.Call, row: Sequence[Term]) -> Term | None:
        """A function of the table: computed, interpreted, or free but for NULL."""
        function = call.function
        if not isinstance(function, BuiltIn):
            return None
        known = fold_expression(call)
        if isinstance(known, syntax.Constant):
            return constant(known.value, known.type)
        arguments = list(leaves(call))
        types = [*function.parameters, *function.parameters[-1:] * len(arguments)]
        values = [self._as(argument, type_, row) for argument, type_ in zip(arguments, types, strict=False)]
        result = interpreted(function, arguments, values)
        if result is None:
            typed = map(name_of_type, types[: len(arguments)])
            name = " ".join(["built-in", function.name, *function.words, *typed])
            result = self._free(name, function, values if not function.strict else [get(v) for v in values])
        return _strict(values, result, result.sort) if function.strict else result

    def _free(self, name: str, function: BuiltIn, values: Sequence[Term]) -> Term:
        sort = SORTS[function.result]
        result = call(Symbol(name, tuple(v.sort for v in values), sort if function.nullable else sort.plain), *values)
        return result if function.nullable else some(result)

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


def constant(value: Value, type_: Type) -> Term:
    """A value; floats and texts by their place in the order, arrays and rows by their name."""
    if value is None:
        return null(SORTS[type_])
    if type_.is_nested:
        return some(call(Symbol(f"constant {type_.value} {value!r}", (), SORTS[type_].plain)))
    if isinstance(value, str):
        return some(ConstantTerm(place(value), SmtSort.REAL))
    if isinstance(value, Decimal):
        return some(ConstantTerm(unscaled(value, scale(type_)), SmtSort.INT))
    if type_.is_counted:
        return some(ConstantTerm(int(cast(int, value)), SmtSort.INT))
    if type_ is Type.FLOAT:
        return some(ConstantTerm(real(float(cast(float, value))), SmtSort.REAL))
    return some(ConstantTerm(value, SORTS[type_].plain))  # type: ignore[arg-type]  # only ints and truths are left


def _decimal_to_float(type_: Type) -> Symbol:
    return Symbol(f"float of {scale(type_)} digits", (SmtSort.INT,), SmtSort.REAL)


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
            rest = mod(absolute(left), absolute(right))
            return ite(less(left, ZERO), mul(number(-1), rest), rest)


def _known(formula: Term) -> Truth:
    return Truth(formula, neg(formula))


def _unless_null(values: Sequence[Term], formula: Term) -> Truth:
    there = conj(*(neg(is_null(value)) for value in values))
    return Truth(conj(there, formula), conj(there, neg(formula)))


def _not(truth: Truth) -> Truth:
    return Truth(truth.false, truth.true)


def _or(left: Truth, right: Truth) -> Truth:
    return Truth(disj(left.true, right.true), conj(left.false, right.false))
