"""What is proved of operators: interval operators agree with the logical ones, and standard ones need no past.

An interval operator is right if its square commutes: the snapshot of its output is what the logical operator makes of
the snapshots of its inputs. An operator is snapshot-reducible if its output at an instant depends on no other instant.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from equivalence.lists.list_query import ListQuery, listed
from equivalence.prover.attempt import Proof
from equivalence.prover.kernel.kernel import ProofKernel
from equivalence.prover.meaning.list_elements import Element, Elements, as_plan, at_instant, held
from equivalence.prover.meaning.open_numbers import DecisionPath
from equivalence.prover.meaning.plan import RowTerms, Translation
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.meaning.symbolic import SymbolicInstance
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    add,
    at_most,
    call,
    conj,
    disj,
    equal,
    for_all,
    indicator,
    ite,
    less,
    mul,
    neg,
    number,
)
from equivalence.prover.terms.term import Fresh, SmtSort, SumTerm, Symbol, Term, Var
from semantics import Plan, Query

INSTANT: Final = Var("t", SmtSort.INT)
CELL_START, CELL_END = Var("low", SmtSort.INT), Var("high", SmtSort.INT)
"""The elementary interval that holds t: no interval of the input starts or ends inside it."""
WINDOW_SIZE: Final = Var("number w", SmtSort.INT)
Square = Callable[[Fresh], tuple[Term, Term, tuple[Term, ...]]]
"""Two terms that must be equal, and the hypotheses."""


@dataclass(frozen=True)
class GivenSources(SourceTerms):
    """Sources with a given meaning, instead of streams of which nothing is known."""

    meaning: Callable[[str, RowTerms, Term], Term] = lambda *_: ZERO

    def times(self, source: str, row: RowTerms, time: Term, above: tuple[str, ...] = ()) -> Term:  # type: ignore[override]  # noqa: ARG002
        return self.meaning(source, row, time)


def proof_of(square: Square) -> Proof:
    """An attempt at one square."""
    fresh = Fresh()
    left, right, known = square(fresh)
    kernel = ProofKernel(fresh, (at_most(ZERO, INSTANT), *known))
    found = kernel.equal(left, right)
    return Proof(found, tuple(kernel.steps.taken), tuple(dict.fromkeys([*kernel.conditions, *kernel.leaves])))


# Operators on intervals


def interval_operators() -> Mapping[str, Square]:
    """Every operator of the interval algebra, by name."""
    free = SymbolicInstance(DecisionPath([]))
    a = free.stream("A")
    b, c = free.stream("B", like=a), free.stream("C")
    p, f, on = free.predicate("p", a), free.function("f", a), free.predicate("θ", a, c)
    pairs = listed(a).product(listed(c))
    by_element = {
        "filter": listed(a).filter(p),
        "map": listed(a).select(y=f),
        "union": listed(a).append(listed(b)),
        "product": pairs,
        "join": pairs.filter(on),
        "split into chronons": listed(a).split(1),
        "sort": listed(a).sort("_start"),
    }
    y, key = free.aggregate("y", a), a.schema.names[:1]
    by_interval = {
        "distinct": a.distinct(),
        "difference": a.difference(b),
        "intersection": a.intersection(b),
        "aggregation": a.aggregate(y=y),
        "grouping": a.group_by(*key).aggregate(y=y),
        "semijoin": a.semijoin(c, on),
        "antijoin": a.antijoin(c, on),
        "left outer join": a.left_join(c, on),
    }
    return {
        **{name: partial(_element_by_element, made) for name, made in by_element.items()},
        "window": _window,
        "split at any instants": _split,
        "coalesce, each merge": _merge,
        **{f"{name} by elementary intervals": partial(_cell_by_cell, q.plan) for name, q in by_interval.items()},
    }


def _element_by_element(made: ListQuery, fresh: Fresh) -> tuple[Term, Term, tuple[Term, ...]]:
    """The meaning of the list at t, and the plan over the meanings of its sources."""
    translation = _over(_instant(fresh), fresh)
    row = translation.row(made.schema, "e")
    interval = fresh.var("s", SmtSort.INT), fresh.var("f", SmtSort.INT)
    times = Elements(fresh, translation.expressions).times(made.listing, Element(row, *interval))
    return at_instant(times, interval, INSTANT), translation.times(as_plan(made.listing), row, INSTANT), ()


def _window(fresh: Fresh) -> tuple[Term, Term, tuple[Term, ...]]:
    """ω_w of chronons: [u, u+1) becomes [u, u+w); elements are split into chronons first."""
    a = SymbolicInstance(DecisionPath([])).stream("A")
    translation = _over(_instant(fresh), fresh)
    row, u = translation.row(a.schema, "e"), fresh.var("u", SmtSort.INT)
    start, end = fresh.var("s", SmtSort.INT), fresh.var("f", SmtSort.INT)
    chronons = Elements(fresh, translation.expressions)
    split = chronons.times(listed(a).split(1).listing, Element(row, u, add(u, ONE)))
    longer = SumTerm((u,), mul(indicator(conj(equal(start, u), equal(end, add(u, WINDOW_SIZE)))), split))
    v = fresh.var("u", SmtSort.INT)
    inside = indicator(conj(at_most(ZERO, v), at_most(v, INSTANT), less(INSTANT, add(v, WINDOW_SIZE))))
    logical = SumTerm((v,), mul(inside, translation.times(a.plan, row, v)))
    return at_instant(longer, (start, end), INSTANT), logical, (at_most(ONE, WINDOW_SIZE),)


def _split(fresh: Fresh) -> tuple[Term, Term, tuple[Term, ...]]:
    """An element cut at any instants: of its pieces the one between the cuts around t holds t."""
    row, (start, end) = _any_row(fresh), (fresh.var("s", SmtSort.INT), fresh.var("f", SmtSort.INT))
    whole = fresh.var("s", SmtSort.INT), fresh.var("f", SmtSort.INT)
    cuts = [equal(start, _later(whole[0], CELL_START)), equal(end, _earlier(whole[1], CELL_END)), less(start, end)]
    piece = SumTerm(whole, mul(indicator(conj(*cuts)), held("A", Element(row, *whole))))
    there = at_instant(held("A", Element(row, *whole)), whole, INSTANT)
    return at_instant(piece, (start, end), INSTANT), there, (at_most(CELL_START, INSTANT), less(INSTANT, CELL_END))


def _merge(fresh: Fresh) -> tuple[Term, Term, tuple[Term, ...]]:
    """Two adjacent elements in one: an occurrence of [a, b) and one of [b, c) go, one of [a, c) comes."""
    row, (s, f) = _any_row(fresh), (fresh.var("s", SmtSort.INT), fresh.var("f", SmtSort.INT))
    a, b, c = (Var(name, SmtSort.INT) for name in "abc")
    mine = [indicator(conj(equal(s, x), equal(f, y))) for x, y in ((a, b), (b, c), (a, c))]
    before = held("A", Element(row, s, f))
    gone = [mul(number(-1), mine[0]), mul(number(-1), mine[1])]
    after = add(before, *gone, mine[2])
    return at_instant(after, (s, f), INSTANT), at_instant(before, (s, f), INSTANT), (less(a, b), less(b, c))


def _cell_by_cell(plan: Plan, fresh: Fresh) -> tuple[Term, Term, tuple[Term, ...]]:
    """The operator once for each elementary interval [low, high), at its start; where t is inside it, at t."""
    cut = Symbol("cut", (SmtSort.INT,), SmtSort.BOOL)
    translation = _over(_instant(fresh, cut), fresh)
    row, (s, f) = translation.row(plan.schema, "e"), (fresh.var("s", SmtSort.INT), fresh.var("f", SmtSort.INT))
    cell = indicator(conj(equal(s, CELL_START), equal(f, CELL_END)))
    output = at_instant(mul(cell, translation.times(plan, row, s)), (s, f), INSTANT)
    x = fresh.var("x", SmtSort.INT)
    nothing_inside = for_all((x,), disj(neg(call(cut, x)), at_most(x, CELL_START), at_most(CELL_END, x)))
    known = (at_most(ZERO, CELL_START), at_most(CELL_START, INSTANT), less(INSTANT, CELL_END), nothing_inside)
    return output, translation.times(plan, row, INSTANT), known


def _instant(fresh: Fresh, cut: Symbol | None = None) -> Callable[[str, RowTerms, Term], Term]:
    """The snapshots of a list of elements; with cuts, every interval starts and ends at one."""

    def meaning(source: str, row: RowTerms, time: Term) -> Term:
        s, f = fresh.var("s", SmtSort.INT), fresh.var("f", SmtSort.INT)
        cuts = indicator(conj(call(cut, s), call(cut, f))) if cut else ONE
        return at_instant(mul(cuts, held(source, Element(row, s, f))), (s, f), time)

    return meaning


def _over(meaning: Callable[[str, RowTerms, Term], Term], fresh: Fresh) -> Translation:
    return Translation(fresh, GivenSources({}, (), fresh, meaning))


def _any_row(fresh: Fresh) -> tuple[Var, ...]:
    return (fresh.var("e", SmtSort.REAL_OR_NULL), fresh.var("e", SmtSort.REAL_OR_NULL))


def _later(one: Term, other: Term) -> Term:
    return ite(at_most(one, other), other, one)


def _earlier(one: Term, other: Term) -> Term:
    return ite(at_most(one, other), one, other)


# Operators that see one instant only


def reducible(query: Query) -> Square:
    """Would the output at t be the same if the inputs were different at all other instants?"""

    def square(fresh: Fresh) -> tuple[Term, Term, tuple[Term, ...]]:
        plain, other = (_over(meaning, fresh) for meaning in (_stream, _same_at_t))
        other.expressions = plain.expressions
        row = plain.row(query.schema, "e")
        return plain.times(query.plan, row, INSTANT), other.times(query.plan, row, INSTANT), ()

    return square


def _stream(source: str, row: RowTerms, time: Term) -> Term:
    symbol = Symbol(f"stream {source}", (*(v.sort for v in row), SmtSort.INT), SmtSort.INT, "stream")
    return call(symbol, *row, time)


def _same_at_t(source: str, row: RowTerms, time: Term) -> Term:
    now = equal(time, INSTANT)
    return add(
        mul(indicator(now), _stream(source, row, time)), mul(indicator(neg(now)), _stream(f"{source}'", row, time))
    )


def standard_operators() -> Mapping[str, Query]:
    """All operators that are snapshot-reducible by definition."""
    free = SymbolicInstance(DecisionPath([]))
    a = free.stream("A")
    b, c = free.stream("B", like=a), free.stream("C")
    on, y = free.predicate("θ", a, c), free.aggregate("y", a)
    return {
        "Filter": a.filter(free.predicate("p", a)),
        "Map": a.select(y=free.function("f", a)),
        "Distinct": a.distinct(),
        "Aggregation": a.aggregate(y=y),
        "total Aggregation": a.aggregate(on_empty=True, y=y),
        "Grouping": a.group_by(a.schema.names[0]).aggregate(y=y),
        "Union": a.union(b),
        "Difference": a.difference(b),
        "Intersection": a.intersection(b),
        "Product": a.product(c),
        "Join": a.join(c, on),
        "LeftJoin": a.left_join(c, on),
        "RightJoin": a.right_join(c, on),
        "FullJoin": a.full_join(c, on),
        "Semijoin": a.semijoin(c, on),
        "Antijoin": a.antijoin(c, on),
        "Rstream": a.rstream(),
    }


def windows() -> Mapping[str, Query]:
    """All operators that look at the past."""
    free = SymbolicInstance(DecisionPath([]))
    a = free.stream("A")
    n = free.number("N")
    return {
        "TimeWindow": a.window(n),
        "CountWindow": a.rows(n),
        "PartitionedWindow": a.rows(n, by=a.schema.names[0]),
        "LandmarkWindow": a.landmark(0),
        "Istream": a.istream(),
        "Dstream": a.dstream(),
    }


def squares() -> Iterator[tuple[str, Square, bool]]:
    """Every claim about operators: its name, what must be equal, and whether it is."""
    for name, square in interval_operators().items():
        yield f"interval operator {name}", square, True
    for name, query in standard_operators().items():
        yield f"{name} is snapshot-reducible", reducible(query), True
    for name, query in windows().items():
        yield f"{name} is not snapshot-reducible", reducible(query), False
