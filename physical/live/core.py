"""The heart of a system: streams, queries and their state. It does what records say, one after the other.

The same records in the same order give the same results, byte for byte. Whatever is not determined by the records, such
as connections, threads and clocks, is outside; so the core can be saved, restored, and brought up to date from a log.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import assert_never

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from physical.live.bad_lines import BadLines
from physical.live.declared import Declared
from physical.live.graph_view import queries_of
from physical.live.kept_constraints import KeptConstraints, without
from physical.live.lines import BadLine, Header, Sifted, shown
from physical.live.records import AddQuery, FileLines, Heartbeat, MigrateQuery, Record, RemoveQuery, SentLines
from physical.live.results import GrowingFile, ResultBuffer
from physical.live.running_query import Optimise, RunningQuery, Situation, as_it_is, check_name
from physical.live.sessions import new_session
from physical.live.settings import Settings
from physical.runtime.entrance import Entrance
from physical.runtime.operator_graph import GraphNode
from semantics import Plan, SchemaError, SnapeqError
from semantics.plan import Source
from semantics.sql import parse_script


@dataclass
class StreamState:
    """What has come of one stream."""

    elements: int = 0
    bad: int = 0
    latest: int = 0
    """The largest start so far."""
    ended: bool = False
    positions: dict[str, int] = field(default_factory=dict)
    """How far each file is read."""
    headers: dict[str, Header] = field(default_factory=dict)


@dataclass(frozen=True)
class Receipt:
    """What became of some lines."""

    elements: int = 0
    bad: int = 0
    late: int = 0


@dataclass
class Surroundings:
    """What the core needs from outside to do what records say."""

    declared: Declared
    optimise: Optimise = as_it_is
    result_files: Mapping[str, Path] = field(default_factory=dict)
    """The files of queries that were given one."""
    folder: Path | None = None
    """Where the results of all other queries go, in a file each."""
    results: int = 10_000

    def file_of(self, query: str) -> Path | None:
        path = self.result_files.get(query)
        return self.folder / f"{query}.csv" if path is None and self.folder is not None else path


class Core:
    """All of a system that a checkpoint holds."""

    def __init__(self, declared: Declared, settings: Settings, tables: Mapping[str, PhysicalStream], bad: Path | None):
        self.settings = settings
        self.signature = declared.signature()
        self.session = new_session(settings, declared.streams, declared.raw)
        self.tables = dict(tables)
        self.streams = {name: StreamState() for name in declared.streams}
        self.constraints = {
            name: KeptConstraints(schema, declared.constraints(name), tables)
            for name, schema in declared.streams.items()
        }
        self.queries: dict[str, RunningQuery] = {}
        self.ever_added: set[str] = set()
        """Names of all queries there ever were: one that was removed does not come back with a restart."""
        self.senders: dict[str, int] = {}
        """How many lines of each sender with a name were taken."""
        self.bad_lines = BadLines(bad)
        self.records = 0
        self.failed: dict[str, str] = {}
        """Queries that were stopped by an error, such as an overflow, and the error."""
        self._errors: list[tuple[GraphNode, str]] = []
        """Operators that have failed while a record is being done."""

    def prepared(self, record: Record, around: Surroundings) -> RunningQuery | bytes | None:
        """Check a record before it is logged; gives the query that will run, or the text that was read."""
        match record:
            case AddQuery():
                return self._new_query(record, around)
            case RemoveQuery(name=name) | MigrateQuery(name=name):
                self.query(name)
            case Heartbeat(time=time, stream=stream):
                self._check_heartbeat(time, stream)
            case FileLines():
                self.stream(record.stream)
                return _read_range(record)
            case SentLines():
                self.stream(record.stream)
            case _:
                assert_never(record)
        return None

    def apply(self, record: Record, around: Surroundings, prepared: RunningQuery | bytes | None) -> Receipt:
        """Do what a record says, after it was prepared. A query that fails meanwhile is stopped; the others go on."""
        self.records += 1
        receipt = self._done(record, around, prepared)
        while self._errors:
            self._stop_failed(*self._errors.pop())
        return receipt

    def _done(self, record: Record, around: Surroundings, prepared: RunningQuery | bytes | None) -> Receipt:
        match record:
            case AddQuery():
                assert isinstance(prepared, RunningQuery)
                self._add(prepared)
            case RemoveQuery(name=name):
                self._remove(name)
            case MigrateQuery(name=name):
                self._migrate(name, around)
            case Heartbeat(time=time, stream=stream):
                self._heartbeat(time, stream)
            case FileLines():
                assert isinstance(prepared, bytes)
                return self._file_lines(record, prepared, around)
            case SentLines():
                return self._sent_lines(record, around)
            case _:
                assert_never(record)
        return Receipt()

    def stream(self, name: str) -> StreamState:
        if name not in self.streams:
            raise SchemaError(f"there is no stream {name!r}; expected one of: {', '.join(sorted(self.streams))}")
        return self.streams[name]

    def query(self, name: str) -> RunningQuery:
        if name not in self.queries:
            raise SchemaError(f"there is no query {name!r}; queries: {', '.join(sorted(self.queries)) or 'none'}")
        return self.queries[name]

    @property
    def ended(self) -> bool:
        """Have all streams ended?"""
        return all(stream.ended for stream in self.streams.values())

    def close_files(self) -> None:
        self.bad_lines.close()
        for query in self.queries.values():
            if query.file is not None:
                query.file.close()

    def _new_query(self, record: AddQuery, around: Surroundings) -> RunningQuery:
        if check_name(record.name) in self.queries:
            raise SchemaError(f"there is a query {record.name!r} already; expected another name")
        plan = plan_of(record.sql, around.declared)
        path = self._own_file(around.file_of(record.name), record.name)
        situation = self.situation(record.name)
        choice = around.optimise(plan, situation) if record.optimise else as_it_is(plan, situation)
        buffer = ResultBuffer(around.results)
        return RunningQuery(record.name, record.sql, plan, choice, buffer, None if path is None else GrowingFile(path))

    def _own_file(self, path: Path | None, query: str) -> Path | None:
        """The path, if no other query writes there."""
        place = None if path is None else os.path.realpath(path)
        for name, other in self.queries.items():
            if place is not None and other.file is not None and str(other.file.path) == place:
                raise SchemaError(f"query {query!r}: the results of {name!r} go to {path}; expected a file of its own")
        return path

    def _add(self, query: RunningQuery) -> None:
        tables = {name: _own(name, query.name) for name in query.choice.plan.sources() if name in self.tables}
        for name, own in tables.items():
            self.session.entrances[own] = Entrance(self.tables[name].schema, 0)
        self.session.add(query.name, self._over_own_tables(query.name, query.choice.plan))
        self._watch_errors()
        self.session.subscribe(query.name, query.take)
        self.failed.pop(query.name, None)
        self.queries[query.name] = query
        self.ever_added.add(query.name)
        for name, own in tables.items():
            self.session.push(own, self.tables[name])
            self.session.heartbeat(ENDLESS, own)

    def _note_error(self, node: GraphNode, error: SnapeqError) -> None:
        self._errors.append((node, str(error)))

    def _stop_failed(self, node: GraphNode, error: str) -> None:
        """Stop all queries that depend on an operator that has failed; it gives out nothing any more."""
        for name in sorted(queries_of(self.session, node)):
            self._remove(name)
            self.failed[name] = error

    def _watch_errors(self) -> None:
        """Let errors of operators stop their queries, and not the system."""
        for graph in {id(plan.graph): plan.graph for q in self.session.queries.values() for plan in q.plans}.values():
            for node in graph.nodes:
                node.on_error = self._note_error

    def _remove(self, name: str) -> None:
        self.session.remove(name)
        self.queries.pop(name).close()
        for own in [entrance for entrance in self.session.entrances if entrance.endswith(f" for {name}")]:
            del self.session.entrances[own]

    def _migrate(self, name: str, around: Surroundings) -> None:
        """Let the best plan known now take over, unless it runs already."""
        query = self.query(name)
        choice = around.optimise(query.asked, self.situation(name))
        if choice.plan != query.choice.plan:
            query.takes_over = self.session.migrate(name, self._over_own_tables(name, choice.plan))
            query.choice = choice
            self._watch_errors()

    def situation(self, name: str) -> Situation:
        """What is known when a plan for this query is chosen."""
        recent = {stream: self.session.entrances[stream].recent for stream in self.streams}
        beside = tuple(query.choice.plan for other, query in self.queries.items() if other != name)
        return Situation({stream: seen for stream, seen in recent.items() if len(seen)}, beside)

    def _over_own_tables(self, name: str, plan: Plan) -> Plan:
        """The plan with the query's own copies of the tables in place of the tables."""
        return _renamed(plan, {table: _own(table, name) for table in plan.sources() if table in self.tables})

    def _check_heartbeat(self, time: int, stream: str | None) -> None:
        for name in self.streams if stream is None else [stream]:
            self.stream(name)
            promised = self.session.entrances[name].promised
            if not 0 <= time <= ENDLESS:
                raise SnapeqError(f"heartbeat: expected a time from 0 to {ENDLESS}, got {time}")
            if time < promised and stream is not None:
                raise SnapeqError(f"heartbeat: {name} must not go back before {promised}, got {time}")

    def _heartbeat(self, time: int, stream: str | None) -> None:
        for name in self.streams if stream is None else [stream]:
            if time >= self.session.entrances[name].promised:
                self.session.heartbeat(time, name)
                self.streams[name].ended = time == ENDLESS

    def _file_lines(self, record: FileLines, text: bytes, around: Surroundings) -> Receipt:
        state = self.stream(record.stream)
        state.positions[record.path], state.headers[record.path] = record.end, record.header
        return self._lines(record.stream, record.path, text, record.header, around, record.overlong)

    def _sent_lines(self, record: SentLines, around: Surroundings) -> Receipt:
        if record.sender:
            self.senders[record.sender] = self.senders.get(record.sender, 0) + record.count
        return self._lines(record.stream, record.origin, record.text, record.header, around, record.overlong)

    def _lines(
        self, stream: str, origin: str, text: bytes, header: Header, around: Surroundings, overlong: bool
    ) -> Receipt:
        state, entrance = self.stream(stream), self.session.entrances[stream]
        if overlong:
            reason = f"the line is too long; expected at most {around.declared.line_bytes} bytes"
            sifted = Sifted(PhysicalStream.empty(entrance.schema), [], [BadLine(shown(text), reason)])
        else:
            sifted = around.declared.reader(stream).sift(text, header)
        late = entrance.late
        broken = self._push(stream, sifted)
        elements, bad = len(sifted.elements) - len(broken), sifted.bad + broken
        state.elements += elements
        state.bad += len(bad)
        self.bad_lines.add(stream, origin, bad)
        return Receipt(elements, len(bad), entrance.late - late)

    def _push(self, stream: str, sifted: Sifted) -> list[BadLine]:
        """Push what keeps the constraints of its stream; the rest are bad lines, too."""
        bad: list[BadLine] = []
        size = self.settings.batch
        for first in range(0, len(sifted.elements), size):
            batch = sifted.elements.take(np.s_[first : first + size])
            broken = self.constraints[stream].broken(batch, self.session.entrances[stream].promised)
            bad += [BadLine(shown(sifted.lines[first + i]), reason) for i, reason in broken.items()]
            batch = without(batch, broken)
            if len(batch):
                self.streams[stream].latest = max(self.streams[stream].latest, int(batch.start.max()))
                self.session.push(stream, batch)
        return bad

    @property
    def state_bytes(self) -> int:
        """How much operators and constraints hold."""
        return self.session.state.bytes + sum(kept.bytes for kept in self.constraints.values())


