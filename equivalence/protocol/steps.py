"""The steps of a check of the protocol, in their order."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, get_args

from equivalence.conformance.subject.by_command.capabilities import Capabilities, ResultKind, StreamForm, read_hello
from equivalence.conformance.subject.by_command.conversation import HELLO, Request
from equivalence.protocol.check import Check, instants, small_stream
from equivalence.protocol.probe import Probe, Wrong
from equivalence.protocol.session_steps import SESSION_CHECKS
from equivalence.verdicts.json.reading import DocumentError
from semantics import Interval, IntervalStream, Schema, Type
from semantics.value import INT_MAX, INT_MIN

ROWS_OF_A_BIG_LINE: Final = 20_000
INSTANTS_OF_A_BIG_LINE: Final = 20
LARGEST_ID: Final = 2**53 - 1
NEEDED: Final[dict[ResultKind, tuple[str, ...]]] = {
    "panes": ("TimeWindow",),
    "upsert": ("Distinct",),
    "updates": ("TimeWindow", "Distinct"),
}
"""Operators without which a kind of result cannot be asked for."""


def _values(name: str, expected: str, type_: Type, *values: object) -> Check:
    """Values of one type must come back as they are, in the row in which they were."""
    schema = Schema.of(v=type_)
    stream = instants(schema, *((value,) for value in values))  # type: ignore[arg-type]
    return Check(name, expected, lambda probe: probe.check_identity(stream), _takes(type_))


def _takes(*types: Type) -> Callable[[Capabilities], str]:
    def needs(capabilities: Capabilities) -> str:
        lacking = [type_.value for type_ in types if type_.value not in capabilities.types]
        return f"the engine does not list the type {lacking[0]}" if lacking else ""

    return needs


def _hello(probe: Probe) -> None:
    try:
        probe.capabilities = read_hello(probe.ask(HELLO))
    except DocumentError as error:
        raise Wrong(str(error)) from None
    if "Source" not in probe.capabilities.operators or not probe.capabilities.types:
        raise Wrong('an engine must list the operator "Source" and at least one type, or nothing can be asked')


def _silent(probe: Probe) -> None:
    probe.ask(HELLO)
    unasked = probe.process.unasked
    if unasked:
        probe.got = unasked.decode(errors="replace")
        raise Wrong("standard output is for answers only; write anything else to standard error")


def _plain(probe: Probe) -> None:
    probe.check_identity(small_stream(probe))


def _empty(probe: Probe) -> None:
    probe.check_identity(IntervalStream(small_stream(probe).schema))


def _null(probe: Probe) -> None:
    schema = small_stream(probe).schema
    probe.check_identity(instants(schema, (None,), small_stream(probe).elements[0][0], (None,)))


def _endless(probe: Probe) -> None:
    stream = small_stream(probe)
    endless = IntervalStream(
        stream.schema, [(row, Interval(valid.start, float("inf"))) for row, valid in stream.elements]
    )
    probe.check_rows(probe.ask(probe.request(endless, 6)), endless, 6)


def _times(probe: Probe) -> None:
    rows = [row for row, _ in small_stream(probe).elements]
    probe.check_identity(instants(small_stream(probe).schema, *rows, start=2**53 + 1))


def _reversed(probe: Probe) -> None:
    stream = small_stream(probe)
    request = {**probe.request(stream, 5), "id": 7}
    [answer] = probe.tell((json.dumps(turned(request)) + "\n").encode(), [7])
    probe.check_rows(answer, stream, 5)


def turned(document: Any) -> Any:
    """The same document, the members of all objects in reverse order."""
    if isinstance(document, dict):
        return {key: turned(document[key]) for key in reversed(document)}
    return [turned(item) for item in document] if isinstance(document, list) else document


def _unknown_members(probe: Probe) -> None:
    stream = small_stream(probe)
    request = with_strangers(probe.request(stream, 5))
    probe.check_rows(probe.ask(request), stream, 5)


def with_strangers(document: Any) -> Any:
    """The same document with a member in every object that nobody has heard of."""
    if isinstance(document, dict):
        inner = {key: value if key == "streams" else with_strangers(value) for key, value in document.items()}
        return {**inner, "x-unknown": {"some": ["thing", 1, None]}}
    return [with_strangers(item) for item in document] if isinstance(document, list) else document


def _big(probe: Probe) -> None:
    """Many rows at few instants: an engine need not be fast, only able."""
    stream = small_stream(probe)
    at = [Interval(t, t + 1) for t in range(INSTANTS_OF_A_BIG_LINE)]
    many = [stream.elements[0][0]] * (ROWS_OF_A_BIG_LINE // INSTANTS_OF_A_BIG_LINE)
    probe.check_identity(IntervalStream(stream.schema, [(row, valid) for valid in at for row in many]))


def _unsupported(probe: Probe) -> None:
    stream = small_stream(probe)
    request = probe.request(stream, 5)
    strange: Request = {"operator": "NoSuchOperator", "columns": request["columns"], "inputs": [request["plan"]]}
    answer = probe.ask({**request, "plan": strange})
    if "unsupported" not in answer and "error" not in answer:
        raise Wrong('expected "unsupported" and why, for an operator that does not exist')


def _unknown_request(probe: Probe) -> None:
    if "error" not in (answer := probe.ask({"do": "dance"})) and "unsupported" not in answer:
        raise Wrong('expected "error" and a message, for a request that does not exist')


def _goes_on(probe: Probe) -> None:
    probe.ask({"do": "dance"})
    _plain(probe)


def _ids(probe: Probe) -> None:
    probe.ask(HELLO, LARGEST_ID)
    probe.ask(HELLO, 0)


def _together(probe: Probe) -> None:
    stream = small_stream(probe)
    answers = probe.ask_together([probe.request(stream, 5), HELLO, probe.request(stream, 5)])
    for answer in (answers[0], answers[2]):
        probe.check_rows(answer, stream, 5)


def _reads_trees(capabilities: Capabilities) -> str:
    return "" if "tree" in capabilities.plans else "it does not read trees"


def _stops_early(capabilities: Capabilities) -> str:
    return "" if capabilities.latest is None else f"it takes no horizon after {capabilities.latest}"


def _again(probe: Probe) -> None:
    before = probe.capabilities
    probe.stop()
    _hello(probe)
    if probe.capabilities != before:
        raise Wrong(f"before, it said {before}")


def _saying(probe: Probe, **changes: Any) -> None:
    """Check a small stream as if the engine had said only this of itself."""
    usual = probe.capabilities
    probe.capabilities = replace(usual, **changes)
    try:
        probe.check_identity(small_stream(probe))
    finally:
        probe.capabilities = usual


def _kind(kind: ResultKind) -> Check:
    def misses(capabilities: Capabilities) -> str:
        if kind not in capabilities.results:
            return f"it does not list {kind}"
        lacking = [name for name in NEEDED.get(kind, ("Source",)) if name not in capabilities.operators]
        return f"it does not list {lacking[0]}, which is asked for {kind}" if lacking else ""

    expected = f'asked for "result": "{kind}", it answers with that kind'
    return Check(f"results: {kind}", expected, lambda probe: _saying(probe, results=(kind,)), misses)


def _file(form: StreamForm) -> Check:
    expected = f"a stream whose rows are in a file ({form}) gives the same rows"
    return Check(
        f"streams: {form}",
        expected,
        lambda probe: _saying(probe, streams=(form,)),
        lambda capabilities: "" if form in capabilities.streams else f"it does not list {form}",
    )


CHECKS: Final = (
    Check("hello", 'an answer with "id", "protocol": 1, "engine", and lists of names that exist', _hello),
    Check("silence", "after an answer, no further line on standard output", _silent),
    Check("rows", "a source gives the rows that were sent, each at its instant", _plain),
    Check("empty stream", 'no rows, so "rows": []', _empty),
    Check("NULL", "null comes back as null", _null),
    Check("for ever", "a row whose end is null is there at every instant before the horizon", _endless),
    _values(
        "64-bit integers",
        "integers beyond 2^53 come as text, and go back as text or as exact numbers",
        Type.INT,
        *(0, -1, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1),
    ),
    _values(
        "floats", "doubles come back exactly", Type.FLOAT, 0.1, 1.0, -2.5, 1e16, 1e300, 5e-324, 1 / 3, 123456789.125
    ),
    _values(
        "NaN and infinities",
        'they come and go as the texts "NaN", "Infinity" and "-Infinity"',
        Type.FLOAT,
        *(float("nan"), float("inf"), float("-inf"), -0.0),
    ),
    _values(
        "texts",
        "quotes, backslashes, control characters and all of Unicode come back",
        Type.STR,
        *("", "a", '"', "\\", "\n\t\u0001", "é", "日本", "😀", "null", "NaN", "a" * 1000),
    ),
    _values("booleans", "true and false", Type.BOOL, True, False),
    Check("late instants", "instants beyond 2^53 come and go as text", _times, _stops_early),
    Check("order of members", "the order of the members of an object does not matter", _reversed),
    Check("unknown members", "members that are not known are ignored", _unknown_members),
    Check("big line", f"a line with {ROWS_OF_A_BIG_LINE:,} rows is answered", _big),
    Check(
        "unsupported plan",
        'an operator that does not exist gives "unsupported", or "error"',
        _unsupported,
        _reads_trees,
    ),
    Check("unknown request", 'a request that does not exist gives "error"', _unknown_request),
    Check("goes on", "after an error, the next request is answered", _goes_on),
    Check("ids", "an answer has the id of its request, whatever that is", _ids),
    Check("requests together", "requests that come at once are answered one by one, in order", _together),
    *(_kind(kind) for kind in get_args(ResultKind)),
    *(_file(form) for form in get_args(StreamForm) if form != "inline"),
    *SESSION_CHECKS,
    Check("end", "when its input ends, the process ends", Probe.end),
    Check("restart", "started again, it introduces itself in the same way", _again),
)
