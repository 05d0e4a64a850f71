"""Inputs that are changelogs: a row is valid from the change that adds it until the one that takes it away."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.query_run import QueryRun
from equivalence.query_files.stream_files import layout, readers
from equivalence.recordings.claims import Claims
from equivalence.recordings.live_rows import in_portions
from equivalence.recordings.places import Given
from equivalence.recordings.reading import Reading
from equivalence.recordings.recorded_files import RecordedFiles, recorded_files
from equivalence.recordings.recorded_rows import RowReader
from equivalence.recordings.recording import EveryInstant, OneInstant, OutputKind
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.files.canonical_runs import runs_of_counted
from physical.files.counted import counted_schema
from physical.files.spill import Spill
from physical.kernels.types import ENDLESS
from semantics import Schema, SnapeqError

LOG_KINDS: Final[tuple[OutputKind, ...]] = ("retract", "debezium", "upsert")


def log_kinds(options: Sequence[str], query: QueryOverFiles) -> dict[str, OutputKind]:
    """NAME=KIND options as kinds by the names of streams."""
    known, found = {source.name for source in query.sources}, {}
    for option in options:
        name, _, kind = option.partition("=")
        log = next((each for each in LOG_KINDS if each == kind), None)
        if name not in known or log is None:
            wanted = f"NAME=KIND, a stream ({', '.join(sorted(known))}) and one of {', '.join(LOG_KINDS)}"
            raise SnapeqError(f"--input-as {option}: expected {wanted}")
        found[name] = log
    return found


@contextmanager
def run_over(
    query: QueryOverFiles, files: Mapping[str, Path], input_as: Sequence[str], **options: Any
) -> Iterator[QueryRun]:
    """A run of a query over files, some of which are changelogs; the options are those of QueryRun."""
    kinds = log_kinds(input_as, query)
    with ExitStack() as stack:
        opened = {name: stack.enter_context(recorded_files(files[name])) for name in kinds}
        logs = {name: InputLog(opened[name], query, name, kind).batches for name, kind in kinds.items()}
        rows = readers({name: path for name, path in files.items() if name not in kinds}, query)
        yield QueryRun(query, rows, inputs=logs, **options)


@dataclass(frozen=True)
class InputLog:
    """One stream that is recorded as a changelog."""

    files: RecordedFiles
    query: QueryOverFiles
    name: str
    kind: OutputKind

    def batches(self) -> Iterator[PhysicalStream]:
        """The rows as intervals, in the order of their starts; a change that cannot be is an error."""
        reader = self._reader()
        if not reader.has_times:
            yield from self._what_is_left(Claims(reader, OneInstant(0)))
            return
        claims = Claims(reader, EveryInstant())
        waiting = Spill(self._schema, in_order)
        try:
            for ended in self._ended(claims):
                waiting.add(ended)
            _refuse_anomalies(reader)
            yield from waiting.rest()
        finally:
            waiting.close()

    def _what_is_left(self, claims: Claims) -> Iterator[PhysicalStream]:
        """The rows of a table after all changes, which have no times: they hold at every instant."""
        for batch in claims.batches(ordered=False):
            rows = self._repeated(batch)
            yield rows.valid_during(np.zeros(len(rows), np.int64), np.full(len(rows), ENDLESS))
        _refuse_anomalies(claims.reader)

    def _ended(self, claims: Claims) -> Iterator[PhysicalStream]:
        """Rows whose end is known; in the end, those that are never taken away."""
        lasting = PhysicalStream.empty(counted_schema(self._schema))
        for changes in in_portions(claims.batches(ordered=False), lambda: len(lasting)):
            runs = runs_of_counted(joined([lasting, changes])) if len(changes) else lasting
            yield self._repeated(runs.take(runs.end < ENDLESS))
            lasting = runs.take(runs.end == ENDLESS)
        yield self._repeated(lasting)

    def _repeated(self, runs: PhysicalStream) -> PhysicalStream:
        """Each row as often as it is there."""
        *columns, counts = runs.columns
        which = np.repeat(np.arange(len(runs)), np.maximum(counts.values, 0))
        return in_order(runs.with_columns(self._schema, columns).take(which))

    @property
    def _schema(self) -> Schema:
        return layout(self.name, self.query).schema

    def _reader(self) -> RowReader:
        found = layout(self.name, self.query)
        times = () if found.start is None else (found.start,)
        reading = Reading(found.schema, self.kind, Given({}, times), self._key(), found.unit)
        reader = RowReader(self.files, reading)
        if reader.file_schema.names and reader.places.time is None and found.start is not None:
            wanted = " or ".join((*times, "ts_ms"))
            raise SnapeqError(f"{self.files.name}: changes of {self.name} need a time; expected a column {wanted}")
        return reader

    def _key(self) -> tuple[str, ...] | None:
        declared = self.query.declaration(self.name)
        constraints = () if declared is None else declared.constraints
        key = next((c.columns for c in constraints if c.kind == "PRIMARY KEY"), self._key_of_dialect())
        if key is None and self.kind == "upsert":
            raise SnapeqError(
                f"--input-as {self.name}=upsert: expected a PRIMARY KEY in the declaration of {self.name}"
            )
        return key if self.kind == "upsert" else None

    def _key_of_dialect(self) -> tuple[str, ...] | None:
        """What another dialect declares, where a key is no promise about every snapshot."""
        reading = self.query.reading
        keys = () if reading is None else reading.input_keys.get(self.name, ())
        names = {name.lower(): name for name in self._schema.names}
        return tuple(names[key.lower()] for key in keys) or None


def _refuse_anomalies(reader: RowReader) -> None:
    for anomaly in reader.found_anomalies():
        raise SnapeqError(f"{anomaly}; expected a log in which every change is possible")
