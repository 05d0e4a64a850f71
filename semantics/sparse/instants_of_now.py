"""Where an operator that asks for now may change although its inputs stay as they are."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, product

from semantics.multiset import Multiset
from semantics.now_in_expressions import thresholds
from semantics.plan import Plan
from semantics.sparse.budget import Instants
from semantics.time import FOREVER, End, Instant
from semantics.value import INT_MAX, Row

Held = tuple[Instant, tuple[Multiset, ...]]
"""An instant, and the snapshots of all inputs from there on."""


def where_now_matters(
    node: Plan, snapshots: Iterable[Held], horizon: End, check: Callable[[End], None]
) -> Iterator[Held]:
    """The snapshots once more at every instant before the next ones at which a value can change."""
    for (start, held), (end, _) in pairwise([*snapshots, (horizon, ())]):
        yield int(start), held
        yield from ((t, held) for t in _instants(node, list(_rows(held)), int(start), end, check))


def _rows(held: tuple[Multiset, ...]) -> Iterator[Row]:
    """What expressions are evaluated for: rows, or pairs of rows."""
    return (sum(rows, ()) for rows in product(*(snapshot.support for snapshot in held)))


def _with_last(changes: set[Instant], end: End) -> set[Instant]:
    """Changes, and the last instant before each: between them a sum with now only grows or falls, so if it overflows
    somewhere it does so at one of these."""
    return changes | {t - 1 for t in changes} | ({int(end) - 1} if end != FOREVER else set())


def _instants(node: Plan, rows: list[Row], start: Instant, end: End, check: Callable[[End], None]) -> Iterable[Instant]:
    borders = thresholds(node.own_expressions)
    if borders is not None:
        found = {t for row in rows for border in borders for t in border.instants(row)}
        return sorted(t for t in _with_last(found, end) if start < t < end and t <= INT_MAX)
    every = Instants(start + 1, end) if rows else Instants(start, start)
    check(every.number)
    return every
