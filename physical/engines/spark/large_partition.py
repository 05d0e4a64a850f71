"""The inputs of a task. If a partition has very many rows they wait on disk, and its plan is run batch by batch.

So a partition that is far too large takes longer, but does not need more memory than its windows do.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from physical.columns.stream import PhysicalStream, in_order
from physical.engines.interval.algebra import interval_graph
from physical.engines.interval.run_plan import run
from physical.engines.spark.frame import from_batches
from physical.engines.spark.worker_tasks import Batches, apart
from physical.files.canonical_runs import runs_of
from physical.files.counted import counted_schema
from physical.files.run_in_batches import PATIENCE, add_runs, rounds
from physical.files.spill import Spill
from physical.kernels.types import ENDLESS
from physical.runtime.run_whole import clipped
from semantics import Plan, Schema

ROWS_IN_MEMORY: Final = 1 << 22
"""The rows of a partition that are computed as a whole, which is fastest: twice as many as a partition should have."""
ROWS_ON_THE_WAY: Final = 1 << 18
"""The rows that wait for the disk."""


@dataclass
class TaskInputs:
    """The rows of each input of a task, in memory, or on disk in the order of time."""

    schemas: tuple[Schema, ...]
    waiting: list[pa.RecordBatch] = field(default_factory=list)
    spills: list[Spill] = field(default_factory=list)
    chronons: list[bool] = field(default_factory=list)
    """For each input on disk: is every row valid for one instant only?"""

    @classmethod
    def of(cls, batches: Batches, schemas: tuple[Schema, ...], in_memory: int | None = None) -> "TaskInputs":
        """Take all rows of a partition, of which some may stay in memory, ROWS_IN_MEMORY if nothing is said."""
        inputs, rows, room = cls(schemas), 0, ROWS_IN_MEMORY if in_memory is None else in_memory
        for batch in batches:
            inputs.waiting.append(batch)
            rows += len(batch)
            if rows > room:
                inputs._spill()
                rows, room = 0, ROWS_ON_THE_WAY
        if inputs.spills:
            inputs._spill()
        return inputs

    @property
    def is_large(self) -> bool:
        return bool(self.spills)

    def streams(self) -> list[PhysicalStream]:
        """All rows that are in memory."""
        tables = apart(self.waiting, self.schemas)
        self.waiting = []
        return [from_batches(table, schema) for table, schema in zip(tables, self.schemas, strict=True)]

    def in_batches(self) -> list[Iterator[PhysicalStream]]:
        """The rows of each input in the order of time."""
        return [spill.rest() for spill in self.spills] if self.is_large else [iter([one]) for one in self.streams()]

    def _spill(self) -> None:
        self.spills = self.spills or [Spill(schema, in_order) for schema in self.schemas]
        self.chronons = self.chronons or [True] * len(self.schemas)
        for number, stream in enumerate(self.streams()):
            self.spills[number].add(stream)
            self.chronons[number] &= bool((stream.end - stream.start == 1).all())


def results(plan: Plan, inputs: TaskInputs, horizon: int | None) -> Iterator[PhysicalStream]:
    """The result of a plan over sources called 0, 1, 2, …; nothing if there are no rows."""
    if _goes_round_by_round(plan, inputs, horizon):
        yield from _in_rounds(plan, inputs, horizon, runs=False)
    else:
        streams = inputs.streams()
        if any(map(len, streams)):
            named = {str(tag): stream for tag, stream in enumerate(streams)}
            yield run(plan, named, horizon, threads=1)  # Spark has a task for every processor already


def result_runs(plan: Plan, inputs: TaskInputs, horizon: int | None) -> Iterator[PhysicalStream]:
    """The same in canonical form, with the count as the last column."""
    if _goes_round_by_round(plan, inputs, horizon):
        yield from _in_rounds(plan, inputs, horizon, runs=True)
    else:
        yield from (runs_of(result, counted_schema(result.schema)) for result in results(plan, inputs, horizon))


def _goes_round_by_round(plan: Plan, inputs: TaskInputs, horizon: int | None) -> bool:
    """Is it too large to be run as a whole, or would it then look beyond the horizon, where its rows are cut off?"""
    return inputs.is_large or (plan.has_lookahead and horizon is not None)


def _in_rounds(plan: Plan, inputs: TaskInputs, horizon: int | None, *, runs: bool) -> Iterator[PhysicalStream]:
    """What comes out of a running plan, round by round."""
    graph, made = interval_graph(ENDLESS if horizon is None else horizon, PATIENCE), list[PhysicalStream]()
    raw = frozenset(str(tag) for tag, chronons in enumerate(inputs.chronons) if chronons)
    last = add_runs(graph, plan, made.append, raw) if runs else None
    if last is None:
        graph.query(plan, raw).subscribers.append(made.append)
    for _ in rounds(graph, {str(tag): batches for tag, batches in enumerate(inputs.in_batches())}):
        yield from made if horizon is None or runs else (clipped(one, horizon) for one in made)
        made.clear()
    yield from () if last is None else last.rest()
