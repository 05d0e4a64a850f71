"""The right answer to a query over files, in canonical form, piece by piece."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from equivalence.command.query_files.constraints import checked, watch_references
from equivalence.command.query_files.query import Question
from equivalence.command.query_files.stream_files import raw_sources
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.algebra import interval_graph
from physical.files.canonical_runs import counted
from physical.files.reader import Reader
from physical.files.run_in_batches import Batches, Take, add_runs, feed
from physical.kernels.types import ENDLESS
from physical.runtime.graph import OperatorGraph
from physical.runtime.run_whole import clipped
from semantics import SnapeqError, SparseStream, evaluate, evaluate_sparse
from semantics.plan import Source
from semantics.value import check_int

REFERENCE: Final = "reference"
INTERVAL: Final = "interval"
FEW_INSTANTS: Final = 10_000
"""Up to here the reference looks at every instant."""


class NotSupported(SnapeqError):
    """The engine cannot run this query."""


@dataclass(frozen=True)
class Answer:
    """A query, the files of its streams, the engine, and up to when."""

    question: Question
    readers: Mapping[str, Reader]
    engine: str = INTERVAL
    horizon: int | None = None

    def give(self, take: Take) -> list[str]:
        """Hand on the result as runs with their count; what could not be checked about the inputs is given back."""
        return self._streaming(take) if self.engine == INTERVAL else self._at_once(take)

    def _streaming(self, take: Take) -> list[str]:
        """Batch by batch: what is held depends on the windows, not on the files."""
        flow = self._flow()
        runs = add_runs(flow, self.question.plan, take, raw_sources(self.question))
        remarks = self._watched(flow)
        feed(flow, self._inputs())
        for batch in runs.rest():
            take(batch)
        return remarks

    def _at_once(self, take: Take) -> list[str]:
        """Other engines get whole streams and give a whole result."""
        flow, kept = self._flow(), {name: [PhysicalStream.empty(r.layout.schema)] for name, r in self.readers.items()}
        remarks = self._watched(flow)
        feed(flow, {name: _keeping(batches, kept[name]) for name, batches in self._inputs().items()})
        streams = {name: joined(batches) for name, batches in kept.items()}
        if self.engine == REFERENCE:
            take(_with_counts(self._by_reference(streams)))
        else:
            self._as_runs(self._result(streams), take)
        return remarks

    def _as_runs(self, result: PhysicalStream, take: Take) -> None:
        whole = Source("result", self.question.plan.schema)
        flow = self._flow()
        runs = add_runs(flow, whole, take, frozenset())
        feed(flow, {whole.name: iter([in_order(result).checked(self.engine)])})
        for batch in runs.rest():
            take(batch)

    def _result(self, streams: Mapping[str, PhysicalStream]) -> PhysicalStream:
        plan = self.question.plan
        if self.horizon is not None:
            streams = {name: clipped(stream, self.horizon) for name, stream in streams.items()}
        from equivalence.conformance.subject.load import load_engine  # other engines need what tries them out

        engine = load_engine(self.engine)
        if not engine.supports(plan):
            raise NotSupported(f"engine {engine.name} does not support this query; the interval engine does")
        return engine.run(plan, streams)

    def _by_reference(self, streams: Mapping[str, PhysicalStream]) -> SparseStream:
        """Instant by instant if they are few, else change by change."""
        plan, slow = self.question.plan, {name: stream.to_interval() for name, stream in streams.items()}
        if self.horizon is not None and self.horizon <= FEW_INSTANTS:
            return SparseStream.of(evaluate(plan, slow, self.horizon), self.horizon)
        return evaluate_sparse(plan, slow, ENDLESS if self.horizon is None else self.horizon)

    def _flow(self) -> OperatorGraph:
        return interval_graph(ENDLESS if self.horizon is None else self.horizon)

    def _inputs(self) -> dict[str, Batches]:
        return {name: checked(reader, self.question.declaration(name)) for name, reader in self.readers.items()}

    def _watched(self, flow: OperatorGraph) -> list[str]:
        """Let the graph check what one stream says about another."""
        targets = self.question.relations_over(self.readers)
        declared = [(self.question.declaration(name), reader) for name, reader in self.readers.items()]
        return [
            remark
            for found, reader in declared
            if found is not None
            for remark in watch_references(flow, found, reader, targets)
        ]


def _keeping(batches: Batches, kept: list[PhysicalStream]) -> Iterator[PhysicalStream]:
    for batch in batches:
        kept.append(batch)
        yield batch


def _with_counts(result: SparseStream) -> PhysicalStream:
    """Runs with their count as the last column."""
    rows = [((*row, check_int(n, "a multiplicity")), interval) for row, interval, n in result.runs]
    return PhysicalStream.from_elements(counted(result.schema), rows)
