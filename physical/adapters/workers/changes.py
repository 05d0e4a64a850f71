"""Streams as changes: a row comes when its interval begins and goes when it ends, and a window keeps it for longer."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from physical.adapters.workers.protocol import Node, Row, rows_of, written

Change = tuple[int, Row, int]
"""An instant, a row, and +1 or −1."""


def changes_of(stream: Node, window: Node | None, horizon: float) -> Iterator[Change]:
    """The changes of a source before a horizon, seen through a window above it, if there is one."""
    for *values, start, end in rows_of(stream):
        last = horizon if end is None else end
        spans: Iterable[tuple[float, float]] = [(start, last)]
        if window is not None:
            spans = [_seen(t, window) for t in range(int(start), int(min(last, horizon)))]
        for first, after in spans:
            if first < min(after, horizon):
                yield int(first), tuple(values), 1
                if after < horizon:
                    yield int(after), tuple(values), -1


def _seen(t: int, window: Node) -> tuple[float, float]:
    """From the first multiple of the slide to the first at which the window has left it behind."""
    slide = int(window["slide"])
    first = -(-t // slide) * slide
    if window["size"] is None:
        return first, float("inf")
    return first, -(-(t + int(window["size"])) // slide) * slide


def retractions(log: Iterable[Change]) -> list[object]:
    """A log of changes as the protocol wants it: of equal rows of an instant only what is left counts."""
    by_instant: defaultdict[int, Counter[Any]] = defaultdict(Counter)
    for instant, row, by in log:
        by_instant[instant][row] += by
    found: list[object] = []
    for instant, counts in sorted(by_instant.items()):
        goes = [["-", *map(written, row), instant] for row, n in counts.items() for _ in range(-n)]
        comes = [["+", *map(written, row), instant] for row, n in counts.items() for _ in range(n)]
        found += [*goes, *comes]
    return found
