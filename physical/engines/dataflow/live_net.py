"""Queries over channels: every receptor, every emitter and the scheduler is a thread.

layout = Layout(schema, start="ts")
with Live({"S": layout}, {"hot": query}) as live:
    port = live.listen("S")
    live.write("hot", path)
    live.finish(timeout=60)
"""

from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from physical.engines.dataflow.channel import Address, FileIn, FileOut, In, Out, SocketIn, SocketOut
from physical.engines.dataflow.query_net import DEFAULT_SETTING, QueryNet, Setting
from physical.engines.dataflow.workers import (
    MAX_WAITING_ELEMENTS,
    Control,
    EmitterThread,
    ReceptorThread,
    SchedulerThread,
    Worker,
)
from physical.files.layout import Layout
from physical.kernels.types import ENDLESS
from semantics import SchemaError, StreamError
from semantics.evaluate import Planned


class LiveNet:
    """A net that runs in threads until all streams have ended and all results are delivered."""

    def __init__(
        self,
        sources: Mapping[str, Layout],
        queries: Mapping[str, Planned],
        setting: Setting = DEFAULT_SETTING,
        horizon: int = ENDLESS,
    ) -> None:
        self.sources = dict(sources)
        self.graph = QueryNet(setting, horizon)
        raw = frozenset(name for name, layout in self.sources.items() if layout.start and not layout.end)
        self.emitters = {name: self.graph.query(query.plan, raw) for name, query in queries.items()}
        self.schemas = {name: query.plan.schema for name, query in queries.items()}
        self.errors: list[Exception] = []
        self._control = Control(horizon, self._failed)
        self._workers: list[Worker] = []
        self._channels: list[In | Out] = []
        self._ins: dict[str, In] = {}
        self._outs: dict[str, Out] = {}

    def listen(self, source: str) -> Address:
        """Take a stream from a client that connects to the returned address."""
        channel = SocketIn()
        self._enter(source, channel)
        return channel.address

    def read(self, source: str, path: Path) -> None:
        """Take a stream from a file."""
        self._enter(source, FileIn(path))

    def serve(self, query: str, clients: int = 1) -> Address:
        """Deliver results to the given number of clients, which connect to the returned address."""
        channel = SocketOut(clients)
        self._leave(query, channel)
        return channel.address

    def write(self, query: str, path: Path) -> None:
        """Deliver results to a file."""
        self._leave(query, FileOut(path))

    def start(self) -> None:
        """Let all threads run."""
        self._check_complete()
        self.graph.net.changed = self._control.bell.ring
        for name, (inlet, *_) in self.graph.sources.items():
            room = max(MAX_WAITING_ELEMENTS, self.graph.setting.batch)
            worker = ReceptorThread(inlet.basket, self.sources[name], self._ins[name], self._control, room)
            self._workers.append(worker)
        for name, channel in self._outs.items():
            self.emitters[name].threaded = True
            self._workers.append(EmitterThread(self.emitters[name], self.schemas[name], channel, self._control))
        self._scheduler = SchedulerThread(self.graph.scheduler, self._control)
        for thread in [self._scheduler, *self._workers]:
            thread.start()

    def finish(self, timeout: float) -> None:
        """Wait until everything is delivered; raise what went wrong in a thread."""
        if not self._workers:
            self.start()
        deadline = monotonic() + timeout
        for worker in self._workers:
            worker.join(max(deadline - monotonic(), 0))
        late = [worker.name for worker in self._workers if worker.is_alive()]
        self.stop()
        if self.errors:
            raise self.errors[0]
        if late:
            raise StreamError(f"finish: all streams must end within {timeout} s; still running: {', '.join(late)}")

    def stop(self) -> None:
        """End all threads, wherever they are."""
        self._stop()
        for worker in self._workers:
            worker.join()
        if self._workers:
            self._scheduler.join()
        for channel in self._channels:
            channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _failed(self, error: Exception) -> None:
        self.errors.append(error)
        self._stop()

    def _stop(self) -> None:
        self._control.stopping.set()
        for basket in self.graph.net.baskets.values():
            basket.notify()
        self._control.bell.ring()

    def _enter(self, source: str, channel: In) -> None:
        self._channels.append(channel)
        if source not in self.sources or source in self._ins:
            given = ", ".join(name for name in self.sources if name not in self._ins) or "none"
            raise SchemaError(f"receptor: expected a source without one, got {source!r}; there are: {given}")
        self._ins[source] = channel

    def _leave(self, query: str, channel: Out) -> None:
        self._channels.append(channel)
        if query not in self.emitters or query in self._outs:
            given = ", ".join(name for name in self.emitters if name not in self._outs) or "none"
            raise SchemaError(f"emitter: expected a query without one, got {query!r}; there are: {given}")
        self._outs[query] = channel

    def _check_complete(self) -> None:
        missing = [name for name in self.graph.sources if name not in self._ins]
        missing += [name for name in self.emitters if name not in self._outs]
        if missing:
            raise SchemaError(f"start: expected a channel for every source and query, there is none for {missing[0]!r}")
