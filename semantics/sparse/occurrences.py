"""Sessions and OVER: groups by themselves, in the order of time."""

from collections.abc import Callable, Iterator

from semantics import algebra
from semantics.evaluate import key_of
from semantics.over import Occurrence
from semantics.plan import Over, SessionWindow
from semantics.sparse.budget import Instants
from semantics.sparse.row_steps import Counts, spans
from semantics.sparse.row_windows import partitions
from semantics.sparse.stream import counts_of_runs
from semantics.stream import Run
from semantics.time import FOREVER, End, Interval
from semantics.value import Row, check_int


def over(node: Over, horizon: End, spend: Callable[[End], None], counts: Counts) -> Counts:
    """Over: each instant of a row counts by itself."""
    found = algebra.over(key_of(node.keys), node.order, node.functions, list(_occurrences(horizon, spend, counts)))
    return counts_of_runs([(row, Interval(t, t + 1), 1) for t, row in found], horizon)


def _occurrences(horizon: End, spend: Callable[[End], None], counts: Counts) -> Iterator[Occurrence]:
    for row, steps in counts.items():
        for interval, n in spans(steps, horizon):
            instants = Instants(interval.start, interval.end)
            spend(n * instants.number)
            yield from ((t, row) for t in instants for _ in range(n))


def session_window(node: SessionWindow, horizon: End, spend: Callable[[End], None], counts: Counts) -> Counts:
    """ω^gap_P: a row that lasts is at each instant in the same session, unless instants do not even touch."""
    runs = [run for group in partitions(node.keys, counts) for run in _sessions(node, horizon, spend, group)]
    return counts_of_runs(runs, horizon)


def _sessions(node: SessionWindow, horizon: End, spend: Callable[[End], None], counts: Counts) -> Iterator[Run]:
    lasting = [(row, i, n) for row, steps in counts.items() for i, n in spans(steps, horizon)]
    pieces = [piece for run in lasting for piece in _apart(node, spend, run)]
    session: list[Run] = []
    end: End = 0
    for row, interval, n in sorted(pieces, key=lambda run: run[1].start):
        if session and interval.start - (end - 1) >= node.gap + node.touching:
            yield from _given_out(node, session, end, horizon)
            session = []
        end = max(end, interval.end) if session else interval.end
        session.append((row, interval, n))
    yield from _given_out(node, session, end, horizon)


def _apart(node: SessionWindow, spend: Callable[[End], None], run: Run) -> Iterator[Run]:
    """A row that lasts, in instants if each of them is a session by itself."""
    row, interval, n = run
    if node.gap + node.touching > 1:
        spend(2)
        yield run
    else:
        instants = Instants(interval.start, interval.end)
        spend(2 * instants.number)
        yield from ((row, Interval(t, t + 1), n) for t in instants)


def _given_out(node: SessionWindow, session: list[Run], end: End, horizon: End) -> Iterator[Run]:
    """The rows of a session that has ended, as often as there are instants at which they came."""
    if not session or end == FOREVER or end - 1 + node.gap + node.touching > horizon:
        return
    first, until = session[0][1].start, check_int(int(end) - 1 + node.gap, node.operator)
    for row, interval, n in session:
        made: Row = (*row, first, until)
        yield made, Interval(first, until), n * (int(interval.end) - interval.start)
