"""Results of a query: numbered from 0, the last ones in memory for clients that come late, all of them in a file."""

import json
from collections import deque
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from threading import Condition
from typing import IO, Any

import numpy as np
import pyarrow as pa

from physical.columns.arrow import to_arrow
from physical.columns.arrow_types import arrow_type
from physical.columns.stream import PhysicalStream
from physical.files.formats import Format, format_of
from physical.files.layout import END, START
from physical.files.whole_file import writable
from physical.files.writer import CsvText
from semantics import Schema, SnapeqError
from semantics.notation.json_values import json_element


class ResultBuffer:
    """The last results of a query; clients read from a number on, each at its own pace."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.number = 0
        """How many results there were so far."""
        self._batches: deque[tuple[int, PhysicalStream]] = deque()
        self._changed = Condition()
        self.closed = False

    def add(self, batch: PhysicalStream) -> None:
        """Take results, and forget the oldest ones if there are too many."""
        with self._changed:
            self._batches.append((self.number, batch))
            self.number += len(batch)
            while len(self._batches) > 1 and self._batches[1][0] <= self.number - self.limit:
                self._batches.popleft()
            self._changed.notify_all()

    def close(self) -> None:
        """There will be no more results."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    @property
    def first(self) -> int:
        """The number of the oldest result that is still here."""
        return max(self._batches[0][0], self.number - self.limit) if self._batches else self.number

    def after(self, number: int, timeout: float = 0) -> tuple[int, list[PhysicalStream]]:
        """All results from a number on, and the number of the first of them: those before it are gone.

        Waits up to `timeout` seconds if there are none yet.
        """
        with self._changed:
            if timeout:
                self._changed.wait_for(lambda: self.number > number or self.closed, timeout)
            begin = min(max(number, self.first), self.number)
            return begin, [
                batch.take(np.s_[max(begin - first, 0) :])
                for first, batch in self._batches
                if first + len(batch) > begin
            ]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_changed": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._changed = Condition()


def listed(batches: list[PhysicalStream]) -> Iterator[list[object]]:
    """Elements as JSON values: the row, its start, and its end or null."""
    for batch in batches:
        for row, interval in batch.to_interval().elements:
            yield json_element(row, interval)


class ResultText:
    """Results as lines of CSV or JSON."""

    def __init__(self, schema: Schema, format_: Format) -> None:
        if not format_.has_lines:
            raise SnapeqError("results that are never complete are written as .csv or .jsonl")
        self.format = format_
        columns = [(column.name, arrow_type(column.type)) for column in schema.columns]
        self.schema = pa.schema([*columns, (START, pa.int64()), (END, pa.int64())])

    def header(self) -> bytes:
        out = BytesIO()
        if self.format is Format.CSV:
            CsvText(self.schema, out.write).begin()
        return out.getvalue()

    def lines(self, batch: PhysicalStream) -> bytes:
        if self.format is Format.CSV:
            return self._csv(to_arrow(batch).cast(self.schema))
        names = self.schema.names
        rows = (dict(zip(names, element, strict=True)) for element in listed([batch]))
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "backslashreplace")

    def _csv(self, table: pa.Table) -> bytes:
        from pyarrow.csv import WriteOptions, write_csv

        out = BytesIO()
        write_csv(table, out, WriteOptions(include_header=False))
        return out.getvalue()


class GrowingFile:
    """A file that text is appended to.

    After a crash the same text is written again from an earlier position: what is in the file already is compared
    and left as it is, so that readers of the file see nothing twice.
    """

    def __init__(self, path: Path) -> None:
        self.path = writable(path)
        self.position = 0
        self._file: IO[bytes] | None = None

    def write(self, text: bytes) -> None:
        """Append a text, as far as it is not in the file yet."""
        file = self._opened()
        there = self._common(file, text)
        if there < len(text):
            file.seek(self.position + there)
            file.truncate()
            file.write(text[there:])
            file.flush()
        self.position += len(text)

    def end_here(self) -> None:
        """Cut off whatever is in the file behind the last text."""
        file = self._opened()
        file.seek(self.position)
        file.truncate()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_file": None}

    def _common(self, file: IO[bytes], text: bytes) -> int:
        """How many bytes of the text are in the file already."""
        file.seek(self.position)
        there = file.read(len(text))
        if text.startswith(there):
            return len(there)
        return next(i for i, (a, b) in enumerate(zip(there, text, strict=False)) if a != b)

    def _opened(self) -> IO[bytes]:
        if self._file is None:
            fresh = not self.path.exists()
            self._file = self.path.open("w+b" if fresh else "r+b")
            size = self._file.seek(0, 2)
            if size < self.position:
                raise SnapeqError(
                    f"{self.path}: it has {size} bytes; expected the {self.position} that were written to it"
                )
        return self._file


def result_text(schema: Schema, path: Path) -> ResultText:
    """The lines of a file; its ending says which format."""
    try:
        return ResultText(schema, format_of(path))
    except SnapeqError as error:
        raise SnapeqError(f"{path}: {error}") from None
