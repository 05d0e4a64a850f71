"""What a search for counterexamples computes is what the reference does; it finds one for every kind of false rule."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final

import pytest

from equivalence.lists.equivalences import same
from equivalence.lists.list_expression import evaluate_listing
from equivalence.lists.list_operators import ElementList, at
from equivalence.lists.list_query import ListQuery, listed
from equivalence.prover.meaning.expressions import constant
from equivalence.prover.prove import prove, prove_rule
from equivalence.prover.refute.floats import ANY_FACTORS, ExactNumbers, RoundedFloats, known
from equivalence.prover.refute.list_difference import difference
from equivalence.prover.refute.list_slot import Slot
from equivalence.prover.refute.list_slots import LATEST_END, SlotLists, TooManyPlaces
from equivalence.prover.refute.outcome import SearchOutcome
from equivalence.prover.refute.plans import refute
from equivalence.prover.refute.row_table import CountedRow, aggregated
from equivalence.prover.solver.solvers import Z3, Scalar
from equivalence.prover.terms.build import equal, neg, number
from equivalence.prover.terms.definitions import Definitions
from equivalence.prover.terms.smtlib import problem
from equivalence.prover.terms.term import SmtSort, Term, Var
from equivalence.rules.catalogue import FALSE
from equivalence.rules.instances import Instance
from equivalence.rules.statement import Free, Rule, Sides, rule
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import ListCounterexample
from semantics import Multiset, Type, col, evaluate, source
from semantics.aggregate import Aggregate, Avg, Largest, Median, Sum, aggregate, rounded
from semantics.expression import Ref

STEPS: Final = 2_000_000
WHOLE: Final = 2**53
HARDEST: Final = {
    "average-of-averages",
    "average-as-quotient-of-integers",
    "average-as-quotient-of-floats",
    "average-over-all-rows",
    "windowed-average-of-averages",
    "median-of-medians",
    "sum-of-rounded-sums",
    "maximum-of-floats-as-minimum",
    "rdup-t-through-product as list",
    "sort-by-time-through-rdup-t as snapshot-list",
    "coalesce-only-joins as snapshot-list",
    "coalesce-below-projection as snapshot-list",
    "coalesce-through-product as snapshot-list",
    "last-row-of-the-last-rows",
}
"""False rules that need rounding, NaN, ranks, four elements, or windows of windows."""


@pytest.mark.parametrize("false", [rule for rule in FALSE if rule.name in HARDEST], ids=lambda rule: rule.name)
def test_a_model_is_found_and_replays(false: Rule) -> None:
    verdict = prove_rule(false)
    assert (verdict.kind, verdict.evidence["how"]) == ("refuted", "model")
    match verdict.counterexample:
        case ListCounterexample(sides=sides, lists=lists):
            left, right = (evaluate_listing(side, lists) for side in sides)
            assert not same(left, right, false.equivalence)
        case Counterexample(plans=plans, streams=streams, instant=instant):
            one, other = (evaluate(plan, streams, instant + 1).snapshots[-1] for plan in plans)
            assert one != other
        case None:
            pytest.fail("no counterexample")


def test_all_of_the_hardest_are_there() -> None:
    assert {rule.name for rule in FALSE} >= HARDEST


def value_of(term: Term, said: Sequence[Term]) -> tuple[str, Scalar]:
    """What a solver says that a term without variables is."""
    result = Var("result", term.sort)
    answer, model = Z3().model(problem([*said, neg(ANY_FACTORS), equal(result, term)]), STEPS)
    return answer, model.get("result")


NUMBERS: Final = [
    *(Fraction(n) for n in (0, 1, -7, WHOLE, WHOLE + 1, WHOLE + 2, WHOLE + 3, -WHOLE - 1, 2 * WHOLE - 1)),
    *(Fraction(WHOLE + n, 3) for n in range(1, 4)),
    *(Fraction(WHOLE + n, 2) for n in range(1, 4)),
    *(Fraction(WHOLE, 4) + Fraction(n, 8) for n in range(8)),
]


@pytest.mark.parametrize("exact", NUMBERS, ids=str)
def test_numbers_are_rounded_as_floats_are(exact: Fraction) -> None:
    floats = RoundedFloats()
    term = floats.rounded(known(exact))
    assert value_of(term, floats.assertions) == ("sat", Fraction(float(exact)))


def test_numbers_of_other_ranges_are_not_looked_at() -> None:
    floats = RoundedFloats()
    term = floats.rounded(known(Fraction(1, 3)))
    assert value_of(term, floats.assertions)[0] == "unsat"


@pytest.mark.parametrize("type_", [Type.INT, Type.FLOAT], ids=lambda type_: type_.name)
@pytest.mark.parametrize(
    "function", [Sum, Avg, Median, lambda x: Largest(x, 2)], ids=["sum", "avg", "median", "second"]
)
def test_aggregates_of_few_values(function: type[Sum], type_: Type) -> None:
    random = Random(7)
    made = function(Ref(0, type_))
    for _ in range(4):
        values = {random.choice((None, -3, 0, 1, 2, 5)): random.randrange(3) for _ in range(4)}
        typed = {(v if v is None or type_ is Type.INT else float(v),): n for v, n in values.items()}
        assert found(made, typed, type_) == aggregate(made, Multiset(typed))


def found(made: Aggregate, table: dict[tuple[float | None], int], type_: Type) -> object:
    """The value of an aggregate as the search has it, the multiplicities being left to the solver."""
    numbers = ExactNumbers()
    times = {row: Var(f"times {i}", SmtSort.INT) for i, row in enumerate(table)}
    term = aggregated(made, [CountedRow((constant(row[0], type_),), times[row]) for row in table], numbers)
    given = [equal(times[row], number(n)) for row, n in table.items()]
    answer, value = value_of(term, [*numbers.assertions, *given])
    assert answer == "sat"
    return rounded(value) if isinstance(value, Fraction) else value


A: Final = listed(source("A", x=int))
B: Final = listed(source("B", x=int))
C: Final = listed(source("C", y=int))
LISTS: Final[dict[str, ListQuery]] = {
    "filter": A.filter(col("x") > 0),
    "map": A.select(x=col("x") + 1),
    "append": A.append(B),
    "product": A.product(C),
    "sort": A.sort("x"),
    "sort by time": A.append(B).sort("_start", "x"),
    "rdup": A.append(B).rdup(),
    "rdupT": A.rdup_t(),
    "rdupT of sorted": A.append(B).sort("_start").rdup_t(),
    "coalesce": A.append(B).coalesce(),
    "coalesce up to a length": A.append(B).coalesce(2),
    "split": A.split(2),
    "coalesce of pieces": A.split(1).coalesce(3),
    "rdupT of a product": A.product(C).rdup_t(),
    "coalesce of rdupT": A.rdup_t().coalesce(),
}


@pytest.mark.parametrize("query", LISTS.values(), ids=LISTS)
def test_places_hold_what_lists_hold(query: ListQuery) -> None:
    random = Random(3)
    for _ in range(4):
        case = {name: some_list(random, length) for name, length in (("A", 3), ("B", 1), ("C", 1))}
        expected = evaluate_listing(query.listing, case)
        assert differs(query, case, expected) == "unsat"
        assert differs(query, case, (*expected, at((0,) * len(query.listing.schema), 0, 1))) == "sat"
        if len(expected) > 1 and expected[0] != expected[-1]:
            assert differs(query, case, expected[::-1]) == ("unsat" if expected == expected[::-1] else "sat")


def some_list(random: Random, length: int) -> ElementList:
    starts = [random.randrange(LATEST_END) for _ in range(length)]
    return tuple(at((random.choice((None, 0, 1)),), start, random.randint(start + 1, LATEST_END)) for start in starts)


def differs(query: ListQuery, case: dict[str, ElementList], expected: ElementList) -> str:
    """Does a solver see a difference between the places of a list and these elements?"""
    numbers = ExactNumbers()
    places = SlotLists({name: slots(elements) for name, elements in case.items()}, numbers)
    differ = difference(places.of(query.listing), slots(expected), "list", places.definitions)
    answer, _ = Z3().model(problem([*places.definitions.equations, *numbers.assertions, differ]), STEPS)
    return answer


def slots(elements: ElementList) -> list[Slot]:
    return [
        Slot(tuple(constant(value, Type.INT) for value in row), number(int(valid.start)), number(int(valid.end)))
        for row, valid in elements
    ]


def test_lists_that_become_too_long_are_not_looked_at() -> None:
    places = SlotLists({"A": slots((at((0,), 0, 1),) * 9)}, ExactNumbers(), Definitions("part"))
    with pytest.raises(TooManyPlaces):
        places.of(A.rdup_t().listing)


@rule("σ_{x LIKE '%' OR x IS NULL}(A) is A, as lists", source="test", equivalence="list")
def anything_is_like_anything(free: Free) -> Sides:
    a = free.stream("A", types=(Type.STR,))
    return listed(a).filter(col("a1").like("%") | col("a1").is_null()), listed(a)


def test_a_list_that_does_not_replay_is_no_counterexample() -> None:
    verdict = prove_rule(anything_is_like_anything)
    assert verdict.kind == "unknown"
    assert verdict.counterexample is None
    assert verdict.evidence["models that do not replay"]


def test_a_model_with_numbers_that_do_not_fit_is_no_counterexample() -> None:
    numbers = source("A", x=int)
    verdict = prove(numbers.filter(col("x") > 2**63 - 1), numbers.filter(col("x") != col("x")))
    assert verdict.kind == "unknown"
    assert verdict.evidence["models that do not replay"]


@pytest.mark.parametrize("sure", [True, False])
def test_a_model_is_small_whichever_question_is_asked_first(sure: bool) -> None:
    a = source("A", x=int)
    found = refute(Instance(a.union(a).plan, a.plan), sure=sure).counterexample
    assert isinstance(found, Counterexample)
    assert len(evaluate(a, found.streams, 1).at(0)) == 1
    assert refute(Instance(a.union(a).distinct().plan, a.distinct().plan), sure=sure) == SearchOutcome()
