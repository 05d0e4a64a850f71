"""A directed case: streams around the clues, such that all constraints hold.

Shrinking works on it as on every generator: fewer and smaller choices make a simpler case, and the simplest element is
a row of common values at instant 0.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.directed.clues import Clues
from equivalence.cases.directed.partners import Link, links_of, partner_row
from equivalence.cases.directed.pools import LATEST_START, Pools, pools_of
from equivalence.cases.random_cases import CASE_HORIZON, Case, kept, targets_first
from semantics import Interval, IntervalStream, RawStream, Row, Schema, Stream, Type, Value
from semantics.constraint import ALWAYS, Constraint, Lasting, References, elements_of
from semantics.decimals import scaled
from semantics.stream import IntervalElement
from semantics.time import FOREVER

MOST_ELEMENTS: Final = 6
"""Of one stream, each with its copies."""
MOST_COPIES_UNDER_CONSTRAINTS: Final = 200
"""Every element is compared with those before it there."""
MANY_ELEMENTS: Final = 200
"""A case that has so many copies gets no more, and more than this are all equal: joins would meet each with each."""
LONGEST_BURST: Final = 60
"""More copies than this come at once: one by one, each would change all windows that hold those before it."""
WAYS_TO_COPY: Final = (*[(False, False)] * 3, *[(True, False)] * 2, *[(False, True)] * 2, (True, True))
"""All different? One by one? Both together is rare, since every row is then seen at many instants."""

MakeRow = Callable[[str], Row]


def choose_directed_case(
    choices: Choices,
    schemas: Mapping[str, Schema],
    constraints: Collection[Constraint],
    clues: Clues,
    *,
    awkward: bool = True,
    varied: bool = False,
) -> Case:
    """Streams for these sources that satisfy the constraints, with values and times at and around the clues."""
    pools = pools_of(clues, tuple(sorted(schemas.items())), awkward, varied)
    draw = _Draw(choices, dict(schemas), clues, pools)
    case: dict[str, Stream] = {}
    for name in _order(choices, schemas, constraints):
        known = [constraint for constraint in constraints if constraint.source == name]
        elements = draw.elements(name, MOST_COPIES_UNDER_CONSTRAINTS if known else None)
        if Lasting(name) in known:
            elements = [(row, ALWAYS) for row, _ in elements]
        drawn = _stream(schemas[name], elements)
        case[name] = kept(choices, drawn, known, {**case, name: drawn}) if known else drawn
    return {name: case[name] for name in sorted(case)}


def _order(choices: Choices, schemas: Mapping[str, Schema], constraints: Collection[Constraint]) -> list[str]:
    """Which source is drawn first, so that the rows of others can meet its rows; those that others refer to must be."""
    order = targets_first(schemas, constraints)
    refers = any(isinstance(constraint, References) for constraint in constraints)
    return order[::-1] if len(order) > 1 and not refers and choices.chance(1, 2) else order


def settled_after(case: Case, clues: Clues) -> int:
    """An instant after which nothing new happens in a case: all elements have come, and windows have moved on."""
    elements = [interval for stream in case.values() for _, interval in elements_of(stream)]
    last = max([int(i.end if i.end != FOREVER else i.start + 1) for i in elements], default=0)
    return max(last + max(clues.spans, default=0) + 2, CASE_HORIZON)


class _Draw:
    """Draws the streams of one case, one after the other."""

    def __init__(self, choices: Choices, schemas: dict[str, Schema], clues: Clues, pools: Pools) -> None:
        self._choices = choices
        self._schemas = schemas
        self._clues = clues
        self._pools = pools
        self._rows: dict[str, list[Row]] = {name: [] for name in schemas}
        self._instants: list[int] = []
        self._starts: dict[tuple[str, Row], int] = {}
        self._met: tuple[int, ...] = ()
        """When the rows that the latest row meets have come."""
        self._copied = 0

    def elements(self, name: str, most_copies: int | None) -> list[IntervalElement]:
        """The elements of a source, in the order of their starts."""
        made: list[IntervalElement] = []
        number = 0
        while number < MOST_ELEMENTS and self._choices.chance(5, 6):
            made += self._copies(name, *self._element(name), most_copies)
            number += 1
        return sorted(made, key=lambda element: element[1].start)

    def _element(self, name: str) -> IntervalElement:
        self._met = ()
        row = self._row(name)
        self._rows[name].append(row)
        start = self._start()
        self._instants.append(start)
        self._starts[name, row] = start
        length = self._choices.of(self._pools.lengths[name])
        return row, Interval(start, FOREVER if length == FOREVER else start + length)

    def _start(self) -> int:
        """An instant of its own, or a step before or after another element; mostly near one that it meets."""
        if self._met and self._choices.chance(3, 4):
            base, way = self._choices.of(self._met), self._choices.below(4)
            return base if way < 2 else self._near(base, way)
        kind = self._choices.below(6) if self._instants else 0
        if kind < 2:
            return self._choices.of(self._pools.instants)
        base = self._instants[-1] if kind < 4 else self._choices.of(self._instants)
        return self._near(base, kind - 2)

    def _near(self, base: int, way: int) -> int:
        """A step later, or earlier; the first steps are none and short ones."""
        step = self._step()
        return base - step if way == 3 and step <= base else min(base + step, LATEST_START)

    def _step(self) -> int:
        """One of the distances that matter, or any other: a program may go wrong in the middle of a window."""
        anywhere = self._pools.reach > 0 and self._choices.chance(1, 5)
        return self._choices.below(self._pools.reach) if anywhere else self._choices.of(self._pools.steps)

    def _copies(self, name: str, row: Row, interval: Interval, most: int | None) -> Iterator[IntervalElement]:
        """The element; or as many as a threshold says: at once or one after the other, all equal or all different."""
        number = min(self._choices.of(self._pools.copies), most or LATEST_START)
        if number == 1 or self._copied > MANY_ELEMENTS:
            return iter([(row, interval)])
        self._copied += number
        different, one_by_one = self._choices.of(WAYS_TO_COPY)
        rows = self._fan(name, row, number) if different and number <= MANY_ELEMENTS else [row] * number
        step = 1 if one_by_one and number <= LONGEST_BURST else 0
        return ((copy, _moved(interval, i * step)) for i, copy in enumerate(rows))

    def _fan(self, name: str, row: Row, number: int) -> list[Row]:
        """Rows that differ from each other in one column."""
        column = self._choices.below(len(row))
        values = _different(self._schemas[name].types[column], number)
        return [(*row[:column], value, *row[column + 1 :]) for value in values] or [row] * number

    def _row(self, name: str) -> Row:
        return self._choices.of(self._ways(name))(name)

    def _ways(self, name: str) -> list[MakeRow]:
        """How a row can be made. All but the first are about telling conditions apart one by one."""
        ways: list[MakeRow] = [self._fresh, self._fresh]
        ways += [self._near_a_witness] * 3 if name in self._pools.witnesses else []
        ways += [self._repeated, self._near_a_row, self._near_a_row] if self._rows[name] else []
        ways += [self._at_a_boundary] if self._pools.boundaries.get(name) else []
        ways += [self._partner] * 4 if self._links(name) else []
        return ways

    def _fresh(self, name: str) -> Row:
        return tuple([self._value(name, i) for i in range(len(self._schemas[name]))])

    def _repeated(self, name: str) -> Row:
        return self._choices.of(self._rows[name])

    def _near_a_row(self, name: str) -> Row:
        return self._changed(name, self._choices.of(self._rows[name]))

    def _near_a_witness(self, name: str) -> Row:
        """A row that passes the conditions, as it is or with one column changed."""
        row = self._pools.witnesses[name]
        return self._changed(name, row) if self._choices.chance(2, 3) else row

    def _at_a_boundary(self, name: str) -> Row:
        return self._choices.of(self._pools.boundaries[name])

    def _partner(self, name: str) -> Row:
        """A row that meets earlier ones, or nearly does."""
        row = self._near_a_witness(name) if name in self._pools.witnesses else self._fresh(name)
        partners = {source: self._choices.of(rows) for source, rows in self._rows.items() if rows}
        links = self._links(name)
        self._met = tuple(self._starts[other, partners[other]] for link in links for other in link.others)
        row = partner_row(self._choices, row, links, partners)
        return self._changed(name, row) if self._choices.chance(1, 4) else row

    def _links(self, name: str) -> list[Link]:
        """The conditions on a row of this source and on others that there are already."""
        return [link for link in links_of(name, self._clues.links) if all(self._rows[other] for other in link.others)]

    def _changed(self, name: str, row: Row) -> Row:
        """The row with another value in one column."""
        column = self._choices.below(len(row))
        value = self._choices.of(self._pools.telling[name, column])
        return (*row[:column], value, *row[column + 1 :])

    def _value(self, name: str, column: int) -> Value:
        return self._choices.of(self._pools.values[name, column])


def _different(type_: Type, number: int) -> list[Value]:
    """As many values that differ, if the type has them."""
    match type_:
        case Type.INT:
            return list(range(number))
        case Type.FLOAT:
            return [float(value) for value in range(number)]
        case Type.STR:
            return [str(value) for value in range(number)]
        case Type.BOOL:
            return []
        case _ if type_.is_counted:
            return [type_.python(value) for value in range(number)]
        case _ if type_.sizes is not None:
            return [scaled(value, type_.sizes[1]) for value in range(min(number, 10 ** type_.sizes[0]))]
        case _:
            return []


def _moved(interval: Interval, by: int) -> Interval:
    return Interval(interval.start + by, interval.end + by)


def _stream(schema: Schema, elements: list[IntervalElement]) -> Stream:
    """A raw stream if every element is valid for one instant."""
    if all(interval.end == interval.start + 1 for _, interval in elements):
        return RawStream(schema, [(row, interval.start) for row, interval in elements])
    return IntervalStream(schema, elements)
