"""Arithmetic with floats in a search for counterexamples: as exact numbers, or rounded as floats are.

In proofs it is a free function; a counterexample needs numbers. Because every counterexample is replayed, the search
may simplify: it may round nothing, or look only at a few ranges in which numbers are rounded as floats are.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

from equivalence.prover.meaning.concrete import parts
from equivalence.prover.meaning.expressions import ExpressionTerms, real
from equivalence.prover.terms.build import ZERO, at_most, conj, disj, equal, ite, less, mod, neg, number
from equivalence.prover.terms.definitions import Definitions
from equivalence.prover.terms.term import Apply, ConstantTerm, Fresh, SmtSort, Term, Var
from semantics import Type, Value
from semantics import aggregate as agg
from semantics.expression import Arithmetic, Negation

EASY_FACTORS: Final = range(1, 7)
"""Products with and quotients by one of these are linear, which solvers are good at."""
ANY_FACTORS: Final = Var("products of any factors", SmtSort.BOOL)
"""May factors be others than the easy ones, too?"""
FLOAT_DIGITS: Final = 53
"""Binary digits of a float."""
LARGEST_EXACT: Final = 2**FLOAT_DIGITS
"""All whole numbers up to this one are floats; the next one is not, so rounding shows there first."""
ROUNDED_EXPONENTS: Final = range(FLOAT_DIGITS - 2, FLOAT_DIGITS + 1)
"""For these k numbers from 2^k up to 2^(k+1) are rounded. Whole numbers below need not be; others are not tried."""
INFINITE: Final = real(math.inf)
NAN: Final = ConstantTerm(real(math.nan), SmtSort.REAL)


class ExactNumbers(ExpressionTerms):
    """Expressions in which floats are numbers, and nothing is rounded."""

    tried: ClassVar[Mapping[Type, Sequence[Value]]] = {Type.FLOAT: (0.0, 1.0, 2.0, -1.0)}
    """Values of columns and functions are among these; values of other types may be any."""
    caps: ClassVar[Sequence[int | None]] = (2, 5, None)
    """Bounds on multiplicities, in the order in which they are tried; None is no bound."""

    def __init__(self) -> None:
        super().__init__()
        self.definitions = Definitions("number")
        self._fresh = Fresh()

    @property
    def assertions(self) -> list[Term]:
        """What defines the names that came up, and restricts the numbers."""
        return self.definitions.equations

    def rounded(self, exact: Term) -> Term:
        """The float that is nearest to a number."""
        return exact

    def quotient(self, left: Term, right: Term) -> Term:
        """The number that times the right is the left; any, where the right is 0."""
        found = self._fresh.var("any", SmtSort.REAL)
        self.assertions.append(disj(equal(right, known(0)), _product(right, found, left)))
        return found

    def repeated(self, count: Term, value: Term) -> Term:
        """A number times its multiplicity; 0 where that is 0, even if the number is not finite."""
        found = self._fresh.var("any", SmtSort.REAL)
        none = conj(equal(count, ZERO), equal(found, known(0)))
        self.assertions.append(disj(none, conj(neg(equal(count, ZERO)), _product(as_real(count), value, found))))
        return found

    def finite(self, value: Term) -> Term:
        return conj(less(known(-INFINITE), value), less(value, known(INFINITE)))

    def to_float(self, value: Term) -> Term:
        return self.rounded(as_real(value))

    def negated(self, value: Term) -> Term:
        if value.sort is SmtSort.INT:
            return super().negated(value)
        return ite(equal(value, NAN), NAN, times(known(-1), value))

    def float_arithmetic(self, symbol: str, left: Term, right: Term) -> Term:
        self.assertions.append(conj(self.finite(left), self.finite(right)))
        match symbol:
            case "+":
                return self.rounded(plus([left, right]))
            case "-":
                return self.rounded(plus([left, times(known(-1), right)]))
            case "*":
                return self.rounded(times(left, right))
            case "/":
                return self.rounded(self.quotient(left, right))
            case _:
                return super().float_arithmetic(symbol, left, right)


class RoundedFloats(ExactNumbers):
    """Expressions in which floats are rounded, in the ranges that are looked at."""

    tried: ClassVar[Mapping[Type, Sequence[Value]]] = {
        Type.FLOAT: (0.0, 1.0, float(LARGEST_EXACT), math.nan),
        Type.INT: (0, 1, LARGEST_EXACT, LARGEST_EXACT + 1),
    }
    caps: ClassVar[Sequence[int | None]] = (1, 3)

    def rounded(self, exact: Term) -> Term:
        exact = self.definitions.named(exact)
        nearest, digits = self._fresh.var("any", SmtSort.REAL), self._fresh.var("any", SmtSort.INT)
        size = self.definitions.named(ite(less(exact, known(0)), times(known(-1), exact), exact))
        whole = conj(at_most(size, known(LARGEST_EXACT)), equal(exact, as_real(digits)), equal(nearest, exact))
        ranges = [_rounded_in(k, exact, size, nearest, digits) for k in ROUNDED_EXPONENTS]
        self.assertions.append(disj(whole, *ranges))
        return nearest


def _product(factor: Term, value: Term, product: Term) -> Term:
    """Is this the product? By cases of the factor."""
    easy = [conj(equal(factor, known(n)), equal(times(known(n), value), product)) for n in EASY_FACTORS]
    hard = conj(
        ANY_FACTORS, *(neg(equal(factor, known(n))) for n in EASY_FACTORS), equal(times(factor, value), product)
    )
    return disj(*easy, hard)


def _rounded_in(k: int, exact: Term, size: Term, nearest: Term, digits: Term) -> Term:
    """Rounding of a number from 2^k up to 2^(k+1): to the nearest float, of two equally near ones to the even one."""
    unit = Fraction(2) ** (k - FLOAT_DIGITS + 1)
    away = plus([exact, times(known(-1), nearest)])
    half = unit / 2
    inside = conj(less(known(-half), away), less(away, known(half)))
    between = conj(disj(equal(away, known(half)), equal(away, known(-half))), equal(mod(digits, number(2)), ZERO))
    here = conj(at_most(known(Fraction(2) ** k), size), less(size, known(Fraction(2) ** (k + 1))))
    return conj(here, equal(nearest, times(known(unit), as_real(digits))), disj(inside, between))


def computes_with_floats(plans: Any) -> bool:
    """Is there something in plans that rounds a number, or that is different for NaN?"""
    made = (part for part in parts(plans) if isinstance(part, Arithmetic | Negation | agg.Sum | agg.Avg | agg.Median))
    return any(part.type is Type.FLOAT for part in made)


def known(value: int | Fraction) -> Term:
    return ConstantTerm(Fraction(value), SmtSort.REAL)


def as_real(value: Term) -> Term:
    """A whole number among the others."""
    return known(int(value.value)) if isinstance(value, ConstantTerm) else Apply("to_real", (value,), SmtSort.REAL)


def plus(parts: Sequence[Term]) -> Term:
    if len(parts) < 2:
        return parts[0] if parts else known(0)
    return Apply("+", tuple(parts), SmtSort.REAL)


def times(left: Term, right: Term) -> Term:
    return Apply("*", (left, right), SmtSort.REAL)
