"""One store for two queries against one for each (Table 7), and one query with three read patterns (Figure 10)."""

import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final

from benchmarks.storage.report import Place, Report, as_report, reports_of
from physical.columns.stream import PhysicalStream
from physical.storage.consumers import StoreReader
from physical.storage.create import create
from physical.storage.parameters import Parameters, ReadPattern, Sizes, UpdatePattern
from physical.storage.store import Store

ITEMS_PER_BLOCK: Final = 1024
SPEED_0, STATISTICS = "speed 0", "statistics"
Answer = list[tuple[object, ...]]
Query = Callable[[int, list[Report]], Answer]


def speed_0(minute: int, window: list[Report]) -> Answer:
    """The cars that stood in a minute."""
    return [(minute, report[0]) for report in window if report[1] == 0]


def statistics(minute: int, window: list[Report]) -> Answer:
    """How fast cars were in every segment in a minute."""
    groups: dict[Place, list[int]] = defaultdict(list)
    for report in window:
        groups[report[2], report[4], report[5]].append(report[1])
    return [(minute, *place, sum(speeds) / len(speeds)) for place, speeds in groups.items()]


QUERIES: Final[dict[str, Query]] = {SPEED_0: speed_0, STATISTICS: statistics}


class Minutes:
    """A query over a window of one minute that it reads from a store, item by item."""

    def __init__(self, store: Store, name: str) -> None:
        self.store, self.name = store, name
        self.reader: StoreReader = store.reader(name)
        self.answer: Answer = []

    def minute(self, minute: int) -> None:
        window = []
        while (entry := self.reader.next_item()) is not None:
            window.append(as_report(entry[1]))
        self.answer += QUERIES[self.name](minute, window)
        self.store.consume_up_to(self.name, self.reader.position - 1)


@dataclass(frozen=True)
class Sharing:
    """What it took."""

    rate: float
    """Reports in a second of the processor."""
    memory: int
    """The most bytes at a time."""
    answers: dict[str, Answer]


def run_sharing(positions: PhysicalStream, groups: Sequence[tuple[str, ...]], measure_memory: bool) -> Sharing:
    """A store for each group of queries; the input is made again for every store."""
    if measure_memory:
        tracemalloc.start()
    begin, answers = process_time(), dict[str, Answer]()
    pairs = [_store(group) for group in groups]
    for minute, since, until in minutes_of(positions):
        for store, queries in pairs:
            for report in reports_of(positions.take(slice(since, until))):
                store.buffer_item(report)
            for query in queries:
                query.minute(minute)
    seconds = process_time() - begin
    for _, queries in pairs:
        answers |= {query.name: query.answer for query in queries}
    peak = tracemalloc.get_traced_memory()[1] if measure_memory else 0
    tracemalloc.stop()
    return Sharing(len(positions) / seconds, peak, answers)


def run_reading(positions: PhysicalStream, pattern: ReadPattern) -> tuple[float, Answer]:
    """Reports in a second with one read pattern, loading not counted; and the answer."""
    store = create(_parameters((SPEED_0,), pattern))
    query, seconds = Minutes(store, SPEED_0), 0.0
    for minute, since, until in minutes_of(positions):
        for report in reports_of(positions.take(slice(since, until))):
            store.buffer_item(report)
        begin = process_time()
        query.minute(minute)
        seconds += process_time() - begin
    return len(positions) / seconds, query.answer


def minutes_of(positions: PhysicalStream) -> list[tuple[int, int, int]]:
    """Every minute with the places of its reports."""
    last = int(positions.start[-1]) // 60
    cuts = positions.start.searchsorted([60 * minute for minute in range(last + 2)]).tolist()
    return [(minute, cuts[minute], cuts[minute + 1]) for minute in range(last + 1)]


def _store(group: tuple[str, ...]) -> tuple[Store, list[Minutes]]:
    store = create(_parameters(group, ReadPattern.SEQUENTIAL))
    return store, [Minutes(store, name) for name in group]


def _parameters(group: tuple[str, ...], pattern: ReadPattern) -> Parameters:
    return Parameters(update=UpdatePattern.FIFO, read=pattern, sharing=group, sizes=Sizes(block=ITEMS_PER_BLOCK))
