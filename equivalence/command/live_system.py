"""A system as the options of `snapeq live` describe it: its sources, sinks, server and checkpoints."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Final

from equivalence.query_files.assumptions import assumptions
from equivalence.query_files.constraint_checks import checked_batches
from equivalence.query_files.query_over_files import QueryOverFiles, registered
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.files.formats import Format
from physical.files.reader import FileReader
from physical.live.api import Api
from physical.live.core import Surroundings
from physical.live.declared import Declared
from physical.live.feeders import Feeder, FileFeeder, PipeFeeder
from physical.live.http_server import LiveServer
from physical.live.idle import IdleStreams
from physical.live.ports import Address, Gate, InPort, OutPort
from physical.live.results import ResultText
from physical.live.running_query import PlanChoice, Situation, as_it_is
from physical.live.settings import Limits, Settings
from physical.live.state_folder import StateFolder
from physical.live.system import LiveSystem
from physical.live.watch import Watch
from semantics import Plan, SnapeqError
from semantics.aggregate import AggregateFunction
from semantics.constraint import Constraint, References
from semantics.expression import ScalarFunction
from semantics.how_many import how_many
from semantics.sql import Catalogue, Declaration, SqlError, read_script

STDIO: Final = "-"
HTTP: Final = "http"
TCP: Final = "tcp:"
WAIT_SECONDS: Final = 0.2
"""How often the main thread looks whether the system should stop."""


@dataclass(frozen=True)
class LiveOptions:
    """The command line, checked."""

    catalog: Path
    queries: tuple[str, ...] = ()
    streams: tuple[str, ...] = ()
    outs: tuple[str, ...] = ()
    results: Path | None = None
    listen: Address = field(default_factory=Address)
    token: str = ""
    ui: bool = False
    settings: Settings = field(default_factory=Settings)
    limits: Limits = field(default_factory=Limits)
    optimise: bool = True
    state: Path | None = None
    checkpoint_seconds: float = 10.0
    sync: bool = False
    finish: bool = False
    bad: Path | None = None
    functions: tuple[str, ...] = ()
    idle_seconds: float | None = None


class LiveRun:
    """A system with all its threads."""

    def __init__(self, options: LiveOptions) -> None:
        self.options = options
        self.stopping = Event()
        self.error: Exception | None = None
        self.broken_pipe = False
        declared = Declared(_catalogue(options), options.limits.line_bytes)
        self.sources = named(options.streams, "--stream", "Bid=bids.csv", declared.find)
        self.sinks = named(options.outs, "--out", "busy=busy.csv")
        given = named(options.queries, "--query", "busy=SELECT …")
        self.queries = {name: query_text(text) for name, text in given.items()}
        _check_sinks(self.sinks, self.queries)
        _check_not_read(self.sources, {f"--out {name}={sink}": sink for name, sink in self.sinks.items()})
        _check_not_read(self.sources, {f"--bad {options.bad}": str(options.bad)} if options.bad else {})
        folder = None if options.state is None else StateFolder(options.state, sync=options.sync)
        self.system = LiveSystem(
            self._surroundings(declared),
            options.settings,
            options.limits,
            tables=_tables(self.sources, declared),
            folder=folder,
            bad=_bad_file(options),
        )
        self.watch = Watch(self.system)
        self.idle = None if options.idle_seconds is None else IdleStreams(self.system, options.idle_seconds)
        self.gate = Gate(options.limits.connections, options.token)
        try:
            self._connect(declared)
        except BaseException:
            self.system.abandon()
            raise

    def _connect(self, declared: Declared) -> None:
        """Add the queries, and bring sources, sinks and clients together with them."""
        from equivalence.report.plan_drawing import indented_tree

        self._add_queries()
        self.feeders = [feeder for name in declared.streams if (feeder := self._feeder(name)) is not None]
        self.out_ports = self._sinks()
        self.api = Api(self.system, self.watch, indented_tree)
        self.server = LiveServer(self.options.listen, self.api, self.gate, self.stopping, page=self.options.ui)

    @property
    def uses_stdin(self) -> bool:
        return STDIO in self.sources.values()

    def start(self) -> None:
        Thread(target=self.server.serve_forever, args=(WAIT_SECONDS,), name="http", daemon=True).start()
        for thread in [*self.feeders, *self.out_ports]:
            thread.start()

    def wait(self) -> None:
        """Wait until somebody stops the system, or nothing more can come; checkpoints are made on the way."""
        waited = 0.0
        while not self.stopping.wait(WAIT_SECONDS):
            waited += WAIT_SECONDS
            if waited >= self.options.checkpoint_seconds:
                self.system.checkpoint()
                waited = 0.0
            if self.idle is not None and self.system.broken is None:
                self.idle.look()
            if self.options.finish and not any(feeder.is_alive() for feeder in self._files()):
                self.system.end()
            if self.system.broken is not None:
                self.error = self.system.broken
            if self.error is not None or self.system.core.ended:
                self.stopping.set()

    def stop(self) -> None:
        """End all threads, save the state, and close all files."""
        self.stopping.set()
        for thread in [*self.feeders, *self.out_ports]:
            if thread.is_alive():
                thread.join()
        self.server.shutdown()
        self.server.server_close()
        self.system.close()

    def description(self) -> list[str]:
        """Where everything is."""
        lines = [f"API at http://{self.server.address}/api, engine {self.options.settings.engine}"]
        if self.system.resumed:
            records = how_many(self.system.replayed, "record")
            lines.append(f"goes on from {self.options.state}: {records} since the last checkpoint")
        lines += [f"stream {name} from {self._source_text(name)}" for name in self.system.core.streams]
        lines += self.system.around.declared.not_checked()
        for name, query in self.system.core.queries.items():
            places = [str(query.file.path)] if query.file is not None else []
            places += [f"tcp {port.address}" for port in self.out_ports if port.query == name]
            places += ["stdout"] if self.sinks.get(name) == STDIO else []
            lines.append(f"query {name} to {', '.join(places) or 'clients of the API'}")
        return lines

    def summary(self) -> list[str]:
        """What came and went, at the end."""
        core = self.system.core
        lines = []
        for name, stream in core.streams.items():
            late = core.session.entrances[name].late
            elements, bad = how_many(stream.elements, "element"), how_many(stream.bad, "bad line")
            lines.append(f"stream {name}: {elements}, {late} late, {bad}")
        lines += [f"query {name}: {how_many(query.buffer.number, 'result')}" for name, query in core.queries.items()]
        if any(stream.bad for stream in core.streams.values()) and core.bad_lines.path is not None:
            lines.append(f"bad lines are in {core.bad_lines.path}")
        return lines

    def _files(self) -> list[FileFeeder]:
        return [feeder for feeder in self.feeders if isinstance(feeder, FileFeeder)]

    def _source_text(self, name: str) -> str:
        ports = {port.stream: port for port in self.feeders if isinstance(port, InPort)}
        if name in ports:
            return f"tcp {ports[name].address}"
        source = self.sources.get(name, HTTP)
        if source == HTTP:
            return f"posts to http://{self.server.address}/api/streams/{name}"
        if source == STDIO:
            return "stdin"
        return source if Path(source).exists() else f"{source}, which is not there yet"

    def _surroundings(self, declared: Declared) -> Surroundings:
        files = {name: Path(sink) for name, sink in self.sinks.items() if _is_file(sink)}
        for name, path in files.items():
            if name in self.queries:
                _check_result_file(path)
        if self.options.results is not None:
            self.options.results.mkdir(parents=True, exist_ok=True)
        optimise = partial(_optimised, declared) if self.options.optimise else as_it_is
        return Surroundings(declared, optimise, files, self.options.results, self.options.limits.results)

    def _add_queries(self) -> None:
        """Start the queries of the command line; in a state that is taken up again they are running already."""
        core = self.system.core
        for name, sql in self.queries.items():
            running = core.queries.get(name)
            if running is None and name not in core.ever_added:
                self._add(name, sql)
            elif running is not None and running.sql != sql:
                other = f"in {self.options.state} the query of this name is {running.sql}"
                raise SnapeqError(f"--query {name}: {other}; expected the same, or another name")

    def _add(self, name: str, sql: str) -> None:
        try:
            self.system.add(name, sql)
        except SqlError as error:
            raise SnapeqError(f"--query {name}: {error}") from None

    def _feeder(self, name: str) -> Feeder | None:
        source = self.sources.get(name, HTTP)
        if source == HTTP:
            return None
        if source == STDIO:
            return PipeFeeder(self.system, name, sys.stdin.fileno(), self.stopping, self._failed)
        if source.startswith(TCP):
            address = Address.of(source.removeprefix(TCP), f"--stream {name}={source}")
            self._check_token(address, f"--stream {name}={source}")
            return InPort(self.system, name, address, self.gate, self.stopping, self._failed)
        path = Path(source)
        _check_lines_file(path, self.options.finish)
        return FileFeeder(self.system, name, path, self.stopping, self._failed, finish=self.options.finish)

    def _sinks(self) -> list[OutPort]:
        ports = []
        for name, sink in self.sinks.items():
            if sink == STDIO:
                self._print_results(name)
            elif sink.startswith(TCP):
                address = Address.of(sink.removeprefix(TCP), f"--out {name}={sink}")
                self._check_token(address, f"--out {name}={sink}")
                ports.append(OutPort(self.system, name, address, self.gate, self.stopping, self._failed))
        return ports

    def _print_results(self, name: str) -> None:
        query = self.system.core.query(name)
        text = ResultText(query.asked.schema, Format.CSV)
        self._print(text.header())
        query.listeners.append(lambda batch: self._print(text.lines(batch)))

    def _print(self, text: bytes) -> None:
        try:
            sys.stdout.buffer.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            self.broken_pipe = True
            self.stopping.set()

    def _check_token(self, address: Address, option: str) -> None:
        if not address.is_local and not self.options.token:
            raise SnapeqError(f"{option}: others can connect to {address}; expected --token TEXT")

    def _failed(self, error: Exception) -> None:
        """A source that is wrong is reported, and the others go on; anything else ends the system."""
        if isinstance(error, SnapeqError):
            self.watch.problems.append(str(error))
            sys.stderr.write(f"snapeq: {error}\n")  # in one piece: other threads write, too
            sys.stderr.flush()
        else:
            self.error = error
            self.stopping.set()


@contextmanager
def start_live(options: LiveOptions) -> Iterator[LiveRun]:
    """A system that runs inside the block."""
    run = LiveRun(options)
    run.start()
    try:
        yield run
    finally:
        run.stop()


def named(options: tuple[str, ...], option: str, example: str, find: Callable[[str], str] = str) -> dict[str, str]:
    """NAME=VALUE options by name, each name once."""
    found: dict[str, str] = {}
    for text in options:
        given, equals, value = text.partition("=")
        if not equals or not given.strip() or not value.strip():
            raise SnapeqError(f"{option} {text}: expected NAME=VALUE, such as {example}")
        name = find(given.strip())
        if name in found:
            raise SnapeqError(f"{option} {text}: there is one for {name} already: {found[name]}")
        found[name] = value.strip()
    return found


def query_text(text: str) -> str:
    """The query itself, or what a .sql file holds."""
    if not text.endswith(".sql"):
        return text
    if not Path(text).is_file():
        raise SnapeqError(f"{text}: there is no such file; expected a file that holds a query, or its text")
    return Path(text).read_text(encoding="utf-8-sig")


def _catalogue(options: LiveOptions) -> Catalogue:
    known = Catalogue()
    for function in registered(options.functions):
        assert isinstance(function, ScalarFunction | AggregateFunction)
        known.register(function)
    try:
        return read_script(options.catalog.read_text(encoding="utf-8-sig"), known)
    except SqlError as error:
        raise SnapeqError(f"{options.catalog}: {error}") from None
    except UnicodeDecodeError:
        raise SnapeqError(f"{options.catalog}: this is no text in UTF-8; expected CREATE statements") from None


def _optimised(declared: Declared, plan: Plan, situation: Situation) -> PlanChoice:
    """The cheapest plan found, by what came last, next to what runs, and by constraints that all rows keep."""
    from equivalence.optimizer.measure import measured
    from equivalence.optimizer.optimize import optimize

    statistics = {name: measured(elements) for name, elements in situation.recent.items()}
    known = _kept(declared, plan)
    chosen = optimize(plan, statistics=statistics, constraints=known, beside=situation.beside)
    return PlanChoice(chosen.plan, chosen.cost, chosen.original_cost, tuple(step.rule for step in chosen.derivation))


def _kept(declared: Declared, plan: Plan) -> tuple[Constraint, ...]:
    """What holds for the rows that any query sees; the target of a reference to a stream may be gone by then."""
    known = assumptions(QueryOverFiles(plan, declared.catalogue))
    return tuple(c for c in known if not isinstance(c, References) or c.target in declared.tables)


def _tables(sources: dict[str, str], declared: Declared) -> dict[str, PhysicalStream]:
    """Tables are read once, as a whole."""
    found = {}
    for name, schema in declared.tables.items():
        if name not in sources:
            raise SnapeqError(f"there is no file for the table {name}; expected --stream {name}=FILE")
        found_there = declared.catalogue.relations[name]
        assert isinstance(found_there, Declaration)
        batches = checked_batches(FileReader(Path(sources[name]), declared.layout(name)), found_there)
        found[name] = in_order(joined([PhysicalStream.empty(schema), *batches]))
    return found


def _bad_file(options: LiveOptions) -> Path:
    default = Path("bad_lines.jsonl")
    return options.bad or (default if options.state is None else options.state / default)


def _check_sinks(sinks: dict[str, str], queries: dict[str, str]) -> None:
    for name in sinks:
        if name not in queries:
            given = ", ".join(queries) or "none"
            raise SnapeqError(f"--out {name}=…: there is no such query; expected a name given with --query: {given}")
    if sum(sink == STDIO for sink in sinks.values()) > 1:
        raise SnapeqError("--out NAME=-: expected one query on stdout; give the others files or ports")


def _check_not_read(sources: dict[str, str], written: dict[str, str]) -> None:
    """No file is read and written."""
    read = {os.path.realpath(source): name for name, source in sources.items() if _is_file(source)}
    for option, place in written.items():
        name = read.get(os.path.realpath(place)) if _is_file(place) else None
        if name is not None:
            raise SnapeqError(f"{option}: {name} is read from this file; expected another one")


def _is_file(place: str) -> bool:
    return place not in (STDIO, HTTP) and not place.startswith(TCP)


def _check_result_file(path: Path) -> None:
    from physical.files.formats import format_of
    from physical.files.whole_file import writable

    if not format_of(path).has_lines:
        raise SnapeqError(f"{path}: expected .csv or .jsonl for results that are never complete")
    writable(path)


def _check_lines_file(path: Path, must_exist: bool) -> None:
    from physical.files.formats import check_readable, format_of

    if not format_of(path).has_lines:
        raise SnapeqError(f"{path}: expected .csv or .jsonl; other formats cannot grow line by line")
    if must_exist or path.exists():
        check_readable(path)