def plan_of(sql: str, declared: Declared) -> Plan:
    """The plan of a query over the streams and tables that are declared."""
    script = parse_script(sql, declared.catalogue)
    new = script.catalogue.relations.keys() - declared.catalogue.relations.keys()
    fresh = [name for name in new if name in script.plan.sources()]
    if fresh:
        raise SchemaError(f"{fresh[0]} is not a stream of this system; expected: {', '.join(sorted(declared.streams))}")
    if not script.plan.sources().keys() & declared.streams.keys():
        raise SchemaError("the query reads no stream: its result would never change; expected a query over a stream")
    return script.plan


def _own(table: str, query: str) -> str:
    """The name under which a query has a table for itself: it must see all of it, whenever it was added."""
    return f"{table} for {query}"


def _renamed(plan: Plan, names: Mapping[str, str]) -> Plan:
    """The plan with other names for some sources."""
    if isinstance(plan, Source):
        return replace(plan, name=names[plan.name]) if plan.name in names else plan
    return plan.with_inputs(*(_renamed(child, names) for child in plan.inputs)) if names else plan


def _read_range(record: FileLines) -> bytes:
    try:
        with open(record.path, "rb") as file:
            file.seek(record.begin)
            text = file.read(min(record.end - record.begin, 1024) if record.overlong else record.end - record.begin)
    except OSError as error:
        raise SnapeqError(f"{record.path}: {error.strerror}; expected the file that was read before") from None
    if not record.overlong and len(text) < record.end - record.begin:
        raise SnapeqError(f"{record.path}: it is shorter than before; expected a file that only grows")
    return text
