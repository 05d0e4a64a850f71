"""A file as a physical stream: batches in the order of starts, checked while they are read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from physical.files.decode import DecodedBatch, Decoder
from physical.files.errors import FileError
from physical.files.formats import Format, check_readable, format_of
from physical.files.layout import Layout
from physical.files.locate import blame, check_quotes, located_rows, place_of, undecodable
from physical.files.raw_batches import column_names, object_names, raw_batches
from physical.files.typed_texts import READ_AS_TEXT


class UnorderedFile(FileError):
    """A file with a start that is before the one above it."""


@dataclass(frozen=True)
class FileReader:
    """A file with a layout."""

    path: Path
    layout: Layout

    def batches(self, *, ordered: bool = True) -> Iterator[DecodedBatch]:
        """The rows of the file, batch by batch; if `ordered`, a start out of order is an error."""
        check_readable(self.path)
        decoder, first, last = Decoder(self.path, self.layout), 0, 0
        for table in self.tables():
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
            raise UnorderedFile(self.path, problem, f"{before} or later", place=place, column=self.layout.start or "")
        return int(start[-1])

    def tables(self, others: Mapping[str, pa.DataType | None] = {}) -> Iterator[pa.RecordBatch]:
        """The columns as they are in the file, and some others beside them."""
        try:
            own = {name: self._type(name) for name in self._names()}
            yield from raw_batches(self.path, {**others, **own})
            if format_of(self.path) is Format.CSV:
                check_quotes(self.path)
        except UnicodeDecodeError:
            raise undecodable(self.path) from None
        except pa.ArrowException as error:
            blame(self.path, self.layout)
            problem = f"it cannot be read: {str(error).splitlines()[0]}"
            raise FileError(self.path, problem, "a file as its ending says") from None

    def _type(self, name: str) -> pa.DataType:
        """As the layout says; timestamps in JSON may be numbers, which the first row shows."""
        if name in self.layout.timestamps and format_of(self.path) is Format.JSON:
            first = next(located_rows(self.path), None)
            if first is not None and type(first[1].get(name)) is int:
                return pa.int64()
        return self.layout.arrow_type(name)

    def _names(self) -> list[str]:
        """The columns to read: all columns of the layout, and the count if the file has it."""
        wanted = self.layout.names
        typed = any(self.layout.arrow_type(name) == READ_AS_TEXT for name in wanted)
        there = object_names(self.path) if typed and format_of(self.path) is Format.JSON else column_names(self.path)
        missing = [name for name in wanted if name not in there]
        if missing and (there or self.path.suffix.lower() == ".csv"):
            problem = f"there is no column {', '.join(missing)}; there are: {', '.join(there) or 'none'}"
            raise FileError(self.path, problem, f"columns {', '.join(wanted)}, in any order")
        count = self.layout.count
        return [*wanted, count] if count is not None and count in there else list(wanted)
