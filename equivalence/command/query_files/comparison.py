"""Are two result files snapshot-equivalent? If not, where first, and what does each say there?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from physical.files.counted import counted, counted_schema, snapshot
from physical.files.errors import FileError
from physical.files.formats import format_of
from physical.files.infer import common_schema, inferred, widened
from physical.files.layout import result_layout
from physical.files.reader import FileReader, UnorderedFile
from physical.files.stream_difference import first_difference
from physical.kernels.types import ENDLESS
from physical.runtime.run_whole import clipped
from semantics import Instant, Multiset, Schema
from semantics.value import identical_row

Change = Callable[[PhysicalStream], PhysicalStream]


@dataclass(frozen=True)
class Difference:
    """The first instant at which two files differ, and both snapshots."""

    instant: Instant
    left: Multiset
    right: Multiset
    found: tuple[int, int] | None = None
    """How many rows there are in either snapshot, if they are more than are here."""

    @property
    def sizes(self) -> tuple[int, int]:
        return (len(self.left), len(self.right)) if self.found is None else self.found


@dataclass(frozen=True)
class ResultFile:
    """An interval file, and what is done to its elements before they are compared."""

    path: Path
    change: Change = lambda elements: elements

    def elements(self, schema: Schema, ordered: bool, horizon: int) -> Iterator[PhysicalStream]:
        for batch in counted(FileReader(self.path, result_layout(schema)), ordered=ordered):
            changed = self.change(batch)
            yield changed if horizon == ENDLESS else clipped(changed, horizon)


def compare_files(left: Path, right: Path) -> Difference | None:
    """Where two files differ first; what types their columns have is seen from the values."""
    schema = common_schema(inferred(left), inferred(right), (left, right))
    while True:
        try:
            return compare(ResultFile(left), ResultFile(right), schema)
        except FileError as error:
            wider = widened(schema, error) if any(format_of(path).has_lines for path in (left, right)) else None
            if wider is None:
                raise
            schema = wider


def compare(left: ResultFile, right: ResultFile, schema: Schema, horizon: int = ENDLESS) -> Difference | None:
    """Where two files with these columns differ first; those that are not in the order of time are sorted."""
    try:
        return _compare(left, right, schema, horizon, ordered=True)
    except UnorderedFile:
        return _compare(left, right, schema, horizon, ordered=False)


def _compare(left: ResultFile, right: ResultFile, schema: Schema, horizon: int, *, ordered: bool) -> Difference | None:
    whole = counted_schema(schema)
    sides = [file.elements(schema, ordered, horizon) for file in (left, right)]
    found = first_difference(sides[0], sides[1], whole)
    if found is None:
        return None
    mine, theirs = (snapshot(file.elements(schema, ordered, horizon), found, whole) for file in (left, right))
    return Difference(found, _multiset(mine), _multiset(theirs))


def _multiset(elements: PhysicalStream) -> Multiset:
    listed = rows(elements.columns)
    return Multiset.sum((identical_row(row[:-1]), cast(int, row[-1])) for row in listed)
