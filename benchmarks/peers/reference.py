"""The reference, `semantics.evaluate`: the definition of every answer, so slow that it is timed once."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np

from benchmarks.harness.table import Answer, Inputs, Table
from benchmarks.harness.work import CanonicalForm, Contestant, DiffFiles, Equivalence, Run, RunFiles, Task
from benchmarks.studies.engine import NULL
from semantics import Interval, IntervalStream, LogicalStream, Query, Row, Schema, canonical, equivalent, evaluate
from semantics.plan import Source


@dataclass(frozen=True)
class Reference:
    """The task by its definition, with all snapshots before the horizon."""

    task: Task
    horizon: int
    name: str = "reference"
    special: str = ""
    largest: int | None = None
    once: bool = True

    def obstacle(self) -> None:
        return None

    def show(self) -> str:
        return f"semantics: {self.task}, instants 0 … {self.horizon - 1}"

    def prepare(self, inputs: Inputs) -> Contestant:
        match self.task:
            case Run(query=query):
                streams = {name: stream(table) for name, table in inputs.items()}
                return Contestant(lambda: evaluate(query, streams, self.horizon), snapshots)
            case CanonicalForm(query=query):
                only = _given(query, inputs)
                return Contestant(lambda: canonical(only), lambda runs: _runs(query.schema, runs))
            case Equivalence(left=left, right=right):
                first, second = _given(left, inputs), _given(right, inputs)
                return Contestant(lambda: equivalent(first, second), bool)
            case RunFiles() | DiffFiles():
                raise TypeError(f"the reference reads no files: {self.task}")
            case _:
                assert_never(self.task)


def stream(table: Table) -> IntervalStream:
    """Arrays as Python rows."""
    rows = zip(*(column.tolist() for column in table.columns.values()), strict=True)
    spans = (Interval(s, e) for s, e in zip(table.start.tolist(), table.end.tolist(), strict=True))
    schema = Schema.of(**dict.fromkeys(table.columns, int))
    return IntervalStream(schema, list(zip(rows, spans, strict=True)))


def snapshots(logical: LogicalStream) -> Answer:
    """A logical stream, each row of each snapshot as an element valid for one instant."""
    found = list(logical)
    start, count = (np.array([element[i] for element in found], np.int64) for i in (1, 2))
    return Table(_columns(logical.schema, [row for row, _, _ in found]), start, start + 1, count)


def _given(query: Query, inputs: Inputs) -> IntervalStream:
    assert isinstance(query.plan, Source)
    return stream(inputs[query.plan.name])


def _runs(schema: Schema, runs: Iterable[tuple[Row, Interval, int]]) -> Answer:
    found = list(runs)
    bounds = {
        "start": [i.start for _, i, _ in found],
        "end": [i.end for _, i, _ in found],
        "count": [n for *_, n in found],
    }
    return Table.facts(
        _columns(schema, [row for row, _, _ in found]) | {k: np.array(v, np.int64) for k, v in bounds.items()}
    )


def _columns(schema: Schema, rows: list[Row]) -> dict[str, Any]:
    """One array per column; in this package every value is a number or NULL."""
    return {name: np.array([_number(row[i]) for row in rows]) for i, name in enumerate(schema.names)}


def _number(value: Any) -> Any:
    return NULL if value is None else value
