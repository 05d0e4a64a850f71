"""Steps about sessions, for engines that say that they have them."""

from typing import Final

from equivalence.conformance.subject.by_command.capabilities import Capabilities
from equivalence.conformance.subject.by_command.conversation import Answer, Request
from equivalence.conformance.subject.by_command.requests import plan_parts, wire_rows
from equivalence.protocol.check import Check, instants, small_stream
from equivalence.protocol.probe import Probe, Wrong
from semantics import FOREVER, IntervalStream
from semantics.notation.json_values import json_columns


def _opened(probe: Probe, session: str) -> Request:
    schema = small_stream(probe).schema
    parts = plan_parts(probe.identity(schema), probe.capabilities)
    streams = {"S": {"columns": json_columns(schema)}}
    return {"do": "open", "session": session, **parts, "streams": streams, "slack": 0, "result": probe.kind}


def _pushed(probe: Probe, session: str, stream: IntervalStream) -> Request:
    rows = wire_rows(stream.elements, probe.capabilities.inputs, FOREVER)
    return {"do": "push", "session": session, "source": "S", "rows": rows}


def _asked(probe: Probe, request: Request) -> Answer:
    answer = probe.ask(request)
    said = next((f"{key}: {answer[key]}" for key in ("error", "unsupported") if key in answer), None)
    if said is not None:
        raise Wrong(f"expected an answer with nothing but the id, got {said}")
    return answer


def _heartbeat(time: int, session: str, source: str | None = None) -> Request:
    return {"do": "heartbeat", "session": session, "time": time, "source": source}


def _check_results(probe: Probe, answers: list[Answer], stream: IntervalStream) -> None:
    """The rows of all results together are those of the stream."""
    for answer in answers:
        probe.elements(answer, probe.identity(stream.schema))
    together = {**answers[-1], "rows": [row for answer in answers for row in answer["rows"]]}
    probe.check_rows(together, stream, 6)


def _session(probe: Probe) -> None:
    stream = small_stream(probe)
    early, late = (IntervalStream(stream.schema, part) for part in (stream.elements[:2], stream.elements[2:]))
    _asked(probe, _opened(probe, "one"))
    _asked(probe, _pushed(probe, "one", early))
    _asked(probe, _heartbeat(2, "one"))
    first = _asked(probe, {"do": "result", "session": "one"})
    _asked(probe, _pushed(probe, "one", late))
    _asked(probe, _heartbeat(6, "one", "S"))
    second = _asked(probe, {"do": "result", "session": "one"})
    _asked(probe, {"do": "close", "session": "one"})
    _check_results(probe, [first, second], stream)


def _two_sessions(probe: Probe) -> None:
    stream = small_stream(probe)
    other = instants(stream.schema, stream.elements[1][0], start=3)
    for name in ("one", "two"):
        _asked(probe, _opened(probe, name))
    _asked(probe, _pushed(probe, "one", stream))
    _asked(probe, _pushed(probe, "two", other))
    for name, right in (("one", stream), ("two", other)):
        _asked(probe, _heartbeat(6, name))
        _check_results(probe, [_asked(probe, {"do": "result", "session": name})], right)
        _asked(probe, {"do": "close", "session": name})


def _opened_again(probe: Probe) -> None:
    for _ in range(2):
        _asked(probe, _opened(probe, "one"))
        _asked(probe, _heartbeat(6, "one"))
        _check_results(
            probe, [_asked(probe, {"do": "result", "session": "one"})], IntervalStream(small_stream(probe).schema)
        )
        _asked(probe, {"do": "close", "session": "one"})


def _has_sessions(capabilities: Capabilities) -> str:
    return "" if capabilities.sessions else "it has no sessions"


SESSION_CHECKS: Final = (
    Check(
        "session", "rows that are pushed come out once heartbeats have passed them, each once", _session, _has_sessions
    ),
    Check("two sessions", "sessions with different names do not see each other's rows", _two_sessions, _has_sessions),
    Check("session again", "a name that was closed begins anew", _opened_again, _has_sessions),
)
