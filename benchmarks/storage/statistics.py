"""The box that computes speed and number of cars for every segment."""

from collections import defaultdict, deque

from benchmarks.storage.report import Place, as_report
from benchmarks.storage.stores import Stores

FIVE_MINUTES = 300


class Statistics:
    """Average speed of five minutes and number of cars of one, for every segment, once a minute."""

    def __init__(self, stores: Stores) -> None:
        self.store, self.tolls = stores.positions, stores.tolls
        self.cursor, self.window = stores.positions.reader("statistics"), deque[tuple[int, int]]()
        self.reader = stores.tolls.reader()
        self.groups: dict[Place, deque[int]] = defaultdict(deque)

    def minute(self, boundary: int) -> None:
        """The statistics of a boundary go into the store of tolls, those of earlier ones leave it."""
        self._take(boundary)
        newest = -1
        for place, ids in self.groups.items():
            if ids:
                newest = self.tolls.buffer_item((boundary // 60, *place, *self._of(ids, boundary)))
        count = sum(1 for ids in self.groups.values() if ids)
        if newest >= count:
            self.tolls.delete_up_to(newest - count)

    def _take(self, boundary: int) -> None:
        """New reports come into the window of five minutes, old ones leave it."""
        for id, item in self.cursor.next_items():
            report = as_report(item)
            self.groups[report[2], report[4], report[5]].append(id)
            self.window.append((id, report[-1]))
        last = -1
        while self.window and self.window[0][1] <= boundary - FIVE_MINUTES:
            last = self.window.popleft()[0]
        for ids in self.groups.values():
            while ids and ids[0] <= last:
                ids.popleft()
        self.store.consume_up_to("statistics", last)

    def _of(self, ids: deque[int], boundary: int) -> tuple[float, int]:
        """One group after the other: its items are anywhere in the window."""
        reports = [as_report(self.cursor.get_item(id)) for id in ids]
        timely = [report for report in reports if report[-1] <= boundary]
        cars = {report[0] for report in timely if report[-1] > boundary - 60}
        return (sum(report[1] for report in timely) / len(timely) if timely else 999.0), len(cars)
