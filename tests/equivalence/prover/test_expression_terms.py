"""Expressions mean as terms what they mean, and a mistake in their terms would be noticed."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest

from equivalence.prover.meaning import expressions, functions, ranks, typed_terms
from equivalence.prover.meaning.expressions import Truth
from equivalence.prover.terms.build import at_most, disj, div, mod, neg, some
from equivalence.prover.terms.term import Term
from equivalence.verification.prover_probe import expression_terms
from equivalence.verification.prover_probe.expression_terms import ExpressionReport, judged, verify_expressions
from semantics.ordering import SortKey

INTEGER: Final = expressions._integer
COMPARED: Final = expressions.compared
EXACT: Final = typed_terms.exact_sum_types
PICK: Final = functions._pick


def or_never_null(left: Truth, right: Truth) -> Truth:
    true = disj(left.true, right.true)
    return Truth(true, neg(true))


def rest_as_the_divisor(symbol: str, left: Term, right: Term) -> Term:
    return INTEGER(symbol, left, right) if symbol in ("+", "-", "*") else mod(left, right)


def differs_from_null(symbol: str, left: Term, right: Term) -> Truth:
    truth = COMPARED(symbol, left, right)
    return Truth(truth.true, neg(truth.true)) if symbol == "=" else truth


def as_they_are(*types: Any) -> tuple[int, int] | None:
    return None if EXACT(*types) is None else (1, 1)


def nulls_where_they_fall(key: SortKey, one: Term, other: Term) -> Term:
    return ranks.precedes((other,), (one,)) if key.descending else ranks.precedes((one,), (other,))


def null_in_strict(_values: Sequence[Term], result: Term, _sort: object) -> Term:
    return result


def no_sign(value: Term) -> Term:
    return value


def less_or_equal(left: Term, right: Term) -> Term:
    return at_most(left, right)


def not_unless_null(truth: Truth) -> Truth:
    return Truth(neg(truth.true), truth.true)


def the_other(name: str) -> Callable[[Term, Term], Term]:
    return PICK("least" if name == "greatest" else name)


PLANTED: Final[dict[str, tuple[Any, str, Callable[..., Any]]]] = {
    "OR is never NULL": (expressions, "_or", or_never_null),
    "MOD has the sign of the divisor": (expressions, "_integer", rest_as_the_divisor),
    "x <> NULL is TRUE": (expressions, "compared", differs_from_null),
    "decimals of other digits as they are": (expressions, "exact_sum_types", as_they_are),
    "NULLs where they fall": (ranks, "_value_before", nulls_where_they_fall),
    "NULL + 1 is 1": (expressions, "_strict", null_in_strict),
    "|x| is x": (functions, "absolute", no_sign),
    "< for floats and texts is <=": (expressions, "before", less_or_equal),
    "NOT NULL is TRUE": (expressions, "_not", not_unless_null),
    "GREATEST is LEAST": (functions, "_pick", the_other),
    "quotients to the floor": (functions, "_quotient", lambda a, b: div(a, b)),
    "DIV by zero has a value": (functions, "_unless_zero", lambda _divisor, value: some(value)),
    "IS DISTINCT FROM is <>": (expressions, "_known", lambda formula: Truth(formula, formula)),
    "COALESCE takes the last": (expressions, "ite", lambda _condition, _then, otherwise: otherwise),
}


def test_expressions_mean_what_they_mean() -> None:
    assert not judged().wrong
    assert judged().says_enough


@pytest.mark.parametrize("name", PLANTED)
def test_a_mistake_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, wrong = PLANTED[name]
    monkeypatch.setattr(where, what, wrong)
    assert judged().wrong


def test_silence_is_no_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expression_terms, "judged", lambda: ExpressionReport(10, 9, ()))
    (outcome,) = verify_expressions()
    assert (outcome.holds, outcome.verdict) == (False, "vacuous")
