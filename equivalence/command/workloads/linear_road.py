"""Traffic for Linear Road at any size, from a seed: cars that enter, drive, slow down behind accidents, and leave.

Time is in seconds. Every car reports its position every 30 seconds, at a phase of its own. An accident is two cars that
stop in one place for some minutes; cars that come near it crawl.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.files.writer import table_in_file
from physical.kernels.types import ENDLESS, Array, Ints
from semantics import Schema, Type

SECONDS_BETWEEN_REPORTS: Final = 30
FEET_PER_SEGMENT: Final = 5280
"""One mile."""
FEET_PER_MILE_PER_HOUR: Final = 44
"""Between two reports."""
CRAWLING_SPEED: Final = 12
SPEED_BEFORE_A_CRASH: Final = 50
"""Miles per hour of cars that will crash: they drive side by side."""
EXIT_LANE: Final = 4
DAYS_OF_HISTORY: Final = 70
POSITION: Final = Schema.of(car=int, speed=int, xway=int, lane=int, dir=int, seg=int, pos=int)
BALANCE: Final = Schema.of(query=int, car=int)
EXPENDITURE: Final = Schema.of(query=int, car=int, day=int, xway=int)
TARIFF: Final = Schema.of(slow=float, few=int, base=int)
HISTORY: Final = Schema.of(car=int, day=int, xway=int, tolls=int)

TABLES: Final = ("Tariff", "History")
CARS_PER_MINUTE: Final = 580
"""Cars that enter one expressway: 20 reports a second after the first minute, 1,700 after three hours."""
MINUTES_BETWEEN_ACCIDENTS: Final = 20


@dataclass(frozen=True)
class Traffic:
    """How much traffic there is, and where."""

    cars: int
    minutes: int
    xways: int = 1
    segments: int = 100
    accidents: int = 2
    few: int = 50
    """Cars up to which a segment costs nothing."""
    seed: int = 0

    @classmethod
    def at_load(cls, load: float, minutes: int, seed: int = 0) -> "Traffic":
        """Traffic like that of the benchmark; the load is the number of expressways.

        >>> Traffic.at_load(0.5, 10).cars
        2900
        """
        cars, accidents = round(load * minutes * CARS_PER_MINUTE), round(load * minutes / MINUTES_BETWEEN_ACCIDENTS)
        return cls(max(cars, 2), minutes, xways=max(round(load), 1), accidents=max(accidents, 1), seed=seed)

    def write(self, folder: Path, ending: str = "csv") -> list[Path]:
        """Write all streams and tables into a folder; a stream has its time in a last column."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = {name: folder / f"{name}.{ending}" for name in self.streams}
        for name, path in paths.items():
            table = _arrow(self.streams[name], timed=name not in TABLES)
            with table_in_file(path, table.schema) as sink:
                sink.write(table)
        return list(paths.values())

    @cached_property
    def streams(self) -> dict[str, PhysicalStream]:
        """All streams and tables of examples/linear_road/schema.sql."""
        random = np.random.default_rng(self.seed)
        reports = self._reports(random)
        asked = np.sort(random.choice(len(reports["car"]), max(len(reports["car"]) // 20, 1), replace=False))
        query: Ints = np.arange(len(asked))
        car, time = reports["car"][asked], reports["time"][asked]
        day, xway = random.integers(1, DAYS_OF_HISTORY, len(asked)), reports["xway"][asked]
        seen = np.unique(np.stack([car, day, xway])[:, ::2], axis=1)
        return {
            "Position": _events(POSITION, [reports[name] for name in POSITION.names], reports["time"]),
            "BalanceRequest": _events(BALANCE, [query, car], time),
            "ExpenditureRequest": _events(EXPENDITURE, [query, car, day, xway], time),
            "Tariff": _table(TARIFF, [np.array([value]) for value in (40.0, self.few, 2)]),
            "History": _table(HISTORY, [*seen, np.asarray(random.integers(0, 100, seen.shape[1]))]),
        }

    def _reports(self, random: np.random.Generator) -> dict[str, Ints]:
        """All position reports in the order of time."""
        ticks = self.minutes * 60 // SECONDS_BETWEEN_REPORTS
        length = self.segments * FEET_PER_SEGMENT
        enter = np.sort(random.integers(0, max(ticks - 4, 1), self.cars))
        phase, xway = random.integers(0, SECONDS_BETWEEN_REPORTS, self.cars), random.integers(0, self.xways, self.cars)
        direction, cruise = random.integers(0, 2, self.cars), random.integers(35, 75, self.cars)
        way, lane = random.integers(0, length // 2, self.cars), random.integers(1, 4, self.cars)
        crash = self._crashes(random, [enter, xway, direction, way, lane])
        found = []
        for tick in range(ticks):
            here = np.flatnonzero((enter <= tick) & (way < length))
            speed = self._speeds(tick, here, crash, xway, direction, way, cruise)
            last = way[here] + speed * FEET_PER_MILE_PER_HOUR >= length
            pos = np.where(direction[here] == 0, way[here], length - 1 - way[here])
            time = tick * SECONDS_BETWEEN_REPORTS + phase[here]
            lanes = np.where(last, EXIT_LANE, lane[here])
            found.append([here, speed, xway[here], lanes, direction[here], pos // FEET_PER_SEGMENT, pos, time])
            way[here] += speed * FEET_PER_MILE_PER_HOUR
        whole = np.concatenate([np.stack(part) for part in found], axis=1)
        whole = whole[:, np.lexsort([whole[0], whole[-1]])]
        return dict(zip([*POSITION.names, "time"], whole, strict=True))

    def _crashes(self, random: np.random.Generator, cars: list[Ints]) -> dict[str, Ints]:
        """Pairs of cars that drive side by side, and stand in one place from a tick on until another."""
        pairs = random.choice(self.cars, (min(self.accidents, self.cars // 2), 2), replace=False)
        first, second = pairs[:, 0], pairs[:, 1]
        cars[0][first] //= 2  # early enough to be seen
        for of in cars:
            of[second] = of[first]
        begin = cars[0][first] + 2
        return {"first": first, "second": second, "begin": begin, "end": begin + random.integers(6, 20, len(pairs))}

    def _speeds(
        self, tick: int, here: Ints, crash: dict[str, Ints], xway: Ints, direction: Ints, way: Ints, cruise: Ints
    ) -> Ints:
        """Who has crashed stands, who comes near crawls, all others cruise."""
        speed = cruise[here].copy()
        both = np.concatenate([crash["first"], crash["second"]])
        speed[np.isin(here, both)] = SPEED_BEFORE_A_CRASH
        now = (crash["begin"] <= tick) & (tick < crash["end"])
        for car in crash["first"][now]:
            ahead = way[car] - way[here]
            near = (
                (xway[here] == xway[car])
                & (direction[here] == direction[car])
                & (ahead >= 0)
                & (ahead < 2 * FEET_PER_SEGMENT)
            )
            speed[near] = CRAWLING_SPEED
        speed[np.isin(here, np.concatenate([crash["first"][now], crash["second"][now]]))] = 0
        return speed


def _arrow(stream: PhysicalStream, timed: bool) -> pa.Table:
    columns = [pa.array(column.values) for column in stream.columns] + [pa.array(stream.start)] * timed
    return pa.table(columns, names=[*stream.schema.names, *["time"] * timed])


def _events(schema: Schema, columns: list[Array], time: Ints) -> PhysicalStream:
    made = tuple(ColumnVector(type_, values) for type_, values in zip(schema.types, columns, strict=True))
    return PhysicalStream(schema, made, time, time + 1)


def _table(schema: Schema, columns: list[Array]) -> PhysicalStream:
    """Rows that are valid at every instant."""
    count = len(columns[0])
    values = [
        np.asarray(c, np.float64 if t is Type.FLOAT else np.int64) for c, t in zip(columns, schema.types, strict=True)
    ]
    made = tuple(ColumnVector(type_, column) for type_, column in zip(schema.types, values, strict=True))
    return PhysicalStream(schema, made, np.zeros(count, np.int64), np.full(count, ENDLESS))
