"""Constraints of one stream, kept by all rows that are let in: a row that would break one is set aside.

What is kept by all rows is kept by those that a later query sees. Only a reference to another stream is not: its
target may have come before the query did. Such a reference is neither checked nor used; one to a table is.
"""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import Final, Protocol

import numpy as np

from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Bools
from semantics import Schema
from semantics.sql import Constraint
from semantics.value import Row, identical_row

BYTES_OF_A_KEY: Final = 250
"""About as much takes a key that is remembered, with its interval."""


class _Check(Protocol):
    """What one constraint says of a row, given those that were let in before."""

    def problem(self, row: Row, start: int, end: int) -> str: ...

    def note(self, row: Row, start: int, end: int) -> None: ...

    def forget(self, promised: int) -> None: ...

    def held(self) -> int: ...


class KeptConstraints:
    """Looks at the rows of a stream in the order in which they come."""

    def __init__(
        self, schema: Schema, constraints: Sequence[Constraint], tables: Mapping[str, PhysicalStream] = {}
    ) -> None:
        self.checks = [check for each in constraints for check in _checks(schema, each, tables)]

    def broken(self, batch: PhysicalStream, promised: int) -> dict[int, str]:
        """Rows that must not be let in, by their place, with the reason. The others are remembered.

        No row that starts before `promised` counts: it is late, and dropped for that.
        """
        if not self.checks:
            return {}
        found: dict[int, str] = {}
        for check in self.checks:
            check.forget(promised)
        elements = zip(rows(batch.columns), batch.start.tolist(), batch.end.tolist(), strict=True)
        for i, (row, start, end) in enumerate(elements):
            reason = self._see(row, start, end) if start >= promised else ""
            if reason:
                found[i] = reason
        return found

    def _see(self, row: Row, start: int, end: int) -> str:
        reason = next(filter(None, (check.problem(row, start, end) for check in self.checks)), "")
        if not reason:
            for check in self.checks:
                check.note(row, start, end)
        return reason

    @property
    def bytes(self) -> int:
        """About how much memory the remembered keys take."""
        return BYTES_OF_A_KEY * sum(check.held() for check in self.checks)


def without(batch: PhysicalStream, places: Mapping[int, str]) -> PhysicalStream:
    """The other rows."""
    if not places:
        return batch
    kept: Bools = np.ones(len(batch), bool)
    kept[list(places)] = False
    return batch.take(kept)


class _NotNull:
    def __init__(self, schema: Schema, columns: tuple[str, ...], kind: str) -> None:
        self.places = {schema.names.index(name): name for name in columns}
        self.kind = kind

    def problem(self, row: Row, start: int, end: int) -> str:  # noqa: ARG002  # whenever it is valid
        null = next((name for place, name in self.places.items() if row[place] is None), None)
        return "" if null is None else f"column {null}: NULL breaks {self.kind}; expected a value"

    def note(self, row: Row, start: int, end: int) -> None: ...

    def forget(self, promised: int) -> None: ...

    def held(self) -> int:
        return 0


class _Unique:
    """No two rows that are valid at the same time agree in these columns; of those with a NULL nothing is said."""

    when: str = " at the same time"

    def __init__(self, schema: Schema, columns: tuple[str, ...], kind: str) -> None:
        self.places = [schema.names.index(name) for name in columns]
        self.kind = f"{kind} ({', '.join(columns)})"
        self.valid: dict[Row, list[tuple[int, int]]] = {}
        self.ends: list[tuple[int, int, Row]] = []
        self.number = 0

    def problem(self, row: Row, start: int, end: int) -> str:
        key = self._key(row)
        if key is None or not any(self._meet(start, end, *other) for other in self.valid.get(key, ())):
            return ""
        what = f"{self._shown(key)} at {start} breaks {self.kind}: an earlier row has it{self.when}, too"
        return f"{what}; expected values that no other row has{self.when}"

    def note(self, row: Row, start: int, end: int) -> None:
        key = self._key(row)
        if key is not None:
            self.valid.setdefault(key, []).append((start, end))
            self._will_end(key, end)

    def forget(self, promised: int) -> None:
        """Rows that no later one can meet."""
        while self.ends and self.ends[0][0] <= promised:
            _, _, key = heappop(self.ends)
            lasting = [other for other in self.valid.get(key, ()) if other[1] > promised]
            if lasting:
                self.valid[key] = lasting
            else:
                self.valid.pop(key, None)

    def held(self) -> int:
        return len(self.valid)

    def _will_end(self, key: Row, end: int) -> None:
        self.number += 1  # keys of a heap must differ before it compares rows, which may hold NULL
        heappush(self.ends, (end, self.number, key))

    def _meet(self, start: int, end: int, other_start: int, other_end: int) -> bool:
        return start < other_end and other_start < end

    def _key(self, row: Row) -> Row | None:
        key = identical_row(tuple(row[place] for place in self.places))
        return None if None in key else key

    def _shown(self, key: Row) -> str:
        return repr(key[0]) if len(key) == 1 else repr(key)


class _Once(_Unique):
    """No two rows of the whole stream agree in these columns: all keys are remembered."""

    when = ""

    def _will_end(self, key: Row, end: int) -> None: ...

    def _meet(self, start: int, end: int, other_start: int, other_end: int) -> bool:  # noqa: ARG002  # always
        return True


class _Exists:
    """The values, unless NULL, are there in a table, which is the same at every instant."""

    def __init__(self, schema: Schema, constraint: Constraint, table: PhysicalStream) -> None:
        self.places = [schema.names.index(name) for name in constraint.columns]
        self.there = f"{constraint.table}({', '.join(constraint.target)})"
        targets = [table.columns[table.schema.names.index(name)] for name in constraint.target]
        self.known = {identical_row(row) for row in rows(targets)}

    def problem(self, row: Row, start: int, end: int) -> str:  # noqa: ARG002  # the table is always the same
        key = identical_row(tuple(row[place] for place in self.places))
        if None in key or key in self.known:
            return ""
        return f"{key} refers to nothing in {self.there}; expected values of {self.there}"

    def note(self, row: Row, start: int, end: int) -> None: ...

    def forget(self, promised: int) -> None: ...

    def held(self) -> int:
        return len(self.known)


def _checks(schema: Schema, constraint: Constraint, tables: Mapping[str, PhysicalStream]) -> list[_Check]:
    columns, kind = constraint.columns, constraint.kind
    match kind:
        case "NOT NULL":
            return [_NotNull(schema, columns, kind)]
        case "PRIMARY KEY":
            return [_NotNull(schema, columns, kind), _Unique(schema, columns, kind)]
        case "ONCE":
            return [_NotNull(schema, columns, kind), _Once(schema, columns, kind)]
        case "UNIQUE":
            return [_Unique(schema, columns, kind)]
        case "REFERENCES" if constraint.table in tables:
            return [_Exists(schema, constraint, tables[constraint.table])]
        case _:
            return []
