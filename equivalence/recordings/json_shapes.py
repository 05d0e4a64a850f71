"""Rows that are wrapped into something: records of Kafka, pairs of an operation and a row, lists of values.

Each line becomes one plain object, or nothing. Operations and times that the wrapping has get the names `__op` and
`__ts_ms`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from semantics import SnapeqError
from semantics.how_many import how_many

OP: Final = "__op"
TIME: Final = "__ts_ms"
Line = dict[str, Any] | None
KAFKA_TIMES: Final = ("timestamp", "ts", "kafka_timestamp")
KAFKA_VALUES: Final = ("value", "payload")
AVRO_TYPES: Final = frozenset({"boolean", "int", "long", "float", "double", "bytes", "string"})
KAFKA_OTHERS: Final = frozenset(
    {"topic", "partition", "offset", "tstype", "broker", "headers", "key", "timestamptype", "schema", "serialized_size"}
)


@dataclass(frozen=True)
class JsonShape:
    """What lines look like, and how the row is taken out of one."""

    name: str
    has: Callable[[Any], bool]
    """Does the first line show it?"""
    row: Callable[[Any, "LineContext"], Line]


@dataclass
class LineContext:
    """What has to be known beside the line: the names of a key without names, and those of values without names."""

    key: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    envelopes: bool = False
    """Are values envelopes of Debezium? Then a record without a value only says that Kafka may forget the key."""


def _has(*names: str) -> Callable[[Any], bool]:
    return lambda line: isinstance(line, Mapping) and set(names) <= line.keys()


def _time(line: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The time of a line, in milliseconds, by the first of these names that has a number."""
    return {TIME: time for time in [line[n] for n in names if isinstance(line.get(n), int)][:1]}  # noqa: B035


def _pair(data: str, operation: str) -> JsonShape:
    """A row beside its operation, as Maxwell, Canal and Flink's changelog-json write it."""

    def row(line: Any, _: LineContext) -> Line:
        rows = line[data] if isinstance(line[data], list) else [line[data]]
        if len(rows) != 1 or not isinstance(rows[0], Mapping):
            raise SnapeqError(f"{len(rows)} rows in {data}; expected one object")
        return {**rows[0], OP: line[operation], **_time(line, ("ts_ms", "es"))}

    def has(line: Any) -> bool:
        return _has(data, operation)(line) and isinstance(line[data], Mapping | list)

    return JsonShape(f"a row in {data} and an operation in {operation}", has, row)


def _signed(line: Any, _: LineContext) -> Line:
    """Feldera writes {"insert": row} and {"delete": row}."""
    operation = next((name for name in ("insert", "delete", "update") if isinstance(line.get(name), Mapping)), None)
    if operation is None:
        raise SnapeqError("expected an object in insert or delete")
    return {**line[operation], OP: operation}


def _progressing(line: Any, _: LineContext) -> Line:
    """Materialize's SUBSCRIBE … WITH (PROGRESS): some rows only say how far it has come."""
    return None if line["mz_progressed"] in (True, "t", "true") else dict(line)


def _weighted(line: Any, _: LineContext) -> Line:
    return {**line["data"], OP: line["weight"]}


def _is_kafka(line: Any) -> bool:
    if not isinstance(line, Mapping):
        return False
    value = next((name for name in KAFKA_VALUES if name in line), None)
    rest = {name.lower() for name in line} - {value, *KAFKA_TIMES} - KAFKA_OTHERS
    return value is not None and not rest and ("key" in line or isinstance(line[value], str))


def _kafka(line: Any, context: LineContext) -> Line:
    """A record: the value is the row, and a key without a value deletes."""
    value = _parsed(next((line[name] for name in KAFKA_VALUES if name in line), None))
    times = _time(line, KAFKA_TIMES)
    if isinstance(value, Mapping):
        value = value["payload"] if {"schema", "payload"} == value.keys() else value
    if value is None:
        return None if context.envelopes else {**_key(line.get("key"), context), OP: "d", **times}
    if not isinstance(value, Mapping):
        raise SnapeqError("the value of this record is no object; expected JSON with names")
    if "after" in value and "op" in value:
        context.envelopes = True
        return dict(value)
    if "op" in value or OP in value:
        return {**times, **value}
    key = _parsed(line.get("key"))
    named = key if isinstance(key, Mapping) else {}
    return {**_unwrapped(named), **value, OP: "u", **times}


def _key(given: Any, context: LineContext) -> dict[str, Any]:
    key = _parsed(given)
    if isinstance(key, Mapping):
        return _unwrapped(key)
    if len(context.key) != 1:
        raise SnapeqError("a key without names deletes a row; expected a key with names, or --key NAME")
    return {context.key[0]: key}


def _unwrapped(key: Mapping[str, Any]) -> dict[str, Any]:
    inner = key["payload"] if {"schema", "payload"} == key.keys() else key
    return dict(inner) if isinstance(inner, Mapping) else {}


def _parsed(value: Any) -> Any:
    """A value that is JSON in a text."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _has_avro(line: Any) -> bool:
    values = line.values() if isinstance(line, Mapping) else ()
    return any(_is_avro(value) or _has_avro(value) for value in values)


def _is_avro(value: Any) -> bool:
    return isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) in AVRO_TYPES


def _without_types(value: Any, _: LineContext | None = None) -> Any:
    """Avro's JSON says of each value that may be NULL which type it has."""
    if not isinstance(value, Mapping):
        return value
    if _is_avro(value):
        return next(iter(value.values()))
    return {name: _without_types(inner) for name, inner in value.items()}


def _listed(line: Any, context: LineContext) -> Line:
    """ksqlDB's push queries: the names once, then a list of values for each row."""
    if isinstance(line, Mapping):
        if "columnNames" in line:
            context.names = tuple(line["columnNames"])
        return None
    if not isinstance(line, list) or len(line) != len(context.names):
        raise SnapeqError(f"expected a list of {how_many(len(context.names), 'value')}: {', '.join(context.names)}")
    return dict(zip(context.names, line, strict=True))


SHAPES: Final[tuple[JsonShape, ...]] = (
    JsonShape("lists of values after their names (ksqlDB)", _has("columnNames"), _listed),
    JsonShape("records of Kafka, whose value is the row", _is_kafka, _kafka),
    JsonShape("changes and progress of SUBSCRIBE", _has("mz_progressed"), _progressing),
    JsonShape("rows of Avro, whose values stand beside their types", _has_avro, _without_types),
    _pair("data", "op"),
    _pair("data", "type"),
    JsonShape("rows with a weight", _has("data", "weight"), _weighted),
    JsonShape(
        "rows in insert or delete",
        lambda line: isinstance(line, Mapping) and bool(line) and line.keys() <= {"insert", "delete", "update"},
        _signed,
    ),
)


def shape_of(first: Any) -> JsonShape | None:
    """The shape that a first line shows; None if it is a plain row."""
    return next((shape for shape in SHAPES if shape.has(first)), None)
