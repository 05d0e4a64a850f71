"""What the rows of a log do: they add, take back, replace or delete."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from equivalence.recordings.operations import Operation, operation_of
from equivalence.recordings.places import Place, Places
from equivalence.recordings.reading import Reading
from equivalence.recordings.recorded_files import RecordedBatch, at
from physical.columns.arrow_buffers import as_type, numbers, validity
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.files.errors import FileError
from physical.kernels.types import Array, Bools, Ints
from semantics import SnapeqError, Type

SIGNS: Final[dict[str, dict[Operation, int]]] = {
    "retract": {"insert": 1, "update after": 1, "update before": -1, "delete": -1},
    "upsert": {"insert": 1, "update after": 1, "update": 1, "delete": -1},
}
"""What the operations of a log do; those that are missing do not occur in it."""
WRONG_LOG: Final = {
    "retract": "an operation of an upsert log, whose new value replaces the old one",
    "upsert": "an operation of a retract log, which takes back what was there",
}
RIGHT_LOG: Final = {
    "retract": "+I, -U, +U or -D; or say --as upsert --key …",
    "upsert": "+I, +U, u or -D; or say --as retract",
}
CODES_IN_USE: Final = "one of +I, -U, +U, -D, c, r, u, d, insert, delete, update_before, update_after"


@dataclass(frozen=True)
class RowSigns:
    """The signs of one batch; `first` is the number of its first row, `place` finds the line of a row."""

    reading: Reading
    places: Places
    batch: RecordedBatch
    name: str
    place: Callable[[int], str]
    first: int
    seen: dict[Operation, int]
    """The operations that occurred so far, each with its first row; this batch adds its own."""

    def of(self, rows: PhysicalStream) -> Ints:
        """+1 for a row that adds or replaces, −1 for one that takes back or deletes; or any amount."""
        kind = self.reading.kind
        if kind not in SIGNS:
            self._check_only_insertions()
            return np.ones(len(rows), np.int64)
        if self.places.operation is None and kind == "upsert":
            return np.where(self._are_tombstones(rows), -1, 1)
        array = self._codes()
        if pa.types.is_integer(array.type) and kind == "retract":
            return self._amounts(array)
        return self._coded(array)

    def of_envelopes(self) -> tuple[Bools, Bools]:
        """Which envelopes of Debezium take back `before`, and which add `after` or replace what is there by it."""
        assert self.places.envelope is not None
        assert self.places.before is not None
        indices, found = self._operations(self._codes())
        deletes = np.array([each == "delete" for each in found] or [False])[indices]
        updates = np.array([each in ("update", "update after") for each in found] or [False])[indices]
        takes = deletes if self.reading.key is not None else deletes | updates
        self._check(~deletes & ~self._is_there(self.places.envelope), "after", "the new row")
        remedy = "the old row; or --key NAME, if the connector does not write it"
        self._check(takes & ~self._is_there(self.places.before[0][:-1]), "before", remedy)
        return takes, ~deletes

    def _check_only_insertions(self) -> None:
        """A file of another kind may have a column that is called like operations, but none of these."""
        if self.places.operation is None:
            return
        codes = self._codes()
        for code in codes.unique().to_pylist():
            operation = operation_of(code)
            if operation not in (None, "insert"):
                expected = f"rows of {self.reading.kind}; or say --as retract or --as upsert"
                row = codes.to_pylist().index(code)
                raise self._error(row, f"{code} is an operation of a changelog ({operation})", expected)

    def _codes(self) -> pa.Array:
        if self.places.operation is None:
            raise SnapeqError(
                f"{self.name}: there is no column with operations; expected one, such as op, or --op NAME"
            )
        return at(self.batch.table, self.places.operation)

    def _are_tombstones(self, rows: PhysicalStream) -> Bools:
        """Without operations, NULL in all columns beside the key deletes."""
        key, names = self.reading.key or (), self.reading.schema.names
        others = [column for name, column in zip(names, rows.columns, strict=False) if name not in key]
        return np.logical_and.reduce([~c.mask() for c in others]) if others else np.zeros(len(rows), np.bool_)

    def _amounts(self, array: pa.Array) -> Ints:
        if array.null_count:
            raise self._error(int(np.argmin(validity(array))), "there is no amount", "a whole number")
        return numbers(as_type(array, pa.int64()))

    def _coded(self, array: pa.Array) -> Ints:
        signs, kind = SIGNS[self.reading.kind], self.reading.kind
        indices, found = self._operations(array)
        for i, operation in enumerate(found):
            if operation not in signs:
                row = int(np.argmax(indices == i))
                raise self._error(row, f"{array[row].as_py()} is {WRONG_LOG[kind]}", RIGHT_LOG[kind])
        return np.array([signs[operation] for operation in found] or [0], np.int64)[indices]

    def _operations(self, array: pa.Array) -> tuple[Ints, list[Operation]]:
        """The operations of all rows, as numbers of a list."""
        if array.null_count:
            raise self._error(int(np.argmin(validity(array))), "there is no operation", CODES_IN_USE)
        encoded = array.cast(pa.string()).dictionary_encode()
        codes, indices = encoded.dictionary.to_pylist(), numbers(encoded.indices).astype(np.int64)
        found = []
        for i, code in enumerate(codes):
            operation = operation_of(code)
            if operation is None:
                raise self._error(int(np.argmax(indices == i)), f"the operation {code!r} is unknown", CODES_IN_USE)
            found.append(operation)
            self.seen.setdefault(operation, self.first + int(np.argmax(indices == i)))
        return indices, found

    def _is_there(self, root: Place) -> Bools:
        return validity(at(self.batch.table, root))

    def _check(self, wrong: Bools, name: str, expected: str) -> None:
        if wrong.any():
            raise self._error(int(np.argmax(wrong)), f"there is no {name}", expected)

    def _error(self, row: int, problem: str, expected: str) -> FileError:
        column = ".".join(self.places.operation or ())
        return FileError(self.place(self.first + row), problem, expected, column=column)


def with_signs(rows: PhysicalStream, signs: Ints | int) -> PhysicalStream:
    """The same rows with other counts."""
    counts: Array = np.full(len(rows), signs) if isinstance(signs, int) else signs
    return rows.with_columns(rows.schema, (*rows.columns[:-1], ColumnVector(Type.INT, counts)))
