"""What a recording claims, read as far as it is needed; and how much of all of it differs from the right answer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from equivalence.query_files.compare_files import ResultFile
from equivalence.query_files.query_run import QueryRun
from equivalence.recordings.output_key import output_key
from equivalence.recordings.recording import Judged, LastInstants, OutputKind, Recording
from equivalence.recordings.right_answer import write_answer
from physical.columns.column import ColumnVector, rows
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.files.canonical_runs import runs_of_counted
from physical.files.counted import counted_schema
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Instant, Schema
from semantics.time import End

MOST_CLAIMS: Final = 20_000_000
"""Elements of a recording and its right answer that are compared in memory."""


@dataclass(frozen=True)
class RecordedOutput:
    """A recording that can be read several times, in batches with counts, in any order."""

    kind: OutputKind
    schema: Schema
    judged: Judged
    batches: Callable[[], Iterator[PhysicalStream]]

    def during(self, first: Instant, end: End) -> Recording:
        """What is claimed in an interval."""
        last = ENDLESS if end == FOREVER else int(end)
        near = (batch.take((batch.start < last) & (batch.end > first)) for batch in self.batches())
        elements = joined([PhysicalStream.empty(counted_schema(self.schema)), *near])
        summed = in_order(runs_of_counted(elements)) if len(elements) else elements
        return Recording(self.kind, summed.take(summed.columns[-1].values > 0), self.judged)


@dataclass(frozen=True)
class Totals:
    """In all of a recording: rows that are missing or not there often enough, and those that are there too often."""

    missing: int
    extra: int
    panes: int | None
    keys: int | None


def total_difference(run: QueryRun, output: RecordedOutput) -> Totals | None:
    """How much differs in all; None if it is too much to be compared in memory."""
    with TemporaryDirectory(prefix="snapeq-") as folder:
        right = Path(folder) / "right.arrow"
        write_answer(run, output.judged, right)
        horizon = ENDLESS if run.horizon is None else run.horizon
        parts, size = [PhysicalStream.empty(counted_schema(output.schema))], 0
        for batch in ResultFile(right).elements(output.schema, ordered=True, horizon=horizon):
            parts.append(batch)
            size += len(batch)
        for batch in output.batches():
            parts.append(_negative(batch))
            size += len(batch)
            if size > MOST_CLAIMS:
                return None
        return _totals(run, output, runs_of_counted(joined(parts)))


def _negative(batch: PhysicalStream) -> PhysicalStream:
    count = batch.columns[-1]
    return batch.with_columns(batch.schema, (*batch.columns[:-1], ColumnVector(count.type, -count.values, count.valid)))


def _totals(run: QueryRun, output: RecordedOutput, left: PhysicalStream) -> Totals:
    counts = left.columns[-1].values
    panes = len(np.unique(left.start)) if isinstance(output.judged, LastInstants) else None
    names = output_key(run.query.plan)
    places = [output.schema.names.index(name) for name in names or ()]
    keys = len(set(rows([left.columns[place] for place in places]))) if places else None
    return Totals(int((counts > 0).sum()), int((counts < 0).sum()), panes, keys)
