"""Lines of text from a channel as elements: CSV whose first line names the columns. Every other line is a row.

Unlike in a file, a row may not contain a line break: what has arrived must be decodable without waiting for more.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO

import pyarrow as pa

from physical.columns.stream import PhysicalStream
from physical.files.decode import Decoder
from physical.files.errors import FileError
from physical.files.locate import brief_value, fits_text
from physical.files.raw_batches import csv_values
from semantics.how_many import how_many


@dataclass(frozen=True)
class LineDecoder(Decoder):
    """Decodes blocks of lines; errors name the line."""

    def error(self, row: int, problem: str, expected: str, column: str = "") -> FileError:
        return FileError(self.path, problem, expected, place=f"line {row + 2}", column=column)

    def header(self, line: bytes) -> list[str]:
        """The columns that the first line names, in any order; raises an error if a wanted one is missing."""
        names = next(csv.reader([line.decode("utf-8-sig").rstrip("\r\n")]), [])
        missing = [name for name in self.layout.names if name not in names]
        if missing or len(set(names)) < len(names):
            problem = f"there is no column {', '.join(missing)}" if missing else "two columns have one name"
            raise self.error(-1, f"{problem}; there are: {', '.join(names) or 'none'}", ", ".join(self.layout.names))
        return names

    def elements(self, block: bytes, names: list[str], first: int) -> PhysicalStream:
        """The rows of a block whose first row has this number."""
        from pyarrow import csv as reading

        types = {name: self.layout.arrow_type(name) for name in self.layout.names}
        parse = reading.ParseOptions(ignore_empty_lines=False)
        read = reading.ReadOptions(column_names=names, use_threads=False, block_size=max(len(block), 1))
        try:
            table = reading.read_csv(BytesIO(block), read, parse, csv_values(types))
        except pa.ArrowException as error:
            self._blame(block, names, first)
            raise self.error(first, f"from here on {str(error).splitlines()[0]}", "rows of CSV") from None
        if block.count(b'"') % 2 or table.num_rows != len(block.splitlines()):
            self._blame(block, names, first)
        return self.batch(table.combine_chunks().to_batches()[0], first).elements

    def _blame(self, block: bytes, names: list[str], first: int) -> None:
        """Raise an error about the first line that does not fit, if there is one."""
        for row, line in enumerate(block.splitlines(), first):
            values = self._fields(row, line)
            if len(values) != len(names):
                raise self.error(
                    row, f"{how_many(len(values), 'field')} where the header has {len(names)}", ", ".join(names)
                )
            for name, value in zip(names, values, strict=True):
                if name in self.layout.names and not fits_text(value, self.layout.type_of(name)):
                    raise self.error(row, f"{brief_value(value)} does not fit", self.layout.expected(name), name)

    def _fields(self, row: int, line: bytes) -> list[str]:
        try:
            return next(csv.reader([line.decode()], strict=True), [""])
        except UnicodeDecodeError:
            raise self.error(row, "this is no text in UTF-8", "text in UTF-8") from None
        except csv.Error as error:
            raise self.error(row, str(error), "CSV with quotes that are closed on their line") from None


def whole_lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Blocks of whole lines; a last line without a line end comes as the last block."""
    rest = b""
    while block := read():
        lines, end, rest = (rest + block).rpartition(b"\n")
        if end:
            yield lines + end
    if rest:
        yield rest


def decoded(blocks: Iterator[bytes], decoder: LineDecoder) -> Iterator[PhysicalStream]:
    """The elements of blocks of whole lines, the first of which is the header."""
    names: list[str] = []
    row = 0
    for block in blocks:
        if not names:
            line, end, block = block.partition(b"\n")
            names = decoder.header(line + end)
        if block:
            batch = decoder.elements(block, names, row)
            row += len(batch)
            yield batch
