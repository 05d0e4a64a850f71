"""A session of an engine that is driven by a command: what is done to it is gathered, and then sent as one batch."""

from collections.abc import Mapping
from typing import Any

from equivalence.conformance.subject.by_command.capabilities import Capabilities
from equivalence.conformance.subject.by_command.conversation import Request
from equivalence.conformance.subject.by_command.requests import plan_parts, wire_rows
from equivalence.conformance.subject.by_command.result_kinds import kind_for
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Interval, Plan, Schema, TooManyChanges
from semantics.notation.json_values import exact_time, json_columns


class RemoteSessions:
    """Stands for an engine whose sessions only write down the requests that they would send."""

    def __init__(self, capabilities: Capabilities) -> None:
        self._capabilities = capabilities
        self._session: RemoteSession | None = None

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> "RemoteSession":  # noqa: ARG002
        self._session = RemoteSession(self._capabilities, slack)
        return self._session

    def finished(self) -> list[Request]:
        """All requests, after which no session is left."""
        assert self._session is not None
        self._session.close()
        return self._session.requests


class RemoteSession:
    """Queries of one session; to the engine, each of them is a session of its own."""

    def __init__(self, capabilities: Capabilities, slack: int) -> None:
        self._capabilities, self._slack = capabilities, slack
        self.requests: list[Request] = []
        self._plans: dict[str, Plan] = {}

    def add(self, name: str, plan: Plan) -> None:
        self._plans[name] = plan
        streams = {source: {"columns": json_columns(schema)} for source, schema in plan.sources().items()}
        parts = {"do": "open", "session": name, **plan_parts(plan, self._capabilities), "streams": streams}
        self.requests.append({**parts, "slack": self._slack, "result": kind_for(self._capabilities, plan)})

    def subscribe(self, name: str, take: Any) -> None:
        """Results are asked for by `result`."""

    def remove(self, name: str) -> None:
        del self._plans[name]
        self.requests.append({"do": "close", "session": name})

    def push(self, source: str, batch: PhysicalStream) -> None:
        ends = [FOREVER if end == ENDLESS else end for end in batch.end.tolist()]
        spans = [Interval(start, end) for start, end in zip(batch.start.tolist(), ends, strict=True)]
        inputs = self._capabilities.inputs
        if inputs == "events" and any(span.end != span.start + 1 for span in spans):
            raise TooManyChanges("an interval cannot be pushed as events: its last instants would come too early")
        sent = wire_rows(zip(rows(batch.columns), spans, strict=True), inputs, FOREVER)
        self.requests += [
            {"do": "push", "session": name, "source": source, "rows": sent}
            for name, plan in self._plans.items()
            if source in plan.sources()
        ]

    def heartbeat(self, instant: int, source: str | None = None) -> None:
        """Each heartbeat is followed by a question for the results that it settles."""
        for name, plan in self._plans.items():
            if source is None or source in plan.sources():
                self.requests.append(
                    {"do": "heartbeat", "session": name, "time": exact_time(instant), "source": source}
                )
                self.requests.append({"do": "result", "session": name})

    def ask(self) -> None:
        """What is told by now?"""
        self.requests += [{"do": "result", "session": name} for name in self._plans]

    def close(self) -> None:
        for name in list(self._plans):
            self.remove(name)
