"""Counterexamples as JSON that `snapeq replay` reads back: the document of a verdict, and what else a replay needs.

{"verdict": "refuted", "evidence": {…}, "counterexample": {"streams": {"S": [[row…, start, end], …]}, "plans": […],
 "instant": 3, "left": [[row…], …], "right": [[row…], …]}, "raw": ["S"], "engine": "interval", "equivalence": "…"}

The columns of a stream follow from the plans that read it. Reading a document runs nothing and loads nothing.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from equivalence.counterexample import Counterexample
from equivalence.generate.cases import sources
from equivalence.generate.functions import KNOWN
from equivalence.report.reading import DocumentError, a_list, a_number, a_text, an_object, names, one_of
from equivalence.rule import Equivalence
from equivalence.verdict import Kind, Verdict
from semantics import (
    FOREVER,
    Interval,
    IntervalStream,
    Multiset,
    Plan,
    RawStream,
    Row,
    Schema,
    SnapeqError,
    Stream,
    Type,
    parse_plan,
)
from semantics.value import Value, brief, conform

LATEST: Final = 2_000
"""The latest wrong instant that is read: everything before it has to be evaluated."""
MOST_ELEMENTS: Final = 10_000
LONGEST_PLAN: Final = 20_000
"""Characters."""
_FLOATS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_PARTS: Final = ("streams", "plans", "instant", "left", "right")


@dataclass(frozen=True)
class SavedCase:
    """A counterexample with how its sides are to be compared: by two plans, or by one plan and an engine."""

    found: Counterexample
    engine: str | None = None
    equivalence: Equivalence = "snapshot-multiset"


def to_json(
    verdict: Verdict, *, engine: str | None = None, equivalence: Equivalence = "snapshot-multiset"
) -> dict[str, object]:
    """The document to save."""
    found = verdict.counterexample
    streams = found.streams if isinstance(found, Counterexample) else {}
    raw = sorted(name for name, stream in streams.items() if isinstance(stream, RawStream))
    more = {"raw": raw, "engine": engine, "equivalence": None if equivalence == "snapshot-multiset" else equivalence}
    return {**verdict.to_json(), **{key: value for key, value in more.items() if value}}


def from_json(document: object) -> Counterexample:
    """The counterexample of a saved document, or of the document of a counterexample alone."""
    return read_case(document).found


def read_case(document: object) -> SavedCase:
    """The case in a document; anything else is an error that says where."""
    try:
        if "plans" in names(document, "case"):
            return SavedCase(_counterexample(document, ()))
        return _saved(document)
    except RecursionError:
        raise DocumentError("case: a plan is nested too deeply") from None


def _saved(document: object) -> SavedCase:
    parts = an_object(document, "case", ("verdict", "evidence", "counterexample"), ("raw", "engine", "equivalence"))
    one_of(parts["verdict"], "verdict", get_args(Kind))
    names(parts["evidence"], "evidence")
    if parts["counterexample"] is None:
        raise DocumentError(f"case: expected a counterexample, got a verdict without one: {parts['verdict']}")
    raw = a_list(parts.get("raw", []), "raw", lambda value, where: a_text(value, where, LONGEST_PLAN), MOST_ELEMENTS)
    engine = a_text(parts["engine"], "engine", 200) if "engine" in parts else None
    equivalence: Any = one_of(parts.get("equivalence", "snapshot-multiset"), "equivalence", get_args(Equivalence))
    return SavedCase(_counterexample(parts["counterexample"], raw), engine, equivalence)


def _counterexample(document: object, raw: list[str] | tuple[str, ...]) -> Counterexample:
    parts = an_object(document, "counterexample", _PARTS, ("blamed",))
    plans = a_list(parts["plans"], "plans", _plan, 2)
    if not plans:
        raise DocumentError("plans: expected one or two, got none")
    return Counterexample(
        tuple(plans),
        _streams(parts["streams"], _schemas(plans), raw),
        a_number(parts["instant"], "instant", LATEST),
        _snapshot(parts["left"], "left", plans[0].schema),
        _snapshot(parts["right"], "right", plans[-1].schema),
        _plan(parts["blamed"], "blamed") if "blamed" in parts else None,
    )


def _plan(value: object, where: str) -> Plan:
    try:
        return parse_plan(a_text(value, where, LONGEST_PLAN), KNOWN)
    except DocumentError:
        raise
    except SnapeqError as error:
        raise DocumentError(f"{where}: {error}") from None


def _schemas(plans: list[Plan]) -> dict[str, Schema]:
    schemas: dict[str, Schema] = {}
    for plan in plans:
        for name, schema in sources(plan).items():
            if schemas.setdefault(name, schema) != schema:
                raise DocumentError(f"plans: source {name!r} has columns {schemas[name]} and {schema}")
    return schemas


def _streams(value: object, schemas: Mapping[str, Schema], raw: list[str] | tuple[str, ...]) -> dict[str, Stream]:
    listed = an_object(value, "streams", sorted(schemas))
    strange = [name for name in raw if name not in listed]
    if strange:
        raise DocumentError(f"raw: expected names of streams, got {brief(strange[0])}")
    return {name: _stream(listed[name], f"streams.{name}", schemas[name], name in raw) for name in sorted(listed)}


def _stream(value: object, where: str, schema: Schema, raw: bool) -> Stream:
    def element(item: object, place: str) -> tuple[Row, Interval]:
        parts = a_list(item, place, lambda part, _: part, len(schema) + 2)
        if len(parts) != len(schema) + 2:
            raise DocumentError(f"{place}: expected a row ({schema}), a start and an end, got {brief(parts)}")
        return _row(parts[:-2], place, schema), _interval(parts[-2], parts[-1], place)

    elements = a_list(value, where, element, MOST_ELEMENTS)
    try:
        if not raw:
            return IntervalStream(schema, elements)
        return RawStream(schema, [(row, _chronon(interval, where)) for row, interval in elements])
    except DocumentError:
        raise
    except SnapeqError as error:
        raise DocumentError(f"{where}: {error}") from None


def _interval(start: object, end: object, where: str) -> Interval:
    begin = a_number(start, f"{where}: start", 2**62)
    stop = FOREVER if end is None else a_number(end, f"{where}: end", 2**62)
    if stop <= begin:
        raise DocumentError(f"{where}: expected an end after the start {begin}, or null, got {stop}")
    return Interval(begin, stop)


def _chronon(interval: Interval, where: str) -> int:
    if interval.end != interval.start + 1:
        raise DocumentError(f"{where}: expected elements of one instant in a raw stream, got {interval}")
    return interval.start


def _snapshot(value: object, where: str, schema: Schema) -> Multiset:
    def row(item: object, place: str) -> Row:
        return _row(a_list(item, place, lambda part, _: part, len(schema)), place, schema)

    return Multiset(a_list(value, where, row, MOST_ELEMENTS))


def _row(values: list[object], where: str, schema: Schema) -> Row:
    if len(values) != len(schema):
        raise DocumentError(f"{where}: expected values of {schema}, got {brief(values)}")
    return tuple(_value(v, c.type, f"{where}: {c.name}") for v, c in zip(values, schema.columns, strict=True))


def _value(value: object, type_: Type, where: str) -> Value:
    """A value of this type; floats that JSON has not come as text."""
    if type_ is Type.FLOAT and isinstance(value, str):
        return _FLOATS[one_of(value, where, _FLOATS)]
    if isinstance(value, float) and not math.isfinite(value):
        raise DocumentError(f"{where}: expected a number that is a double, got one that is too large")
    try:
        return conform(value, type_, where)
    except SnapeqError as error:
        raise DocumentError(str(error)) from None
