"""A case of a row: a plan, streams, how they are delivered, and up to when that matters.

A row is itself a sequence of choices, one for each dimension. So a finding shrinks from its row to simpler values, and
from there to fewer elements, like any other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.delivery import Delivery, choose_comings
from equivalence.cases.dimensions.dimension import Row, dimensions_of, possible
from equivalence.cases.dimensions.plans import choose_plan_of, key_columns
from equivalence.cases.dimensions.pools import (
    DISTANCES,
    FLOATS,
    INSTANTS,
    INTEGERS,
    MANY_KEYS,
    SHORT_DISTANCES,
    TEXTS,
    key_value,
)
from equivalence.cases.random_cases import Case
from equivalence.cases.schedules import DISORDER_SLACK, choose_schedule
from semantics import FOREVER, Interval, IntervalStream, Plan, RawStream, Schema, Stream, Value
from semantics import Row as Values
from semantics.constraint import elements_of
from semantics.plan import Binary, CountWindow, Difference, Intersection, LandmarkWindow, PartitionedWindow, TimeWindow
from semantics.stream import IntervalElement
from semantics.time import End

DISTINCT_ROWS: Final = 4
"""Of those that are chosen one by one: more than two keys, and few enough to meet again."""
MOST_CHOSEN: Final = 10
"""Elements of a stream that are chosen one by one."""
LARGEST_STREAM: Final = 5_000
MOST_INSTANTS: Final = 205
"""At which the elements start that let a window of rows run full."""
SMALL_BATCH: Final = 8
SMALL_CASE: Final = 100
"""Elements. A larger case is pushed in batches of any size: small ones take long, and small cases have them."""


@dataclass(frozen=True)
class Scenario:
    """A plan and a case to try an engine on, and the row of the covering list that they were made of."""

    plan: Plan
    case: Case
    horizon: int
    delivery: Delivery
    row: Row


class RowThenSeed(SeededChoices):
    """The choices of a row, and then those of a seed."""

    def __init__(self, first: Sequence[int], seed: object) -> None:
        super().__init__(seed)
        self._first = iter(first)

    def below(self, n: int) -> int:
        given = next(self._first, None)
        if given is None:
            return super().below(n)
        self.made.append(given)
        return given


def choices_of(operator: type[Plan], row: Row, seed: object, sessions: bool = True) -> SeededChoices:
    """Choices from which `choose_scenario` makes a case of this row."""
    places = [dimension.values.index(row[dimension.name]) for dimension in dimensions_of(operator, sessions)]
    return RowThenSeed(places, seed)


def choose_scenario(choices: Choices, operator: type[Plan], sessions: bool = True) -> Scenario:
    """A value of each dimension, and then a case of these values."""
    row: dict[str, str] = {}
    for dimension in dimensions_of(operator, sessions):
        value = choices.of(dimension.values)
        # A row of the covering list is always possible; what shrinking makes of it need not be.
        row[dimension.name] = value if possible({**row, dimension.name: value}) else dimension.values[0]
    plan = choose_plan_of(choices, operator, row)
    case = _Streams(choices, row, plan).case()
    return Scenario(plan, case, _horizon(plan, case, row), _choose_delivery(choices, case, row), row)


def _horizon(plan: Plan, case: Case, row: Row) -> int:
    """After everything has come and gone."""
    spans = [interval for stream in case.values() for _, interval in elements_of(stream)]
    last = max((s.start if s.end == FOREVER else int(s.end) for s in spans), default=INSTANTS[row["instants"]])
    return last + _reach(plan) + (_reset(plan) or 0) + 4


def _reach(plan: Plan) -> int:
    """How long after its input a window can change."""
    windows = [node for node in plan.walk() if isinstance(node, TimeWindow)]
    return max([(0 if w.size == FOREVER else int(w.size)) + 2 * w.slide for w in windows], default=0)


def _reset(plan: Plan) -> int | None:
    return plan.reset if isinstance(plan, LandmarkWindow) else None


def _memory(plan: Plan, row: Row) -> End:
    """How long something may stay."""
    if isinstance(plan, CountWindow | PartitionedWindow | LandmarkWindow):
        return _reset(plan) or FOREVER
    if row["lengths"] in ("long", "for ever"):
        return FOREVER
    return max((w.size for w in plan.walk() if isinstance(w, TimeWindow)), default=0)


def _choose_delivery(choices: Choices, case: Case, row: Row) -> Delivery:
    kind = row["delivery"]
    if kind in ("rows", "columns"):
        return Delivery(columns=kind == "columns")
    slack = DISORDER_SLACK if kind == "disorder" else 0
    largest = SMALL_BATCH if sum(map(_size, case.values())) < SMALL_CASE else LARGEST_STREAM
    schedule = choose_schedule(choices, case, slack=slack, largest=1 if kind == "one by one" else largest)
    if kind == "queries come and go":
        return choose_comings(choices, schedule)
    return Delivery(schedule=schedule, slack=slack)


def _size(stream: Stream) -> int:
    return len(elements_of(stream))


class _Streams:
    """Streams of a row: few elements that are chosen one by one, and as many more as the row says, by a rule."""

    def __init__(self, choices: Choices, row: Row, plan: Plan) -> None:
        self.choices = choices
        self.row = row
        self.plan = plan
        self.base = INSTANTS[row["instants"]]
        self.pause = _reach(plan) + (_reset(plan) or 0) + 50
        """After it nothing of what was before is left in any window that ends."""
        self.distances = [d for d in DISTANCES if d < _memory(plan, row)] or [2, 3]
        """After each of them something of what was before may still be there."""
        self.rows: list[Values] = []
        self.crowd: IntervalElement | None = None

    def case(self) -> Case:
        schemas = self.plan.sources()
        large = self.choices.of(sorted(schemas))
        return {name: self.stream(schemas[name], name == large) for name in sorted(schemas)}

    def stream(self, schema: Schema, large: bool) -> Stream:
        raw = self.row["lengths"] == "instant" and self.choices.chance(1, 2)
        elements = [self.element() for _ in self.several()]
        if large:
            elements += elements[:1] * (self.copies() - 1) + self.more()
        if isinstance(self.plan, Intersection | Difference):
            elements += self.shared(elements)
        elements.sort(key=lambda element: element[1].start)
        if raw:
            return RawStream(schema, [(row, interval.start) for row, interval in elements])
        return IntervalStream(schema, elements)

    def several(self) -> Iterator[int]:
        number = 0
        while number < MOST_CHOSEN and self.choices.chance(14, 15):
            yield number
            number += 1

    def copies(self) -> int:
        match self.row["copies"]:
            case "1":
                return 1
            case "several":
                return self.choices.between(2, 5)
            case _:
                return 1000

    def shared(self, elements: list[IntervalElement]) -> list[IntervalElement]:
        """Many copies of one element in either stream: of what only one side has often, these operators show little."""
        if self.row["copies"] != "1000" or not elements:
            return []
        self.crowd = self.crowd or elements[0]
        return [self.crowd] * (500 + self.choices.below(1000))

    # Elements ----------------------------------------------------------------------------------------------------

    def element(self) -> IntervalElement:
        start = self.base + self.choices.below(4)
        if self.row["keys return"] != "no" and self.choices.chance(1, 2):
            start += self.pause if self.row["keys return"] == "later" else self.choices.of(self.distances)
        return self.values(), self.valid(start)

    def valid(self, start: int) -> Interval:
        match self.row["lengths"]:
            case "instant":
                return Interval(start, start + 1)
            case "for ever" if self.choices.chance(1, 2):
                return Interval(start, FOREVER)
            case "long" | "hundreds" as lengths if self.choices.chance(1, 2):
                return Interval(start, start + self.choices.of(DISTANCES if lengths == "long" else SHORT_DISTANCES))
            case _:
                return Interval(start, start + self.choices.between(1, 4))

    def values(self) -> Values:
        """A row that there is already, in either stream, or another one; then perhaps one with a known key."""
        if self.rows and (len(self.rows) >= 2 * DISTINCT_ROWS or self.choices.chance(1, 2)):
            return self.choices.of(self.rows)
        known = self.rows and self.choices.chance(1, 2)
        columns = key_columns(self.row)
        key = self.choices.of(self.rows)[:columns] if known else self.key(self.choices.below(DISTINCT_ROWS + columns))
        self.rows.append((*key, *self.payload()))
        return self.rows[-1]

    def key(self, i: int) -> Values:
        """The i-th key: it differs from key 0 in one column only, and each column has its turn."""
        columns = key_columns(self.row)
        place, number = i % columns, -(-i // columns)
        value = [key_value(self.row["keys"], number if column == place else 0) for column in range(columns)]
        return tuple(None if self.null(16) else v for v in value)

    def payload(self) -> Values:
        pools: tuple[Sequence[Value], ...] = (
            INTEGERS[self.row["integers"]],
            FLOATS[self.row["floats"]],
            TEXTS[self.row["texts"]],
        )
        return tuple(None if self.null(6) else self.choices.of(pool) for pool in pools)

    def null(self, of: int) -> bool:
        return self.row["NULLs"] == "some" and self.choices.chance(1, of)

    # Many elements -----------------------------------------------------------------------------------------------

    def more(self) -> list[IntervalElement]:
        """As many elements as the row asks for, or as its window needs to run full: one choice makes them all."""
        needed = self.needed()
        number = needed + self.number()
        # All of them start together or, for windows that count them, one after the other, unless a window needs many.
        counted = isinstance(self.plan, CountWindow | PartitionedWindow)
        spread = max(needed // MOST_INSTANTS if counted else number // 4, 1)
        return [(self.bulk_row(i, i >= needed), self.bulk_span(self.base + i // spread)) for i in range(number)]

    def needed(self) -> int:
        """As many elements as let a window that counts them run full, for each of two keys."""
        if isinstance(self.plan, CountWindow | PartitionedWindow) and max(self.plan.rows, self.plan.slide) > 2:
            return 2 * (max(self.plan.rows, self.plan.slide) + 1)
        return 0

    def number(self) -> int:
        match self.row["elements"]:
            case "few":
                return 0
            case "tens":
                return 30 + self.choices.below(20)
            case _:
                large = self.choices.chance(1, 8) and not isinstance(self.plan, Binary)
                return LARGEST_STREAM if large else MANY_KEYS + self.choices.below(200)

    def bulk_span(self, start: int) -> Interval:
        return Interval(start, start + (1 if self.row["lengths"] == "instant" else 2))

    def bulk_row(self, i: int, further: bool) -> Values:
        """A key that comes once if hundreds are asked for, else one of two or three; and values in turn."""
        number = i % 2 if not further else i if self.row["elements"] == "hundreds" else i % 3
        columns = key_columns(self.row)
        keys = [key_value(self.row["keys"], number if c == number % columns else 0) for c in range(columns)]
        pools: tuple[Sequence[Value], ...] = (
            INTEGERS[self.row["integers"]],
            FLOATS[self.row["floats"]],
            TEXTS[self.row["texts"]],
        )
        return (*keys, *(pool[i % len(pool)] for pool in pools))
