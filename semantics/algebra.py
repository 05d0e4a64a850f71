"""The logical algebra: one operator, one short function, beside its definition.

Conditions are evaluated for every pair of rows, never only until one is found: whether a plan overflows must not
depend on the order in which rows are looked at.

A standard operator maps the snapshots of its inputs at an instant to the snapshot of its output. A window
operator maps a history, the snapshots of its input at 0 … t̂, to the snapshot of its output at t̂; no later
snapshot can be looked at, so it is causal by construction. Two operators are not: sessions, and OVER with LEAD, map all
that occurs to all of their output.

In the definitions, n(e) is the multiplicity of row e in the input and n̂(e) that in the output. In the examples
a, b, c are rows with one text each, and `example` reads an expression over the int columns x and y.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from semantics.aggregate import Aggregate, aggregate
from semantics.expression import Expression, evaluate, holds
from semantics.multiset import Multiset
from semantics.ordering import Ranking, SortKey, places
from semantics.over import Occurrence, OverFunction, in_time_order, values_of
from semantics.time import End, Instant, Interval
from semantics.value import NULL, Row, Value, check_int, identical_row

History = Sequence[Multiset]
Key = Callable[[Row], Row]
EMPTY = Multiset()

# Standard operators ------------------------------------------------------------------------------------------


def filter(predicate: Expression, rows: Multiset) -> Multiset:
    """σ_p: n̂(e) = n(e) if p(e) is TRUE, else 0.

    >>> filter(example("x > 1"), Multiset([(1,), (2,), (2,), (None,)]))
    Multiset({(2,): 2})
    """
    return rows.filter(lambda row: holds(predicate, row))


def map(expressions: Sequence[Expression], rows: Multiset) -> Multiset:
    """μ_f: n̂(y) = Σ { n(e) : f(e) = y }.

    >>> map([example("x mod 2")], Multiset([(1,), (2,), (3,)]))
    Multiset({(0,): 1, (1,): 2})
    """
    return rows.map(lambda row: tuple(evaluate(expression, row) for expression in expressions))


def union(left: Multiset, right: Multiset) -> Multiset:
    """∪ (UNION ALL): n̂(e) = n₁(e) + n₂(e).

    >>> union(Multiset([a, b]), Multiset([a]))
    Multiset({('a',): 2, ('b',): 1})
    """
    return left + right


def unnest(array: Expression, numbered: bool, outer: bool, rows: Multiset) -> Multiset:
    """υ: n̂(e∘x) = Σ n(e) over the places of e's array at which x stands; x may have its place behind it.

    >>> from semantics.expression import Ref
    >>> from semantics.types import Type, array_of
    >>> unnest(Ref(0, array_of(Type.INT)), False, True, Multiset([((5, 6, 5),), ((),)]))
    Multiset({((), None): 1, ((5, 6, 5), 5): 2, ((5, 6, 5), 6): 1})
    """
    return Multiset.sum(
        (row + behind, n) for row, n in rows.pairs() for behind in unnested(evaluate(array, row), numbered, outer)
    )


def unnested(array: Value, numbered: bool, outer: bool) -> list[Row]:
    """The elements of an array as rows; if there are none, perhaps one of NULLs. NULL is as good as an empty array.

    >>> unnested((5, None), True, False), unnested(None, False, True)
    ([(5, 1), (None, 2)], [(None,)])
    """
    elements: tuple[Value, ...] = array if isinstance(array, tuple) else ()
    if not elements and outer:
        return [(NULL, NULL) if numbered else (NULL,)]
    return [(value, place) if numbered else (value,) for place, value in enumerate(elements, 1)]


def product(left: Multiset, right: Multiset) -> Multiset:
    """× (3): n̂(e₁∘e₂) = n₁(e₁) · n₂(e₂).

    >>> product(Multiset([a, a]), Multiset([b, b, c]))
    Multiset({('a', 'b'): 4, ('a', 'c'): 2})
    """
    return Multiset.sum((e1 + e2, n1 * n2) for e1, n1 in left.pairs() for e2, n2 in right.pairs())


def difference(left: Multiset, right: Multiset) -> Multiset:
    """− (EXCEPT ALL): n̂(e) = max(n₁(e) − n₂(e), 0).

    >>> difference(Multiset([a, a, b]), Multiset([a, c]))
    Multiset({('a',): 1, ('b',): 1})
    """
    return left - right


def intersection(left: Multiset, right: Multiset) -> Multiset:
    """∩ (INTERSECT ALL): n̂(e) = min(n₁(e), n₂(e)).

    >>> intersection(Multiset([a, a, b]), Multiset([a, a, a]))
    Multiset({('a',): 2})
    """
    return left & right


def distinct(rows: Multiset) -> Multiset:
    """δ: n̂(e) = min(n(e), 1).

    >>> distinct(Multiset([a, a, b]))
    Multiset({('a',): 1, ('b',): 1})
    """
    return Multiset(rows.support)


# Joins -------------------------------------------------------------------------------------------------------


def join(condition: Expression, left: Multiset, right: Multiset) -> Multiset:
    """⋈_θ: filter over product.

    >>> join(example("x < y"), Multiset([(1,), (2,)]), Multiset([(2,), (2,)]))
    Multiset({(1, 2): 2})
    """
    return filter(condition, product(left, right))


def semijoin(condition: Expression, left: Multiset, right: Multiset) -> Multiset:
    """⋉_θ: n̂(e) = n₁(e) if θ(e∘e₂) is TRUE for some e₂ with n₂(e₂) > 0, else 0.

    >>> semijoin(example("x < y"), Multiset([(1,), (1,), (2,)]), Multiset([(2,), (2,)]))
    Multiset({(1,): 2})
    """
    return left.filter(lambda row: any([holds(condition, row + other) for other in right.support]))


def antijoin(condition: Expression, left: Multiset, right: Multiset) -> Multiset:
    """▷_θ: n̂(e) = n₁(e) if θ(e∘e₂) is TRUE for no e₂ with n₂(e₂) > 0, else 0.

    >>> antijoin(example("x < y"), Multiset([(1,), (2,), (None,)]), Multiset([(2,)]))
    Multiset({(None,): 1, (2,): 1})
    """
    return left - semijoin(condition, left, right)


def left_join(condition: Expression, width: int, left: Multiset, right: Multiset) -> Multiset:
    """⟕_θ: join ∪ (antijoin, the right side's `width` columns NULL).

    >>> left_join(example("x < y"), 1, Multiset([(1,), (2,)]), Multiset([(2,)]))
    Multiset({(1, 2): 1, (2, None): 1})
    """
    alone = antijoin(condition, left, right)
    return union(join(condition, left, right), alone.map(lambda row: row + (NULL,) * width))


def right_join(condition: Expression, width: int, left: Multiset, right: Multiset) -> Multiset:
    """⟖_θ: join ∪ (the right rows without a partner, the left side's `width` columns NULL).

    >>> right_join(example("x < y"), 1, Multiset([(1,)]), Multiset([(0,), (2,)]))
    Multiset({(None, 0): 1, (1, 2): 1})
    """
    return union(join(condition, left, right), _padded_right(condition, width, left, right))


def full_join(condition: Expression, widths: tuple[int, int], left: Multiset, right: Multiset) -> Multiset:
    """⟗_θ: what the left and the right outer join hold, the join itself once.

    >>> full_join(example("x < y"), (1, 1), Multiset([(1,), (2,)]), Multiset([(0,), (2,)]))
    Multiset({(None, 0): 1, (1, 2): 1, (2, None): 1})
    """
    left_width, right_width = widths
    padded = _padded_right(condition, left_width, left, right)
    return union(left_join(condition, right_width, left, right), padded)


def _padded_right(condition: Expression, width: int, left: Multiset, right: Multiset) -> Multiset:
    """The right rows without a partner, after `width` NULLs."""
    alone = right.filter(lambda row: not any([holds(condition, other + row) for other in left.support]))
    return alone.map(lambda row: (NULL,) * width + row)


# Aggregation -------------------------------------------------------------------------------------------------


def aggregation(aggregates: Sequence[Aggregate], on_empty: bool, rows: Multiset) -> Multiset:
    """α (4): one row f_agg(snapshot) if the snapshot is not empty, and with on_empty also if it is.

    >>> counts = [CountRows()]
    >>> aggregation(counts, False, Multiset([a, a])), aggregation(counts, False, EMPTY)
    (Multiset({(2,): 1}), Multiset())
    >>> aggregation(counts, True, EMPTY)
    Multiset({(0,): 1})
    """
    return Multiset([_aggregates(aggregates, rows)]) if rows or on_empty else EMPTY


def grouping(key: Key, aggregates: Sequence[Aggregate], rows: Multiset) -> Multiset:
    """γ: per group of the snapshot one row: the group's key, then f_agg(group).

    >>> grouping(lambda row: row[:1], [CountRows()], Multiset([(1, 7), (1, 8), (None, 9)]))
    Multiset({(None, 1): 1, (1, 2): 1})
    """
    return Multiset(group + _aggregates(aggregates, members) for group, members in _groups(key, rows))


def limit(key: Key, order: Sequence[SortKey], ranking: Ranking, kept: range, rows: Multiset) -> Multiset:
    """λ: n̂(e) = how many occurrences of e have a place in the order of their group that is kept.

    >>> limit(lambda row: (), [SortKey(0)], "rows", range(2), Multiset([b, c, a, a]))
    Multiset({('a',): 2})
    >>> limit(lambda row: row[:1], [SortKey(1, descending=True)], "rows", range(1), Multiset([(1, 5), (1, 7), (2, 6)]))
    Multiset({(1, 7): 1, (2, 6): 1})
    """
    placed = [pair for _, members in _groups(key, rows) for pair in places(order, ranking, dict(members.pairs()))]
    both = ((row, range(max(taken.start, kept.start), min(taken.stop, kept.stop))) for row, taken in placed)
    # Occurrences with a place each are kept one by one; those that share a place, all together.
    return Multiset.sum([(row, len(found) if ranking == "rows" else rows[row]) for row, found in both if found])


def _aggregates(aggregates: Sequence[Aggregate], rows: Multiset) -> Row:
    return tuple(aggregate(function, rows) for function in aggregates)


def _groups(key: Key, rows: Multiset) -> list[tuple[Row, Multiset]]:
    members: dict[Row, list[tuple[Row, int]]] = {}
    for row, n in rows.pairs():
        members.setdefault(identical_row(key(row)), []).append((row, n))
    return [(group, Multiset.sum(pairs)) for group, pairs in members.items()]


# Windows -----------------------------------------------------------------------------------------------------


def time_window(size: End, slide: int, history: History) -> Multiset:
    """ω_{w,s} (5): n̂(e, t̂) = Σ { n(e, t) : max(b − w + 1, 0) ≤ t ≤ b }, with b = s·⌊t̂/s⌋.

    >>> time_window(2, 1, [Multiset([a]), Multiset([b]), Multiset([b, c])])
    Multiset({('b',): 2, ('c',): 1})
    """
    boundary = slide * ((len(history) - 1) // slide)
    first = int(max(boundary - size + 1, 0))
    return _sum(history[first : boundary + 1])


def count_window(rows: int, slide: int, history: History) -> Multiset:
    """ω^rows_{N,s}: the N occurrences, by instant and then by the order on rows, up to the last multiple of s.

    >>> count_window(2, 1, [Multiset([c]), Multiset([b, a, a])])
    Multiset({('a',): 1, ('b',): 1})
    """
    occurrences = [row for snapshot in history for row in snapshot]
    last = slide * (len(occurrences) // slide)
    return Multiset(occurrences[max(last - rows, 0) : last])


def ties_window(rows: int, history: History) -> Multiset:
    """ω^rows_N with ties: the occurrences that fewer than N occurrences are strictly later than.

    >>> ties_window(2, [Multiset([c]), Multiset([a]), Multiset([b])])
    Multiset({('a',): 1, ('b',): 1})
    """
    later = [len(_sum(history[t + 1 :])) for t in range(len(history))]
    return _sum([snapshot for snapshot, n in zip(history, later, strict=True) if n < rows])


def partitioned(key: Key, window: Callable[[History], Multiset], history: History) -> Multiset:
    """ω^rows_{P,N}: a count window applied to each group separately; the union of the results.

    >>> history = [Multiset([(1, 5)]), Multiset([(2, 6)]), Multiset([(2, 7)])]
    >>> partitioned(lambda row: row[:1], lambda group: count_window(1, 1, group), history)
    Multiset({(1, 5): 1, (2, 7): 1})
    """
    groups = _sum(history).map(key).support
    return _sum([window([rows.filter(lambda row: key(row) == group) for rows in history]) for group in groups])


def landmark_window(start: int, reset: int | None, history: History) -> Multiset:
    """ω_[a,∞): everything since the last landmark a + k·r ≤ t̂, without a reset since a.

    >>> [landmark_window(1, None, [Multiset([a]), Multiset([b]), Multiset([c])][:n]) for n in (1, 3)]
    [Multiset(), Multiset({('b',): 1, ('c',): 1})]
    """
    now = len(history) - 1
    if now < start:
        return EMPTY
    return _sum(history[now - (now - start) % reset if reset else start :])


def session_window(
    key: Key, gap: int, touching: bool, since: Instant, occurrences: Sequence[Occurrence]
) -> list[tuple[Row, Interval]]:
    """ω^gap_P: n̂(e∘(first, last + gap), t̂) = Σ { n(e, t) : first ≤ t ≤ last } for first ≤ t̂ < last + gap.

    A session first … last is what remains connected of a group's instants if those less than a gap apart are, or with
    touching at most. One that may go on at `since` is not given out: a later row could be of it.

    >>> session_window(lambda row: (), 3, False, 9, [(0, a), (2, b), (8, c)])
    [(('a', 0, 5), Interval(start=0, end=5)), (('b', 0, 5), Interval(start=0, end=5))]
    """
    by_time = sorted(occurrences, key=lambda occurrence: occurrence[0])
    found = [session for group in _in_groups(key, by_time) for session in _sessions(gap + touching, group)]
    return [
        ((*row, session[0][0], check_int(last + gap, "SessionWindow")), Interval(session[0][0], last + gap))
        for session in found
        for last in [session[-1][0]]
        if last + gap + touching <= since
        for _, row in session
    ]


def _in_groups(key: Key, occurrences: Sequence[Occurrence]) -> list[list[Occurrence]]:
    """The occurrences of each group, in their order."""
    groups: dict[Row, list[Occurrence]] = {}
    for t, row in occurrences:
        groups.setdefault(identical_row(key(row)), []).append((t, row))
    return list(groups.values())


def _sessions(apart: int, group: Sequence[Occurrence]) -> list[list[Occurrence]]:
    """The occurrences of a group, cut where two of them are so far apart."""
    cuts = [i for i in range(1, len(group)) if group[i][0] - group[i - 1][0] >= apart]
    return [list(group[i:j]) for i, j in pairwise([0, *cuts, len(group)])]


def over(
    key: Key, order: Sequence[SortKey], functions: Sequence[OverFunction], occurrences: Sequence[Occurrence]
) -> list[Occurrence]:
    """Over: every row of a group at its own instant, with what each function gives for its place in the order of time.

    >>> from semantics.over import RowPlace
    >>> over(lambda row: (), [], [RowPlace("rows")], [(4, b), (3, c)])
    [(3, ('c', 1)), (4, ('b', 2))]
    """
    return [
        (t, (*row, *(made[i] for made in columns)))
        for group in _in_groups(key, in_time_order(order, occurrences))
        for columns in [[values_of(function, order, group) for function in functions]]
        for i, (t, row) in enumerate(group)
    ]


def _sum(snapshots: History) -> Multiset:
    return Multiset.sum(item for snapshot in snapshots for item in snapshot.pairs())


# Stream/relation operators of CQL ----------------------------------------------------------------------------


def istream(history: History) -> Multiset:
    """Istream: τ_t(S) − τ_{t−1}(S), and nothing is before 0.

    >>> istream([Multiset([a, b]), Multiset([b, b, c])])
    Multiset({('b',): 1, ('c',): 1})
    """
    return history[-1] - _before(history)


def dstream(history: History) -> Multiset:
    """Dstream: τ_{t−1}(S) − τ_t(S), and nothing is before 0.

    >>> dstream([Multiset([a, b]), Multiset([b, b, c])])
    Multiset({('a',): 1})
    """
    return _before(history) - history[-1]


def rstream(rows: Multiset) -> Multiset:
    """Rstream: τ_t(S).

    >>> rstream(Multiset([a]))
    Multiset({('a',): 1})
    """
    return rows


def _before(history: History) -> Multiset:
    return history[-2] if len(history) > 1 else EMPTY
