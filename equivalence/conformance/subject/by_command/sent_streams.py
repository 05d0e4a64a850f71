"""The streams of a request: their rows in the request itself, or in files that it names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa

from equivalence.conformance.subject.by_command.capabilities import Capabilities, StreamForm
from equivalence.conformance.subject.by_command.requests import described, events, inline
from equivalence.conformance.subject.inputs import columns
from physical.columns.arrow import to_arrow
from physical.columns.arrow_types import arrow_type
from physical.columns.stream import PhysicalStream
from physical.files.layout import END, START
from physical.files.writer import table_in_file
from semantics import FOREVER, Interval, Stream
from semantics.constraint import elements_of

TIME: Final = "_time"
"""The column of instants in a file of events."""
Sent = Mapping[str, dict[str, object]]


@dataclass(frozen=True)
class SentStreams:
    """How an engine takes its streams."""

    capabilities: Capabilities

    @contextmanager
    def sent(self, streams: Mapping[str, Stream], horizon: int | None, in_columns: bool, delay: int) -> Iterator[Sent]:
        """The streams as a request has them; files are there as long as the context lasts."""
        until = FOREVER if horizon is None else horizon
        form = self.capabilities.streams[-1 if in_columns else 0]
        if form == "inline":
            signed = {name: _signed(stream) if in_columns else stream for name, stream in streams.items()}
            yield {n: inline(stream, self.capabilities.inputs, until, delay) for n, stream in signed.items()}
            return
        with TemporaryDirectory(prefix="snapeq-") as folder:
            yield {
                name: self._in_file(stream, Path(folder) / f"{number}.{form}", form, until, delay)
                for number, (name, stream) in enumerate(streams.items())
            }

    def _in_file(self, stream: Stream, path: Path, form: StreamForm, horizon: float, delay: int) -> dict[str, object]:
        table = self._table(stream, horizon, delay)
        with table_in_file(path, table.schema) as sink:
            sink.write(table)
        return {**described(stream), form: str(path)}

    def _table(self, stream: Stream, horizon: float, delay: int) -> pa.Table:
        types = {column.name: arrow_type(column.type) for column in stream.schema.columns}
        if self.capabilities.inputs == "intervals":
            whole = to_arrow(columns(stream))
            return whole.cast(pa.schema({**types, START: pa.int64(), END: pa.int64()}))
        spread = [(row, Interval(t + delay, t + delay + 1)) for row, t in events(list(elements_of(stream)), horizon)]
        whole = to_arrow(PhysicalStream.from_elements(stream.schema, spread)).drop_columns([END])
        return whole.rename_columns([*types, TIME]).cast(pa.schema({**types, TIME: pa.int64()}))


def _signed(stream: Stream) -> Stream:
    """The same stream, in which every other zero has a negative sign."""
    return columns(stream).to_interval()
