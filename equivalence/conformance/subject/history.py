"""What holds over time, told by its snapshots while there are few instants, else by its changes.

Both forms mean the same. Snapshots are faster for the many small cases; changes are exact for times of any size, for
which the snapshots before a late instant could not even be listed.
"""

from collections.abc import Callable
from typing import Final

from equivalence.cases.random_cases import Case
from equivalence.conformance.subject.results import MOST_ELEMENTS, Element, snapshots
from semantics import (
    Interval,
    IntervalStream,
    Multiset,
    Plan,
    Schema,
    SparseStream,
    TooManyChanges,
    evaluate,
    evaluate_sparse,
)
from semantics.evaluate import Snapshots, apply
from semantics.lookahead import known_until, last_change
from semantics.plan import Source
from semantics.sparse import first_difference as first_sparse_difference

History = Snapshots | SparseStream
Differs = Callable[[Multiset, Multiset], bool]

MOST_SNAPSHOTS: Final = 64
"""A case with a later horizon is told by its changes."""
MOST_CHANGES: Final = 60_000
"""A case whose result changes more often says nothing: evaluating it would take as long as a hundred others."""
MOST_COPIES: Final = MOST_ELEMENTS // 2
"""A case whose right result has more elements says nothing either: a right engine would seem to yield for ever."""


def is_dense(horizon: int) -> bool:
    return horizon <= MOST_SNAPSHOTS


def right_history(plan: Plan, case: Case, horizon: int) -> History:
    """What the reference says; raises TooManyChanges if that is more than can be compared."""
    if is_dense(known_until(plan, horizon, lambda name: last_change(case[name]))):
        found = evaluate(plan, case, horizon).snapshots
        _check_size(sum(map(len, found)))
        return found
    changes = evaluate_sparse(plan, case, horizon, limit=MOST_CHANGES)
    _check_size(sum(n for _, _, n in changes.runs))
    return tuple(map(changes.at, range(horizon))) if is_dense(horizon) else changes


def _check_size(copies: int) -> None:
    if copies > MOST_COPIES:
        raise TooManyChanges(f"the result has more than {MOST_COPIES:,} elements")


def found_history(found: list[Element], schema: Schema, horizon: int) -> History:
    """What an engine gave."""
    if is_dense(horizon):
        return snapshots(found, horizon)
    return SparseStream.of_runs(schema, ((row, Interval(start, end), 1) for row, start, end in found), horizon)


def applied(node: Plan, inputs: tuple[History, ...], horizon: int) -> History:
    """What an operator makes of these inputs, by the reference."""
    dense = tuple(history for history in inputs if isinstance(history, tuple))
    if len(dense) == len(inputs):
        return apply(node, dense)
    sparse = [history for history in inputs if isinstance(history, SparseStream)]
    sources = [Source(f"input {i}", history.schema) for i, history in enumerate(sparse)]
    streams = {source.name: _as_stream(history) for source, history in zip(sources, sparse, strict=True)}
    return evaluate_sparse(node.with_inputs(*sources), streams, horizon, limit=MOST_CHANGES)


def _as_stream(history: SparseStream) -> IntervalStream:
    copies = [(row, interval) for row, interval, n in history.runs for _ in range(n)]
    return IntervalStream(history.schema, copies)


def snapshot_at(history: History, t: int) -> Multiset:
    return history[t] if isinstance(history, tuple) else history.at(t)


def holds_a_row(history: History) -> bool:
    return any(history) if isinstance(history, tuple) else bool(history.runs)


def first_difference(differs: Differs, expected: History, found: History, exact: bool = True) -> int | None:
    """The first instant at which two histories up to the same horizon differ, or None if there is none."""
    if isinstance(expected, tuple) and isinstance(found, tuple):
        pairs = enumerate(zip(expected, found, strict=True))
        return next((t for t, (right, got) in pairs if differs(right, got)), None)
    assert isinstance(expected, SparseStream)
    assert isinstance(found, SparseStream)
    first = first_sparse_difference(expected, found)
    return first if first is None or exact else _first_beyond_tolerance(differs, expected, found)


def _first_beyond_tolerance(differs: Differs, expected: SparseStream, found: SparseStream) -> int | None:
    instants = sorted({t for stream in (expected, found) for t, _ in stream.changes()})
    return next((t for t in instants if differs(expected.at(t), found.at(t))), None)
