"""Push elements in batches of one size, and measure the rate and how long each push takes until its results are out."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

from benchmarks.live.queries import SCHEMAS, LiveQuery, arriving, as_rows
from physical import PhysicalStream, Session
from semantics import RawStream


@dataclass(frozen=True)
class Measured:
    """Elements per second by the clock and by processor time; microseconds from a push to its results."""

    rate: float
    cpu_rate: float
    median: float
    p99: float
    results: int


class Reader:
    """A subscriber that looks at every row that it gets."""

    def __init__(self) -> None:
        self.results = 0

    def take(self, batch: PhysicalStream) -> None:
        self.results += sum(1 for _ in batch.to_elements()) if len(batch) <= SMALL else len(batch)


SMALL = 1000
"""Larger batches are taken as the arrays that they are."""


def pushed(live: LiveQuery, size: int, batch: int, rows: bool) -> Measured:
    """All elements of all sources in turn; as Python rows, or in arrays as from Arrow."""
    streams = {name: arriving(name, size, batch) for name in live.sources}
    given: dict[str, Sequence[PhysicalStream | RawStream]] = {
        name: [as_rows(part) for part in parts] if rows else parts for name, parts in streams.items()
    }
    session, reader = Session(SCHEMAS, raw=tuple(SCHEMAS)), Reader()
    session.add("query", live.query)
    session.subscribe("query", reader.take)
    return _timed(session, given, size * len(given), reader)


def _timed(
    session: Session, given: dict[str, Sequence[PhysicalStream | RawStream]], elements: int, reader: Reader
) -> Measured:
    took: list[float] = []
    begun, cpu = perf_counter(), process_time()
    for batches in zip(*given.values(), strict=True):
        for name, batch in zip(given, batches, strict=True):
            before = perf_counter()
            session.push(name, batch)
            took.append(perf_counter() - before)
    rate, cpu_rate = elements / (perf_counter() - begun), elements / (process_time() - cpu)
    took.sort()
    return Measured(rate, cpu_rate, 1e6 * took[len(took) // 2], 1e6 * took[len(took) * 99 // 100], reader.results)


def best(live: LiveQuery, size: int, batch: int, rows: bool, repeat: int) -> Measured:
    """The run with the highest rate; the first one only warms up."""
    runs = [pushed(live, size, batch, rows) for _ in range(repeat + 1)]
    return max(runs[1:], key=lambda run: run.rate)
