"""The box that finds accidents."""

from collections import defaultdict, deque

from benchmarks.storage.report import SECONDS_BETWEEN_REPORTS, Report, as_report
from benchmarks.storage.stores import WAY_INDEX, Stores


class Accidents:
    """Cars that stand for four reports; two of them in one place are an accident until one moves."""

    def __init__(self, stores: Stores) -> None:
        self.store, self.found = stores.positions, stores.accidents
        self.cursor, self.reader = stores.positions.reader("accidents"), stores.accidents.reader()
        self.recent: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=4))
        """The ids of the last reports of each car."""
        self.standing: dict[int, tuple[tuple[int, ...], int]] = {}
        """Where each car stands, and since when nothing was heard of it."""
        self.known: dict[tuple[int, ...], int] = {}
        """The ids of accidents."""
        self.read: deque[tuple[int, int]] = deque()

    def step(self, time: int) -> None:
        for id, item in self.cursor.next_items():
            report = as_report(item)
            ids = self.recent[report[0]]
            ids.append(id)
            self.read.append((id, time))
            if self._stands(report, ids):
                self.standing[report[0]] = (report[2:7], time)
            else:
                self.standing.pop(report[0], None)
        self._consume(time)
        self._update(time)

    def ahead(self, xway: int, direction: int, segment: int) -> list[int]:
        """The segments of accidents within the next five."""
        found = self.reader.retrieve(WAY_INDEX, (xway, direction))
        places = [item[3] for _, item in found]
        return [at for at in places if isinstance(at, int) and 0 <= (at - segment) * (1 - 2 * direction) <= 4]

    def _stands(self, report: Report, ids: deque[int]) -> bool:
        """Did the last three reports before this one come from the same place?"""
        if len(ids) < 4 or self._before(ids[2])[2:7] != report[2:7]:
            return False
        return all(self._before(id)[2:7] == report[2:7] for id in (ids[0], ids[1]))

    def _before(self, id: int) -> Report:
        return as_report(self.cursor.get_item(id))

    def _consume(self, time: int) -> None:
        last = -1
        while self.read and self.read[0][1] <= time - 4 * SECONDS_BETWEEN_REPORTS:
            last = self.read.popleft()[0]
        self.store.consume_up_to("accidents", last)

    def _update(self, time: int) -> None:
        """Accidents that are new, and those that are over, in whatever order they began."""
        gone = [car for car, (_, last) in self.standing.items() if last <= time - SECONDS_BETWEEN_REPORTS]
        for car in gone:
            del self.standing[car]
        places = [place for place, _ in self.standing.values()]
        now = {place for place in places if places.count(place) > 1}
        for place in now - self.known.keys():
            xway, lane, direction, segment, pos = place
            self.known[place] = self.found.buffer_item((xway, direction, lane, segment, pos))
        over = [place for place in self.known if place not in now]
        if over:
            self.found.delete_items([self.known.pop(place) for place in over])
