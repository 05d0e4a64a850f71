"""What is known of a source beyond its schema: facts about every snapshot that generators keep and provers may use."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from semantics import (
    FOREVER,
    Interval,
    IntervalStream,
    LogicalStream,
    RawStream,
    Row,
    Schema,
    Stream,
    canonical,
    raw_to_physical,
)
from semantics.stream import IntervalElement
from semantics.value import identical_row

Case = Mapping[str, Stream]


@dataclass(frozen=True)
class NotNull:
    """These columns are never NULL."""

    source: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{', '.join(self.columns)} of {self.source} is not NULL"


@dataclass(frozen=True)
class Key:
    """In no snapshot do two rows agree in these columns, and none of these is NULL."""

    source: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{', '.join(self.columns)} is a key of {self.source}"


@dataclass(frozen=True)
class Unique:
    """In no snapshot do two rows agree in these columns, unless one of these is NULL."""

    source: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{', '.join(self.columns)} of {self.source} is unique unless NULL"


@dataclass(frozen=True)
class Once:
    """In the whole stream no two occurrences agree in these columns, and none of these is NULL.

    Every instant of validity is an occurrence, so elements hold for one instant. Then the columns are a key of every
    window over the stream, too.
    """

    source: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{', '.join(self.columns)} of {self.source} comes once only"


@dataclass(frozen=True)
class References:
    """In every snapshot the values of these columns, unless NULL, are there in the target's columns."""

    source: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]

    def __str__(self) -> str:
        there = f"{self.target}({', '.join(self.target_columns)})"
        return f"{', '.join(self.columns)} of {self.source} references {there}"


@dataclass(frozen=True)
class DuplicateFree:
    """In no snapshot is a row there twice."""

    source: str

    def __str__(self) -> str:
        return f"{self.source} has no duplicates"


@dataclass(frozen=True)
class UniqueInstants:
    """In no snapshot are there two rows."""

    source: str

    def __str__(self) -> str:
        return f"{self.source} has one row an instant at most"


@dataclass(frozen=True)
class Lasting:
    """Every element is valid at every instant, as the rows of a table are."""

    source: str

    def __str__(self) -> str:
        return f"{self.source} is the same at every instant"


Constraint = NotNull | Key | Unique | Once | References | DuplicateFree | UniqueInstants | Lasting
ALWAYS: Final = Interval(0, FOREVER)


def names(constraint: Constraint) -> set[str]:
    """The sources that a constraint is about."""
    return {constraint.source, *([constraint.target] if isinstance(constraint, References) else [])}


def broken(constraint: Constraint, case: Case) -> IntervalElement | None:
    """The first element that breaks the constraint, given those before it and the other streams."""
    stream = case[constraint.source]
    elements = elements_of(stream)
    for i, element in enumerate(elements):
        if not admits(constraint, element, elements[:i], case):
            return element
    return None


def admits(constraint: Constraint, element: IntervalElement, before: Sequence[IntervalElement], case: Case) -> bool:
    """May this element of the constraint's source join those before it?"""
    row, interval = element
    schema = case[constraint.source].schema
    together = [other for other, valid in before if valid.start < interval.end and interval.start < valid.end]
    match constraint:
        case NotNull(columns=columns):
            return None not in picked(schema, columns, row)
        case Key(columns=columns):
            key = picked(schema, columns, row)
            return None not in key and all(picked(schema, columns, other) != key for other in together)
        case Unique(columns=columns):
            key = picked(schema, columns, row)
            return None in key or all(picked(schema, columns, other) != key for other in together)
        case Once(columns=columns):
            key = picked(schema, columns, row)
            fresh = all(picked(schema, columns, other) != key for other, _ in before)
            return None not in key and fresh and interval.end == interval.start + 1
        case DuplicateFree():
            return all(identical_row(other) != identical_row(row) for other in together)
        case UniqueInstants():
            return not together
        case Lasting():
            return interval == ALWAYS
        case References(columns=columns):
            key = picked(schema, columns, row)
            return None in key or _covered(element, _matching(constraint, key, case[constraint.target]))


def picked(schema: Schema, columns: Iterable[str], row: Row) -> Row:
    """The values of these columns, one representative for all that count as the same."""
    return identical_row(tuple(row[schema.index(column, "Constraint")] for column in columns))


def elements_of(stream: Stream) -> tuple[IntervalElement, ...]:
    """The elements with their intervals: of a raw stream for one instant, of a logical one for whole runs."""
    match stream:
        case IntervalStream():
            return stream.elements
        case RawStream():
            return raw_to_physical(stream).elements
        case LogicalStream():
            return tuple((row, interval) for row, interval, n in canonical(stream) for _ in range(n))


def _matching(reference: References, key: Row, target: Stream) -> list[IntervalElement]:
    return [e for e in elements_of(target) if picked(target.schema, reference.target_columns, e[0]) == key]


def _covered(element: IntervalElement, targets: list[IntervalElement]) -> bool:
    """Is there a target at every instant of the element? Targets come in the order of their starts."""
    reached = element[1].start
    for _, interval in targets:
        if interval.start <= reached < interval.end:
            if interval.end >= element[1].end:
                return True
            reached = int(interval.end)
    return False
