"""What can be seen of a running system: rates, state, lag and heartbeats, measured between two looks."""

from collections.abc import Callable
from time import monotonic
from typing import Any

from physical.kernels.types import ENDLESS
from physical.live.graph_view import operators_of, progress
from physical.live.system import LiveSystem
from semantics import Schema
from semantics.sql.type_names import sql_type


class Watch:
    """Looks at a system; two looks shortly after each other give the same picture."""

    def __init__(self, system: LiveSystem, clock: Callable[[], float] = monotonic, pause: float = 0.5) -> None:
        self.system, self.clock, self.pause = system, clock, pause
        self.started = clock()
        self.problems: list[str] = []
        """What went wrong outside of the core, such as a file that became shorter."""
        self._counts: dict[str, int] = {}
        self._at = self.started
        self._last: dict[str, Any] = {}

    def sample(self) -> dict[str, Any]:
        """The system now, as a document."""
        with self.system.lock:
            now = self.clock()
            if not self._last or now - self._at >= self.pause:
                self._last = self._sample(max(now - self._at, 1e-9))
                self._at = now
            return self._last

    def _sample(self, seconds: float) -> dict[str, Any]:
        core, before = self.system.core, self._counts
        self._counts = {}
        streams = [self._stream(name, before, seconds) for name in core.streams]
        complete = progress(core.session)
        queries = [self._query(name, complete[name], before, seconds) for name in core.queries]
        operators = [self._operator(about, before, seconds) for about in operators_of(core.session)]
        held = sum(operator["state"] for operator in operators) + sum(stream["waiting"] for stream in streams)
        return {
            "engine": core.settings.engine,
            "strategy": core.settings.strategy,
            "slack": core.settings.slack,
            "seconds": round(self.clock() - self.started, 1),
            "state": {"elements": held, "bytes": self.system.state_bytes(), "limit": self.system.limits.state_bytes},
            "streams": streams,
            "queries": queries,
            "operators": operators,
            "failed": dict(core.failed),
            "bad_lines": list(core.bad_lines.last),
            "problems": [f"query {name} was stopped: {why}" for name, why in core.failed.items()] + self.problems[-20:],
            "state_folder": None if self.system.folder is None else str(self.system.folder.path),
            "checkpoint_problem": self.system.checkpoint_problem,
        }

    def _stream(self, name: str, before: dict[str, int], seconds: float) -> dict[str, Any]:
        state, entrance = self.system.core.streams[name], self.system.core.session.entrances[name]
        return {
            "name": name,
            "columns": described(entrance.schema),
            "elements": state.elements,
            "rate": self._rate(f"stream {name}", state.elements, before, seconds),
            "bad": state.bad,
            "late": entrance.late,
            "latest": state.latest,
            "heartbeat": _instant(entrance.promised),
            "waiting": len(entrance.waiting),
            "ended": state.ended,
        }

    def _query(self, name: str, complete: int, before: dict[str, int], seconds: float) -> dict[str, Any]:
        query = self.system.core.queries[name]
        streams = self.system.core.streams
        latest = max((streams[source].latest for source in query.asked.sources() if source in streams), default=0)
        number = query.buffer.number
        return {
            "name": name,
            "sql": query.sql,
            "results": number,
            "rate": self._rate(f"query {name}", number, before, seconds),
            "complete": _instant(complete),
            "lag": max(latest - complete, 0),
            "optimised": bool(query.choice.steps),
        }

    def _operator(self, about: dict[str, Any], before: dict[str, int], seconds: float) -> dict[str, Any]:
        """The figures of an operator, with rates and with the part of its input that comes out again."""
        if "taken" not in about:
            return about
        name, taken, given = about["id"], about.pop("taken"), about.pop("given")
        about["rate"] = self._rate(f"into {name}", taken, before, seconds)
        about["out_rate"] = self._rate(f"out of {name}", given, before, seconds)
        about["selectivity"] = round(given / taken, 3) if taken else None
        return about

    def _rate(self, what: str, count: int, before: dict[str, int], seconds: float) -> float:
        self._counts[what] = count
        return round((count - before.get(what, count)) / seconds, 1)


def _instant(time: int) -> int | None:
    """A heartbeat; None if nothing more will come."""
    return None if time == ENDLESS else time


def described(schema: Schema) -> list[dict[str, str]]:
    """The columns of a stream or of a result: their names, and their types as the language calls them."""
    return [{"name": column.name, "type": sql_type(column.type)} for column in schema.columns]
