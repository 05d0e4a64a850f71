"""Inside a Spark worker: one partition of the data goes through the interval engine, in Arrow batches.

Several inputs come as one table: a tag names the input of each row, and columns of one type share a slot.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from semantics import Plan, Schema, Type
from semantics.plan import Source

TAG: Final = "_tag"
Batches = Iterator[pa.RecordBatch]


class WorkerFailure(Exception):
    """An error of ours, as a line that the driver recognises."""


@dataclass(frozen=True)
class Task:
    """A plan over sources called 0, 1, 2, …; its result matters up to the horizon."""

    plan: Plan
    inputs: tuple[Schema, ...]
    horizon: int | None = None

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        from physical.engines.spark.frame import to_table
        from physical.engines.spark.large_partition import TaskInputs, results

        for result in results(self.plan, TaskInputs.of(batches, self.inputs), self.horizon):
            yield from to_table(result).to_batches(1 << 17)


@dataclass(frozen=True)
class EachBatch:
    """A stateless plan, batch by batch, so that no batch has to be held."""

    task: Task

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            yield from self.task(iter([batch]))


def failing_readably(work: Callable[[Batches], Batches], batches: Batches) -> Batches:
    """The output of the work; an error of ours becomes one that the driver can read."""
    from physical.engines.spark.errors import marked
    from semantics import SnapeqError

    try:
        yield from work(batches)
    except SnapeqError as error:
        raise WorkerFailure(marked(error)) from None


def source(tag: int, schema: Schema) -> Source:
    """An input of a task, as a source of its plan."""
    return Source(str(tag), schema)


def slots(schema: Schema) -> list[str]:
    """The slot of each column of an input: the first column of a type has the first slot of that type, and so on."""
    counts: dict[Type, int] = {}
    found = []
    for type_ in schema.types:
        found.append(f"{_word(type_)}{counts.get(type_, 0)}")
        counts[type_] = counts.get(type_, 0) + 1
    return found


def _word(type_: Type) -> str:
    """What a type is called in the name of a column: decimal_10_2_, say."""
    return re.sub(r"\W+", "_", type_.value)


def all_slots(schemas: Sequence[Schema]) -> dict[str, Type]:
    """The slots that these inputs need together, and their types."""
    return {slot: type_ for schema in schemas for slot, type_ in zip(slots(schema), schema.types, strict=True)}


def apart(batches: Iterable[pa.RecordBatch], schemas: Sequence[Schema]) -> list[pa.Table]:
    """The separate inputs again, each with the columns of a frame."""
    from physical.engines.spark.frame import END, START, names

    listed = list(batches)
    found = []
    for tag, schema in enumerate(schemas):
        taken, called = [*slots(schema), START, END], [*names(schema), START, END]
        mine = [_of_input(batch, tag if schemas[1:] else None, taken) for batch in listed]
        found.append(_table(mine, schema).rename_columns(called))
    return found


def _of_input(batch: pa.RecordBatch, tag: int | None, columns: list[str]) -> pa.RecordBatch:
    chosen = batch.select(columns)
    return chosen if tag is None else chosen.filter(pc.equal(batch.column(TAG), tag))


def _table(batches: list[pa.RecordBatch], schema: Schema) -> pa.Table:
    from physical.columns.arrow_types import arrow_type
    from physical.engines.spark.frame import END, START

    if batches:
        return pa.Table.from_batches(batches)
    fields = [(slot, arrow_type(t)) for slot, t in zip(slots(schema), schema.types, strict=True)]
    return pa.schema([*fields, (START, pa.int64()), (END, pa.int64())]).empty_table()
