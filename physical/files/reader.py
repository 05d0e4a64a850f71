"""A file as a physical stream: batches in the order of starts, checked while they are read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from physical.columns.threads import thread_count
from physical.files.decode import DecodedBatch, Decoder
from physical.files.errors import FileError
from physical.files.formats import Format, check_readable, format_of
from physical.files.layout import Layout, spelled_as
from physical.files.locate import blame, check_quotes, located_rows, place_of, undecodable
from physical.files.raw_batches import TEXT_BYTES_AT_ONCE, column_names, object_names, raw_batches
from physical.files.read_ahead import ReadAhead
from physical.files.typed_texts import READ_AS_TEXT


class UnorderedFile(FileError):
    """A file with a start that is before the one above it."""


@dataclass(frozen=True)
class FileReader:
    """A file with a layout."""

    path: Path
    layout: Layout
    beginnings: list[ReadAhead[pa.RecordBatch]] = field(default_factory=list, init=False, compare=False, repr=False)
    """What is being read already, and waits for somebody who wants it."""

    def batches(self, *, ordered: bool = True) -> Iterator[DecodedBatch]:
        """The rows of the file, batch by batch; if `ordered`, a start out of order is an error."""
        check_readable(self.path)
        decoder, first, last = Decoder(self.path, self.layout), 0, 0
        for table in self._tables_ahead():
            batch = decoder.batch(table, first)
            if ordered and table.num_rows:
                last = self._in_order(batch, last)
            first += table.num_rows
            yield batch

    def _in_order(self, batch: DecodedBatch, last: int) -> int:
        """Check that no start is before the one above it; gives the last start."""
        start = batch.elements.start
        back = np.diff(start, prepend=last) < 0
        if back.any():
            i = int(np.argmax(back))
            before = last if i == 0 else int(start[i - 1])
            problem = f"{start[i]} comes after {before}: the file is not in the order of time"
            place = place_of(self.path, batch.first + i)
            expected = f"{before} or later, or --late keep, which takes rows in any order"
            raise UnorderedFile(self.path, problem, expected, place=place, column=self.layout.start or "")
        return int(start[-1])

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Begin to read now: the first who asks for batches takes what is there by then."""
        reading = [ReadAhead(self.tables)] if self._reads_ahead() else []
        self.beginnings.extend(reading)
        try:
            yield
        finally:
            self.beginnings.clear()
            for each in reading:
                each.stop()

    def _tables_ahead(self) -> Iterator[pa.RecordBatch]:
        """The tables of a large file are read while others are treated."""
        if self.beginnings:
            return self.beginnings.pop().items()
        return ReadAhead(self.tables).items() if self._reads_ahead() else self.tables()

    def _reads_ahead(self) -> bool:
        """Is it large, and is there a thread to spare?"""
        return self.path.stat().st_size > TEXT_BYTES_AT_ONCE and thread_count() > 1

    def tables(self, others: Mapping[str, pa.DataType | None] = {}) -> Iterator[pa.RecordBatch]:
        """The columns as they are in the file, and some others beside them."""
        try:
            spelled = self._spelled()
            own = {there: self._type(name, there) for name, there in spelled.items()}
            names = {there: name for name, there in spelled.items()}
            for batch in raw_batches(self.path, {**others, **own}):
                yield batch.rename_columns([names.get(name, name) for name in batch.schema.names])
            if format_of(self.path) is Format.CSV:
                check_quotes(self.path)
        except UnicodeDecodeError:
            raise undecodable(self.path) from None
        except pa.ArrowException as error:
            blame(self.path, self.layout)
            problem = f"it cannot be read: {str(error).splitlines()[0]}"
            raise FileError(self.path, problem, "a file as its ending says") from None

    def _type(self, name: str, there: str) -> pa.DataType:
        """As the layout says; timestamps in JSON may be numbers, which the first row shows."""
        if name in self.layout.timestamps and format_of(self.path) is Format.JSON:
            first = next(located_rows(self.path), None)
            if first is not None and type(first[1].get(there)) is int:
                return pa.int64()
        return self.layout.arrow_type(name)

    def _spelled(self) -> dict[str, str]:
        """The columns to read as the file spells them: all of the layout, and the count if the file has it.

        Capital letters matter only if several names differ in nothing else.
        """
        wanted = self.layout.names
        typed = any(self.layout.arrow_type(name) == READ_AS_TEXT for name in wanted)
        there = object_names(self.path) if typed and format_of(self.path) is Format.JSON else column_names(self.path)
        spelled = {name: found for name in wanted if (found := spelled_as(name, there)) is not None}
        missing = [name for name in wanted if name not in spelled]
        if missing and (there or self.path.suffix.lower() == ".csv"):
            problem = f"there is no column {', '.join(missing)}; there are: {', '.join(there) or 'none'}"
            raise FileError(self.path, problem, f"columns {', '.join(wanted)}, in any order" + self._header(there))
        count = self.layout.count
        spelled |= {name: name for name in missing}
        return {**spelled, count: count} if count is not None and count in there else spelled

    def _header(self, there: list[str]) -> str:
        """What to do if the first line of a file is a row already."""
        has_none = format_of(self.path) is Format.CSV and len(there) >= len(self.layout.names)
        return ", named in its first line" if has_none and not set(self.layout.names) & set(there) else ""
