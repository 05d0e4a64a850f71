"""The right answer to a query at the instants at which a recording is judged, in a file in the order of time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import assert_never

import numpy as np

from equivalence.query_files.constraint_checks import checked_batches
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.query_run import QueryRun
from equivalence.recordings.panes import as_sliding, at_panes, without_slides
from equivalence.recordings.recording import EveryInstant, Judged, LastInstants, OneInstant
from physical.columns.stream import PhysicalStream
from physical.files.canonical_runs import by_row, counted
from physical.files.run_in_batches import Batches
from physical.files.spill import Spill
from physical.files.writer import Results, results_in_file
from physical.kernels.types import ENDLESS, Ints
from semantics import FOREVER, Plan

Take = Callable[[PhysicalStream], None]


def write_answer(run: QueryRun, judged: Judged, path: Path) -> list[str]:
    """Write the answer as a result file; returns remarks on constraints that could not be checked."""
    with results_in_file(path, run.query.plan.schema) as results:
        match judged:
            case EveryInstant():
                return run.run(results.take)
            case LastInstants():
                return _at_panes(run, judged, results)
            case OneInstant(at):
                return replace(run, horizon=at + 1).run(lambda runs: results.take(_at(runs, at)))
            case _:
                assert_never(judged)


def _at(runs: PhysicalStream, at: int) -> PhysicalStream:
    there = runs.take((runs.start <= at) & (at < runs.end))
    return there.valid_during(np.full(len(there), at), np.full(len(there), at + 1))


def _at_panes(run: QueryRun, judged: LastInstants, results: Results) -> list[str]:
    """Over streams that come a little later, so that windows may slide; or without slides, where that will not do."""
    plan, delay = pane_plan(run.query.plan, judged)
    horizon = None if judged.horizon == FOREVER else int(judged.horizon) + delay
    later = replace(run, query=_with_plan(run.query, plan), horizon=horizon, inputs=_later(run, delay))
    panes = _Panes(run.query, judged, delay, results)
    remarks = later.run(panes.take)
    panes.finish()
    return remarks


def pane_plan(plan: Plan, judged: LastInstants) -> tuple[Plan, int]:
    """The plan to run for panes, and how much later its streams come."""
    sliding = as_sliding(plan, judged.step) if judged.step > 1 else None
    return (without_slides(plan), 0) if sliding is None else (sliding, (1 - judged.offset) % judged.step)


def _with_plan(query: QueryOverFiles, plan: Plan) -> QueryOverFiles:
    return QueryOverFiles(plan, query.catalogue)


def _later(run: QueryRun, delay: int) -> Mapping[str, Callable[[], Batches]]:
    """All streams, each of their elements later by this much."""
    own: dict[str, Callable[[], Batches]] = {
        name: partial(checked_batches, reader, run.query.declaration(name), run.slack)
        for name, reader in run.readers.items()
    }
    return {name: partial(_delayed, read, delay) for name, read in {**own, **run.inputs}.items()}


def _delayed(read: Callable[[], Batches], delay: int) -> Iterator[PhysicalStream]:
    """What is there at every instant stays so."""
    for batch in read():
        always = (batch.start == 0) & (batch.end == ENDLESS)
        start = np.where(always, 0, _sum(batch.start, delay))
        yield batch.valid_during(start, _sum(batch.end, delay)) if delay else batch


def _sum(times: Ints, delay: int) -> Ints:
    return np.where(times >= ENDLESS - delay, ENDLESS, times + delay)


@dataclass
class _Panes:
    """Cuts runs into panes. A long run has panes after those of the next run: they wait, on disk if they are many."""

    query: QueryOverFiles
    judged: LastInstants
    delay: int
    results: Results

    def __post_init__(self) -> None:
        self.waiting = Spill(counted(self.query.plan.schema), by_row)

    def take(self, runs: PhysicalStream) -> None:
        if len(runs):
            self.waiting.add(by_row(self._pieces(runs)))
            self.results.take(self.waiting.before(int(runs.start[0]) - self.delay))

    def finish(self) -> None:
        for batch in self.waiting.rest():
            self.results.take(batch)

    def _pieces(self, runs: PhysicalStream) -> PhysicalStream:
        """With a delay d the snapshot at e − 1 shows at e − 1 + d, which is a boundary of the sliding windows."""
        judged = self.judged
        pieces = at_panes(runs, judged.step, judged.offset + self.delay)
        pieces = pieces.valid_during(pieces.start - self.delay, pieces.end - self.delay)
        return pieces.take(pieces.start >= 0)
