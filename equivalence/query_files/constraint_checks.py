"""Constraints of declarations, checked while the file is read.

The first row that violates one is an error that names the file, the row and what was expected there. Only rows that are
still valid are remembered, so that memory does not depend on the length of the file.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from physical.columns.column import rows
from physical.columns.row_numbers import row_numbers
from physical.columns.stream import PhysicalStream, joined
from physical.files.decode import DecodedBatch, Decoder
from physical.files.reader import FileReader
from physical.files.slack import ordered_batches
from physical.kernels.types import Bools, Ints
from physical.planning.planner import physical_plan
from physical.runtime.operator_graph import OperatorGraph
from semantics import Schema
from semantics.expression import And, Comparison, Expression, IsNull, Not, Ref
from semantics.plan import Antijoin, Filter, Plan, Source

if TYPE_CHECKING:
    from semantics.sql import Constraint, Declaration


def checked_batches(reader: FileReader, declared: "Declaration | None", slack: int = 0) -> Iterator[PhysicalStream]:
    """The stream of a file, batch by batch, until a row violates what the declaration says about this stream alone."""
    constraints = () if declared is None else declared.constraints
    checks = [check for constraint in constraints for check in _checks(constraint, reader)]
    for batch in ordered_batches(reader, slack):
        for check in checks:
            check.see(batch)
        yield batch.elements


def unordered_checks(
    reader: FileReader, declared: "Declaration | None"
) -> tuple[list[Callable[[DecodedBatch], None]], list[str]]:
    """Checks that rows in any order allow, and remarks on constraints that they do not."""
    constraints = () if declared is None else declared.constraints
    checks = [check for constraint in constraints for check in _checks(constraint, reader)]
    possible: list[Callable[[DecodedBatch], None]] = [check.see for check in checks if isinstance(check, _NotNull)]
    kinds = dict.fromkeys(c.kind for c in constraints if c.kind != "NOT NULL")
    return possible, [f"{reader.path}: {kind} is not checked, since rows come in any order" for kind in kinds]


class _NotNull:
    def __init__(self, columns: tuple[str, ...], kind: str, reader: FileReader) -> None:
        self.positions = [reader.layout.schema.names.index(name) for name in columns]
        self.kind = kind
        self.reader = reader

    def see(self, batch: DecodedBatch) -> None:
        for position in self.positions:
            column = batch.elements.columns[position]
            if column.valid is not None and not column.valid.all():
                row = int(batch.numbers[int(np.argmin(column.valid))])
                name = self.reader.layout.schema.names[position]
                raise _error(self.reader, row, f"NULL breaks {self.kind}", f"a value: {name} is {self.kind}", name)


class _Unique:
    """No two rows that are valid at the same time agree in these columns."""

    too, when = " at that time, too", " at the same time"

    def __init__(self, columns: tuple[str, ...], kind: str, reader: FileReader) -> None:
        schema = reader.layout.schema
        self.positions = [schema.names.index(name) for name in columns]
        self.schema = Schema(tuple(schema.columns[position] for position in self.positions))
        self.kind = f"{kind} ({', '.join(columns)})"
        self.reader = reader
        self.live = PhysicalStream.empty(self.schema)
        self.numbers = np.empty(0, np.int64)

    def see(self, batch: DecodedBatch) -> None:
        keys = batch.elements.with_columns(self.schema, [batch.elements.columns[i] for i in self.positions])
        known = np.logical_and.reduce([column.mask() for column in keys.columns])
        whole = joined([self.live, keys.take(known)])
        numbers = np.concatenate([self.numbers, batch.numbers[known]])
        if len(whole):
            self._check(whole, numbers)
            lasting = self._lasting(whole)
            self.live, self.numbers = whole.take(lasting), numbers[lasting]

    def _lasting(self, whole: PhysicalStream) -> Bools:
        """Which of these keys a later row may meet."""
        return np.asarray(whole.end > whole.start[-1])

    def _check(self, whole: PhysicalStream, numbers: Ints) -> None:
        """Among equal keys in the order of starts, an overlap shows between neighbours."""
        keys, _ = row_numbers(whole.columns)
        order = np.argsort(keys, kind="stable")
        before, after = order[:-1], order[1:]
        both = (keys[before] == keys[after]) & self._meet(whole, before, after)
        if both.any():
            i = int(after[both][np.argmin(numbers[after[both]])])
            values = rows(whole.take(np.array([i])).columns)[0]
            problem = f"{values} at {whole.start[i]} breaks {self.kind}: a row above has it{self.too}"
            raise _error(self.reader, int(numbers[i]), problem, f"values that no other row has{self.when}")

    def _meet(self, whole: PhysicalStream, before: Ints, after: Ints) -> Bools:
        return np.asarray(whole.end[before] > whole.start[after])


class _Once(_Unique):
    """No two rows of the whole stream agree in these columns: memory grows with the number of keys."""

    too, when = ", too", ""

    def _lasting(self, whole: PhysicalStream) -> Bools:
        return np.ones(len(whole), bool)

    def _meet(self, whole: PhysicalStream, before: Ints, after: Ints) -> Bools:  # noqa: ARG002  # always
        return np.ones(len(before), bool)


def watch_references(
    graph: OperatorGraph, declared: "Declaration", reader: FileReader, targets: dict[str, Plan]
) -> list[str]:
    """Let the graph look for rows that refer to nothing; returns a remark for each target that is not given."""
    remarks = []
    for constraint in declared.constraints:
        if constraint.kind != "REFERENCES":
            continue
        target = targets.get(constraint.table)
        if target is None:
            remarks.append(unchecked(declared, constraint))
            continue
        node = graph.add(physical_plan(dangling(declared, constraint, target), frozenset()))
        node.subscribers.append(_Refusal(reader, constraint))
    return remarks


def unchecked(declared: "Declaration", constraint: "Constraint") -> str:
    return f"{declared.name} REFERENCES {constraint.table}: not checked, {constraint.table} is not given"


class _Refusal:
    """Subscribes to rows that refer to nothing, and turns the first of them into an error."""

    def __init__(self, reader: FileReader, constraint: "Constraint") -> None:
        self.reader = reader
        self.constraint = constraint

    def __call__(self, found: PhysicalStream) -> None:
        row, at = rows(found.columns)[0], int(found.start[0])
        position = _row_number(self.reader, row, at)
        there = f"{self.constraint.table}({', '.join(self.constraint.target)})"
        problem = f"{row} refers to nothing in {there} at {at}"
        raise _error(self.reader, position, problem, f"values of {there}", ", ".join(self.constraint.columns))


def dangling(declared: "Declaration", constraint: "Constraint", target: Plan) -> Plan:
    """The rows of a stream whose columns, unless NULL, are nowhere in the target."""
    source = Source(declared.name, declared.schema)
    mine = [declared.schema.names.index(name) for name in constraint.columns]
    theirs = [target.schema.names.index(name) for name in constraint.target]
    known: list[Expression] = [Not(IsNull(Ref(i, declared.schema.types[i]))) for i in mine]
    width = len(declared.schema)
    equal: list[Expression] = [
        Comparison("=", Ref(i, declared.schema.types[i]), Ref(width + j, target.schema.types[j]))
        for i, j in zip(mine, theirs, strict=True)
    ]
    return Antijoin(Filter(source, all_of(known)), target, all_of(equal))


def all_of(conditions: list[Expression]) -> Expression:
    first, *others = conditions
    for other in others:
        first = And(first, other)
    return first


def _row_number(reader: FileReader, row: tuple[object, ...], at: int) -> int:
    for batch in reader.batches(ordered=False):
        valid = np.flatnonzero((batch.elements.start <= at) & (at < batch.elements.end))
        for i, values in zip(valid, rows(batch.elements.take(valid).columns), strict=True):
            if values == row:
                return batch.first + int(i)
    return 0


def _checks(constraint: "Constraint", reader: FileReader) -> "list[_NotNull | _Unique]":
    match constraint.kind:
        case "NOT NULL":
            return [_NotNull(constraint.columns, "NOT NULL", reader)]
        case "PRIMARY KEY":
            kind = "PRIMARY KEY"
            return [_NotNull(constraint.columns, kind, reader), _Unique(constraint.columns, kind, reader)]
        case "ONCE":
            kind = "ONCE"
            return [_NotNull(constraint.columns, kind, reader), _Once(constraint.columns, kind, reader)]
        case "UNIQUE":
            return [_Unique(constraint.columns, "UNIQUE", reader)]
        case _:
            return []


def _error(reader: FileReader, row: int, problem: str, expected: str, column: str = "") -> Exception:
    return Decoder(reader.path, reader.layout).error(row, problem, expected, column)
