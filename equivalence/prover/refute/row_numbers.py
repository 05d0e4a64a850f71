"""Sums, averages and ranks of a few values with multiplicities, as terms."""

from collections.abc import Sequence
from fractions import Fraction

from equivalence.prover.refute.floats import ExactNumbers, as_real, known, plus, times
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    before,
    conj,
    disj,
    div,
    get,
    ite,
    less,
    mul,
    number,
    sub,
)
from equivalence.prover.terms.term import SmtSort, Term

CountedValues = Sequence[tuple[Term, Term]]
"""Values that may be NULL, and how often each is there: NULL never."""


def count(there: CountedValues) -> Term:
    return add(ZERO, *(n for _, n in there))


def integer_sum(there: CountedValues) -> Term:
    return add(ZERO, *(mul(n, get(v)) for v, n in there))


def exact_sum(there: CountedValues, numbers: ExactNumbers) -> Term:
    """The sum as a number, of values that are numbers."""
    numbers.assertions.extend(
        disj(less(n, ONE), numbers.finite(_number(v))) for v, n in there if v.sort.plain is SmtSort.REAL
    )
    return plus([numbers.repeated(n, _number(v)) for v, n in there])


def _number(value: Term) -> Term:
    plain = get(value)
    return as_real(plain) if plain.sort is SmtSort.INT else plain


def average(there: CountedValues, numbers: ExactNumbers) -> Term:
    total = numbers.definitions.named(exact_sum(there, numbers))
    return numbers.rounded(numbers.quotient(total, as_real(numbers.definitions.named(count(there)))))


def median(there: CountedValues, numbers: ExactNumbers) -> Term:
    """The mean of the two in the middle, which may be one."""
    n = numbers.definitions.named(count(there))
    middle = [at_rank(rank, there, numbers) for rank in (div(add(n, ONE), number(2)), add(div(n, number(2)), ONE))]
    low, high = (as_real(value) if value.sort is SmtSort.INT else value for value in middle)
    return numbers.rounded(times(known(Fraction(1, 2)), plus([low, high])))


def largest(rank: int, there: CountedValues, numbers: ExactNumbers) -> Term:
    return at_rank(sub(add(count(there), ONE), number(rank)), there, numbers)


def at_rank(rank: Term, there: CountedValues, numbers: ExactNumbers) -> Term:
    """The value that has this place in their order; any, if there is no such place."""
    *others, (last, _) = there
    found = get(last)
    for value, _ in reversed(others):
        smaller = add(ZERO, *(ite(before(get(v), get(value)), n, ZERO) for v, n in there))
        more = add(ZERO, *(ite(before(get(value), get(v)), ZERO, n) for v, n in there))
        found = ite(conj(less(smaller, rank), at_most(rank, more)), get(value), found)
    return numbers.definitions.named(found)
