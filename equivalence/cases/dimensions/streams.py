"""The streams of a row: values, times and copies as its dimensions say."""

from collections.abc import Iterator, Sequence
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.dimensions.dimension import Row
from equivalence.cases.dimensions.plans import key_columns
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
from equivalence.cases.dimensions.retention import counted_rows, gone, memory, reach
from equivalence.cases.random_cases import Case
from semantics import FOREVER, Interval, IntervalStream, Plan, RawStream, Schema, Stream, Value
from semantics import Row as Values
from semantics.plan import Binary, CountWindow, Difference, Intersection, Over, PartitionedWindow
from semantics.stream import IntervalElement

DISTINCT_ROWS: Final = 4
"""Of those that are chosen one by one: more than two keys, and few enough to meet again."""
MOST_CHOSEN: Final = 10
"""Elements of a stream that are chosen one by one."""
CROWDED_ROWS: Final = 2
MOST_CROWDED: Final = 14
"""The same where elements of few keys are to end one after the other."""
LARGEST_STREAM: Final = 5_000
MANY_COPIES: Final = (1000, 512, 256, 513, 257)
"""Some of these counts are 0 in their last byte."""
FEW: Final = 12
MOST_INSTANTS: Final = 205
"""At which the elements start that let a window of rows run full."""


class StreamsOfRow:
    """Streams of a row: few elements that are chosen one by one, and as many more as the row says, by a rule."""

    def __init__(self, choices: Choices, row: Row, plan: Plan) -> None:
        self.choices = choices
        self.row = row
        self.plan = plan
        self.base = INSTANTS[row["instants"]]
        self.pause = reach(plan) + 50
        """After it nothing of what was before is left in any window that ends."""
        self.distances = [d for d in DISTANCES if d < memory(plan, row)] or [2, 3]
        """After each of them something of what was before may still be there."""
        self.crowded = row["ends"] == "adjacent"
        self.distinct_rows = CROWDED_ROWS if self.crowded else DISTINCT_ROWS
        self.rows: list[Values] = []
        self.ends: list[int] = []
        """Instants at which something goes; others then start there, or an instant before or after."""
        self.crowd: IntervalElement | None = None
        self.crowded_copies = 0

    def case(self) -> Case:
        schemas = self.plan.sources()
        large = self.choices.of(sorted(schemas))
        return {name: self.stream(schemas[name], name == large) for name in sorted(schemas)}

    def stream(self, schema: Schema, large: bool) -> Stream:
        raw = self.row["lengths"] == "instant" and self.choices.chance(1, 2)
        elements = [self.element() for _ in self.several()]
        if large:
            elements += self.more()
        if self.row["copies"] == "1000" and isinstance(self.plan, Intersection | Difference):
            elements += self.shared(elements)
        elif large:
            elements += elements[:1] * (self.copies() - 1)
        elements.sort(key=lambda element: element[1].start)
        if raw:
            return RawStream(schema, [(row, interval.start) for row, interval in elements])
        return IntervalStream(schema, elements)

    def several(self) -> Iterator[int]:
        number = 0
        while number < (MOST_CROWDED if self.crowded else MOST_CHOSEN) and self.choices.chance(14, 15):
            yield number
            number += 1

    def copies(self) -> int:
        match self.row["copies"]:
            case "1":
                return 1
            case "several":
                return self.choices.between(2, 5)
            case _:
                return self.choices.of(MANY_COPIES)

    def shared(self, elements: list[IntervalElement]) -> list[IntervalElement]:
        """Many copies of one element in either stream, often one more or less in the other."""
        if self.crowd is None and elements:
            self.crowd, self.crowded_copies = elements[0], self.choices.of(MANY_COPIES)
            return [self.crowd] * self.crowded_copies
        return [self.crowd] * (self.crowded_copies + self.choices.of((1, -1, 0, 300, -200))) if self.crowd else []

    # Elements ----------------------------------------------------------------------------------------------------

    def element(self) -> IntervalElement:
        if self.crowded and self.ends and self.choices.chance(1, 2):
            return self.values(), self.valid(self.choices.of(self.ends) + self.choices.of((0, -1, 1)))
        valid = self.early()
        end = gone(self.plan, valid)
        if end != FOREVER:
            self.ends.append(int(end))
        return self.values(), valid

    def early(self) -> Interval:
        """It starts in the first instants, or after a pause."""
        start = self.base + self.choices.below(4)
        if self.row["keys return"] != "no" and self.choices.chance(1, 2):
            start += self.pause if self.row["keys return"] == "later" else self.choices.of(self.distances)
        return self.valid(start)

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
        if self.rows and (len(self.rows) >= 2 * self.distinct_rows or self.choices.chance(1, 2)):
            return self.choices.of(self.rows)
        known = self.rows and self.choices.chance(1, 2)
        columns = key_columns(self.row)
        key = (
            self.choices.of(self.rows)[:columns]
            if known
            else self.key(self.choices.below(self.distinct_rows + columns))
        )
        self.rows.append((*key, *self.payload()))
        return self.rows[-1]

    def key(self, i: int) -> Values:
        """The i-th key: it differs from key 0 in one column only, and each column has its turn."""
        columns = key_columns(self.row)
        place, number = i % columns, -(-i // columns)
        value = [key_value(self.row["keys"], number if column == place else 0) for column in range(columns)]
        if columns > 1 and not self.crowded and self.null(8):  # several of them at once, the others as they are
            return tuple(None if self.choices.chance(1, 2) else v for v in value)
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
        counted = isinstance(self.plan, CountWindow | PartitionedWindow | Over)
        spread = max(needed // MOST_INSTANTS if counted else number // 4, 1)
        last = self.base + max(number - 1, 0) // spread
        return [
            *((self.bulk_row(i, i >= needed), self.bulk_span(self.base + i // spread)) for i in range(number)),
            *((self.bulk_row(i, i >= needed), self.bulk_span(last)) for i in self.once_more(needed, number)),
        ]

    def once_more(self, needed: int, number: int) -> list[int]:
        """Where there are hundreds of keys, which of them come again when all have been seen."""
        return (
            [needed + self.choices.below(number - needed) for _ in range(FEW)] if number - needed >= MANY_KEYS else []
        )

    def needed(self) -> int:
        """As many elements as let a window or a frame that counts them run full, for each of two keys."""
        counted = counted_rows(self.plan)
        return 2 * (counted + 1) if counted > 2 else 0

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
