"""One run of a query over files: the right result in canonical form, piece by piece.

With the interval engine, memory depends on the windows and not on the files. The streams are checked against their
declarations while they are read, and a violation ends the run with an error.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from equivalence.query_files.chosen_plan import plan_to_run
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import raw_sources
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.algebra import interval_graph
from physical.files.canonical_runs import counted
from physical.files.reader import FileReader
from physical.files.run_in_batches import PATIENCE, Batches, Take, add_runs, feed
from physical.files.slack import ordered_batches
from physical.kernels.types import ENDLESS
from physical.runtime.operator_graph import OperatorGraph
from physical.runtime.run_whole import clipped, is_endless, last_change, seen_until
from semantics import Plan, Unsupported
from semantics.lookahead import known_until
from semantics.plan import Source
from semantics.sql.catalogue import NO_STREAM
from semantics.value import check_int

if TYPE_CHECKING:
    from semantics import SparseStream

REFERENCE: Final = "reference"
INTERVAL: Final = "interval"
INSTANTS_FOR_DENSE_REFERENCE: Final = 10_000
"""Up to this horizon the reference looks at every instant, and beyond only at those at which something changes."""


@dataclass(frozen=True)
class QueryRun:
    """A query, the files of its streams, the engine, and the horizon.

    What runs is the plan that the optimizer chooses, unless it is told not to. The reference always takes the query as
    it is written.
    """

    query: QueryOverFiles
    readers: Mapping[str, FileReader]
    engine: str = INTERVAL
    horizon: int | None = None
    optimize: bool = True
    slack: int = 0
    """A row may come this long after a later one."""
    inputs: Mapping[str, Callable[[], Batches]] = field(default_factory=dict)
    """Streams that come from elsewhere than their file as it is, in the order of time."""

    @cached_property
    def plan(self) -> Plan:
        """The plan that runs."""
        wanted = self.optimize and self.engine != REFERENCE
        as_they_are = {name: reader for name, reader in self.readers.items() if name not in self.inputs}
        return plan_to_run(self.query, as_they_are, self.slack) if wanted else self.query.plan

    def run(self, take: Take) -> list[str]:
        """Hand on the result as runs with their count; returns remarks on constraints that could not be checked."""
        return self._in_batches(take) if self.engine == INTERVAL else self._at_once(take)

    def _in_batches(self, take: Take) -> list[str]:
        graph = _graph(self._until())
        runs = add_runs(graph, self.plan, take, raw_sources(self.query) - self.inputs.keys(), _end(self.horizon))
        remarks = self._watch_references(graph)
        feed(graph, self._inputs())
        for batch in runs.rest():
            take(batch)
        return remarks

    def _at_once(self, take: Take) -> list[str]:
        """Other engines get whole streams and give a whole result."""
        collected = {source.name: [PhysicalStream.empty(source.schema)] for source in self.query.sources}
        collected |= {name: [PhysicalStream.empty(r.layout.schema)] for name, r in self.readers.items()}
        graph = _graph(None if self.plan.has_lookahead else self.horizon)
        remarks = self._watch_references(graph)
        feed(graph, {name: _copied_to(collected[name], batches) for name, batches in self._inputs().items()})
        streams = {name: joined(batches) for name, batches in collected.items()}
        if self.engine == REFERENCE:
            take(_with_counts(self._by_reference(streams)))
        else:
            self._as_runs(self._result(streams), take)
        return remarks

    def _as_runs(self, result: PhysicalStream, take: Take) -> None:
        whole = Source("result", self.query.plan.schema)
        graph = _graph(self.horizon)
        runs = add_runs(graph, whole, take, frozenset())
        feed(graph, {whole.name: iter([in_order(result).checked(self.engine)])})
        for batch in runs.rest():
            take(batch)

    def _result(self, streams: Mapping[str, PhysicalStream]) -> PhysicalStream:
        from equivalence.conformance.subject.in_process import takes_horizon  # only other engines need the harness
        from equivalence.conformance.subject.load import load_engine

        engine = load_engine(self.engine, also=(REFERENCE,))
        plan = next(filter(engine.supports, (self.plan, self.query.plan)), None)
        if plan is None:
            raise Unsupported(f"engine {engine.name} does not support this query; the interval engine does")
        if plan.has_lookahead and self.horizon is not None and takes_horizon(engine):
            return engine.run(plan, streams, horizon=self.horizon)  # type: ignore[call-arg]  # it takes one
        until = seen_until(plan, streams, self.horizon)
        return engine.run(plan, streams if until is None else _clipped(streams, until))

    def _by_reference(self, streams: Mapping[str, PhysicalStream]) -> "SparseStream":
        from semantics import SparseStream, evaluate, evaluate_sparse

        plan, intervals = self.query.plan, {name: stream.to_interval() for name, stream in streams.items()}
        if self.horizon is not None and self.horizon <= INSTANTS_FOR_DENSE_REFERENCE:
            return SparseStream.of(evaluate(plan, intervals, self.horizon), self.horizon)
        return evaluate_sparse(plan, intervals, _end(self.horizon))

    def _until(self) -> int | None:
        """Up to when streams are looked at; where operators look ahead, the streams say it, and are read twice."""
        if self.horizon is None or not self.plan.has_lookahead:
            return self.horizon
        seen = {name: _ends(batches) for name, batches in self._inputs().items()}
        return known_until(self.plan, self.horizon, lambda name: seen[name][0], lambda name: seen[name][1])

    def _inputs(self) -> dict[str, Batches]:
        nothing = {s.name: iter([PhysicalStream.empty(s.schema)]) for s in self.query.sources if s.name == NO_STREAM}
        files = {name: self._file(name) for name in self.readers if name not in self.inputs}
        return {**nothing, **files, **{name: read() for name, read in self.inputs.items()}}

    def _file(self, name: str) -> Batches:
        """The rows of a file; what checks constraints is loaded only if there are any."""
        reader, declared = self.readers[name], self.query.declaration(name)
        if declared is None or not declared.constraints:
            return (batch.elements for batch in ordered_batches(reader, self.slack))
        from equivalence.query_files.constraint_checks import checked_batches

        return checked_batches(reader, declared, self.slack)

    def _watch_references(self, graph: OperatorGraph) -> list[str]:
        """Let the graph check what one stream says about another; returns remarks on what it cannot check."""
        found = [(self.query.declaration(name), reader) for name, reader in self.readers.items()]
        declared = [(declaration, reader) for declaration, reader in found if declaration and declaration.constraints]
        if not declared:
            return []
        from equivalence.query_files.constraint_checks import watch_references

        targets = self.query.relations_over(self.readers)
        return [
            remark
            for declaration, reader in declared
            for remark in watch_references(graph, declaration, reader, targets)
        ]


def _clipped(streams: Mapping[str, PhysicalStream], until: int) -> dict[str, PhysicalStream]:
    return {name: clipped(stream, until) for name, stream in streams.items()}


def _graph(horizon: int | None) -> OperatorGraph:
    return interval_graph(_end(horizon), PATIENCE)


def _end(horizon: int | None) -> int:
    return ENDLESS if horizon is None else horizon


def _ends(batches: Batches) -> tuple[int, bool]:
    """The last instant at which a stream changes, and whether it has rows that never end."""
    seen = [(last_change(batch), is_endless(batch)) for batch in batches]
    return max((last for last, _ in seen), default=0), any(endless for _, endless in seen)


def _copied_to(collected: list[PhysicalStream], batches: Batches) -> Iterator[PhysicalStream]:
    for batch in batches:
        collected.append(batch)
        yield batch


def _with_counts(result: "SparseStream") -> PhysicalStream:
    """Runs with their count as the last column."""
    rows = [((*row, check_int(n, "a multiplicity")), interval) for row, interval, n in result.runs]
    return PhysicalStream.from_elements(counted(result.schema), rows)
