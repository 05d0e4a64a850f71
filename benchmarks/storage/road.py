"""Linear Road as boxes that read and write stores item by item (Figure 8), as the queries of examples/linear_road say.

Boxes 1 to 5 of the paper's figure: input, car positions (shared by three boxes), positions to respond to, accidents,
segment tolls. What an alert costs depends on how fast its stores are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from time import process_time

from benchmarks.storage.accidents import Accidents
from benchmarks.storage.report import SECONDS_BETWEEN_REPORTS, Place, Report, as_report
from benchmarks.storage.statistics import Statistics
from benchmarks.storage.stores import CAR_INDEX, TOLL_INDEX, Stores
from physical.storage.parameters import SOLE_CONSUMER


@dataclass
class Outcome:
    """The alerts, and how long each instant took."""

    tolls: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    """Car, expressway, segment, toll, time."""
    alerts: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Car, segment, segment of the accident, time."""
    instants: list[tuple[int, float, int]] = field(default_factory=list)
    """Time, seconds of work, number of tolls."""
    held: int = 0
    """The most items that all stores held at the end of a minute."""


class LinearRoad:
    """All boxes over one set of stores."""

    def __init__(self, stores: Stores, few: int, slow: float = 40.0, base: int = 2) -> None:
        self.few, self.slow, self.base = few, slow, base
        self.stores = stores
        self.statistics, self.accidents = Statistics(stores), Accidents(stores)
        self.respond = stores.positions.reader("respond")
        self.input, self.waiting = stores.input.reader(), stores.to_respond.reader()
        self.segments: dict[tuple[int, int], tuple[int, int]] = {}
        """Where each car was last, and when."""
        self.boundary = -1
        self.outcome = Outcome()

    def run(self, reports: Sequence[Report]) -> Outcome:
        """Every instant with reports, one after the other."""
        for time, group in groupby(reports, key=lambda report: report[-1]):
            listed = list(group)
            begin, before = process_time(), len(self.outcome.tolls)
            self.instant(time, listed)
            self.outcome.instants.append((time, process_time() - begin, len(self.outcome.tolls) - before))
            self.outcome.held = max(self.outcome.held, self.stores.held())
        return self.outcome

    def instant(self, time: int, reports: Sequence[Report]) -> None:
        for report in reports:
            self.stores.input.buffer_item(report)
        self._positions()
        if time // 60 > self.boundary:
            self.boundary = time // 60
            self.statistics.minute(self.boundary * 60)
        self.accidents.step(time)
        self._crossings(time)
        self._tolls(time)

    def _positions(self) -> None:
        """Reports go from the input into the store of car positions."""
        for _, report in self.input.next_items():
            self.stores.positions.buffer_item(report)
        self.stores.input.consume_up_to(SOLE_CONSUMER, self.input.position - 1)

    def _crossings(self, time: int) -> None:
        """Cars that have come into another segment, or onto the road, and do not leave."""
        for _, item in self.respond.next_items():
            report = as_report(item)
            before, self.segments[report[0], report[2]] = self.segments.get((report[0], report[2])), (report[5], time)
            entered = before is None or before[0] != report[5] or before[1] < time - SECONDS_BETWEEN_REPORTS
            if entered and report[3] != 4:
                self.stores.to_respond.buffer_item(report)
        self.stores.positions.consume_up_to("respond", self.respond.position - 1)

    def _tolls(self, time: int) -> None:
        for _, item in self.waiting.next_items():
            report = as_report(item)
            ahead = self.accidents.ahead(report[2], report[4], report[5])
            self.outcome.alerts += [(report[0], report[5], segment, time) for segment in ahead]
            toll = 0 if ahead else self._cost(time, (report[2], report[4], report[5]))
            self.outcome.tolls.append((report[0], report[2], report[5], toll, time))
            self._charge(report[0], toll)
        self.stores.to_respond.consume_up_to(SOLE_CONSUMER, self.waiting.position - 1)

    def _cost(self, time: int, place: Place) -> int:
        found = self.statistics.reader.retrieve(TOLL_INDEX, (time // 60, *place))
        if not found:
            return 0
        _, (*_, speed, cars) = found[0]
        assert isinstance(speed, float)
        assert isinstance(cars, int)
        return self.base * (cars - self.few) ** 2 if speed < self.slow and cars > self.few else 0

    def _charge(self, car: int, toll: int) -> None:
        """The balance of the car; most tolls are 0 and change nothing."""
        if toll:
            known = self.stores.balances.reader().retrieve(CAR_INDEX, (car,))
            before = known[0][1][1] if known else 0
            assert isinstance(before, int)
            self.stores.balances.update((car, before + toll))
