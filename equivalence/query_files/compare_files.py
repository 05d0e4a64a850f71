"""Are two result files snapshot-equivalent? If not, at which instant first, and what does each hold there?

Files in the order of time are compared while they are read. Others are sorted first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from physical.files.counted import counted, counted_schema, snapshot
from physical.files.errors import FileError
from physical.files.exact_numbers import check_exact
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
class ResultDifference:
    """The first instant at which two files differ, and both snapshots."""

    instant: Instant
    left: Multiset
    right: Multiset
    all_rows: tuple[int, int] | None = None
    """The sizes of both snapshots, if `left` and `right` are only a part of them."""

    @property
    def sizes(self) -> tuple[int, int]:
        return (len(self.left), len(self.right)) if self.all_rows is None else self.all_rows


@dataclass(frozen=True)
class ResultFile:
    """An interval file, and what is done to its elements before they are compared."""

    path: Path
    change: Change = lambda elements: elements

    def elements(self, schema: Schema, ordered: bool, horizon: int) -> Iterator[PhysicalStream]:
        for batch in counted(FileReader(self.path, result_layout(schema)), ordered=ordered):
            changed = self.change(batch)
            yield changed if horizon == ENDLESS else clipped(changed, horizon)


def compare_files(left: Path, right: Path) -> ResultDifference | None:
    """Where two files differ first; the types of their columns are inferred from the values.

    If they do not differ, no value may have been rounded: such a column is an error.
    """
    schema, difference = _compare_as_inferred(left, right)
    if difference is None:
        check_exact(left, schema)
        check_exact(right, schema)
    return difference


def _compare_as_inferred(left: Path, right: Path) -> tuple[Schema, ResultDifference | None]:
    """The first types that all values fit, and where the files differ."""
    schema = common_schema(inferred(left), inferred(right), (left, right))
    while True:
        try:
            return schema, compare(ResultFile(left), ResultFile(right), schema)
        except FileError as error:
            wider = widened(schema, error) if any(format_of(path).has_lines for path in (left, right)) else None
            if wider is None:
                raise
            schema = wider


def compare(left: ResultFile, right: ResultFile, schema: Schema, horizon: int = ENDLESS) -> ResultDifference | None:
    """Where two files with these columns differ first."""
    try:
        return _compare(left, right, schema, horizon, ordered=True)
    except UnorderedFile:
        return _compare(left, right, schema, horizon, ordered=False)


def _compare(
    left: ResultFile, right: ResultFile, schema: Schema, horizon: int, *, ordered: bool
) -> ResultDifference | None:
    whole = counted_schema(schema)
    sides = [file.elements(schema, ordered, horizon) for file in (left, right)]
    instant = first_difference(sides[0], sides[1], whole)
    if instant is None:
        return None
    mine, theirs = (snapshot(file.elements(schema, ordered, horizon), instant, whole) for file in (left, right))
    return ResultDifference(instant, _multiset(mine), _multiset(theirs))


def _multiset(elements: PhysicalStream) -> Multiset:
    listed = rows(elements.columns)
    return Multiset.sum((identical_row(row[:-1]), cast(int, row[-1])) for row in listed)
