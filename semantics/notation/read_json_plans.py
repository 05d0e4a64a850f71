"""Trees of JSON read back as plans: the inverse of `plan_to_json`, for engines and tools that write plans."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from semantics import plan as op
from semantics.errors import NotationError, SnapeqError
from semantics.notation.read_json_aggregates import aggregate_from_json, sort_key_from_json
from semantics.notation.read_json_expressions import (
    expression_from_json,
    items,
    members,
    one_of,
    truth,
    type_named,
    whole,
)
from semantics.notation.read_json_over import over_from_json
from semantics.plan import Plan
from semantics.schema import Column, Schema
from semantics.time import FOREVER
from semantics.value import brief

DEEPEST: Final = 200
"""Levels of a tree: deeper ones are refused before they exhaust the stack."""
RANKINGS: Final = ("rows", "rank", "dense")
Parts = Mapping[str, Any]


def plan_from_json(tree: object) -> Plan:
    """The plan that a tree describes, as docs/protocol.md says; what is wrong with the tree is an error with its place.

    >>> plan_from_json({"operator": "Source", "name": "S", "columns": [["x", "int"]]}).schema.names
    ('x',)
    """
    return _plan(tree, "plan", DEEPEST)


def _plan(tree: object, where: str, levels: int) -> Plan:
    if not levels:
        raise NotationError(f"plan: expected at most {DEEPEST} levels")
    parts = members(tree, where, "operator")
    name = one_of(parts["operator"], f"{where}.operator", READERS)
    inputs = items(parts.get("inputs", []), f"{where}.inputs", lambda child, at: _plan(child, at, levels - 1))
    arity, read = READERS[name]
    if len(inputs) != arity:
        raise NotationError(f"{where}: {name} has {arity} inputs, got {len(inputs)}")
    try:
        plan = read(inputs, parts, where)
    except NotationError as error:
        raise NotationError(str(error) if str(error).startswith("plan") else f"{where}: {error}") from None
    except SnapeqError as error:
        raise NotationError(f"{where}: {error}") from None
    _check_columns(plan, parts, where)
    return plan


def _check_columns(plan: Plan, parts: Parts, where: str) -> None:
    """The columns that a tree says must be those that its plan has; a tree may leave them out."""
    if "columns" in parts and _schema(parts, where) != plan.schema:
        raise NotationError(f"{where}.columns: expected {plan.schema}, got {brief(parts['columns'])}")


def _schema(parts: Parts, where: str) -> Schema:
    return Schema(items(members(parts, where, "columns")["columns"], f"{where}.columns", _column))


def _column(pair: object, where: str) -> Column:
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
        raise NotationError(f'{where}: expected ["name", "type"], got {brief(pair)}')
    return Column(pair[0], type_named(pair[1], where))


def _names(parts: Parts, where: str, first: int = 0) -> tuple[str, ...]:
    return _schema(parts, where).names[first:]


def _whole(parts: Parts, name: str, where: str) -> int:
    return whole(members(parts, where, name)[name], f"{where}.{name}")


def _optional(parts: Parts, name: str, where: str) -> int | None:
    return None if members(parts, where, name)[name] is None else _whole(parts, name, where)


def _keys(parts: Parts, where: str) -> tuple[int, ...]:
    return items(members(parts, where, "keys")["keys"], f"{where}.keys", whole)


def _flag(parts: Parts, name: str, where: str) -> bool:
    return truth(members(parts, where, name)[name], f"{where}.{name}")


def _aggregates(parts: Parts, where: str) -> Any:
    return items(members(parts, where, "aggregates")["aggregates"], f"{where}.aggregates", aggregate_from_json)


def _source(_: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    name = members(parts, where, "name")["name"]
    if not isinstance(name, str):
        raise NotationError(f"{where}.name: expected a text, got {brief(name)}")
    return op.Source(name, _schema(parts, where))


def _filter(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    return op.Filter(
        inputs[0], expression_from_json(members(parts, where, "predicate")["predicate"], f"{where}.predicate")
    )


def _map(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    given = members(parts, where, "expressions")["expressions"]
    return op.Map(inputs[0], items(given, f"{where}.expressions", expression_from_json), _names(parts, where))


def _unnest(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    array = expression_from_json(members(parts, where, "array")["array"], f"{where}.array")
    names = _names(parts, where, len(inputs[0].schema))
    if len(names) != 1 + _flag(parts, "numbered", where):
        raise NotationError(f"{where}.columns: expected one more, or two if numbered, got {', '.join(names)}")
    return op.Unnest(inputs[0], array, names, _flag(parts, "outer", where))


def _aggregation(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    on_empty = _flag(parts, "on_empty", where)
    return op.Aggregation(inputs[0], _aggregates(parts, where), _names(parts, where), on_empty)


def _grouping(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    keys = _keys(parts, where)
    return op.Grouping(inputs[0], keys, _aggregates(parts, where), _names(parts, where, len(keys)))


def _limit(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    order = items(members(parts, where, "order")["order"], f"{where}.order", sort_key_from_json)
    ranking: Any = one_of(members(parts, where, "ranking")["ranking"], f"{where}.ranking", RANKINGS)
    count, offset = _optional(parts, "count", where), _whole(parts, "offset", where)
    return op.Limit(inputs[0], count, order, _keys(parts, where), offset, ranking)


def _time_window(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    size = _optional(parts, "size", where)
    return op.TimeWindow(inputs[0], FOREVER if size is None else size, _whole(parts, "slide", where))


def _rows(parts: Parts, where: str) -> tuple[int, int, bool]:
    return _whole(parts, "rows", where), _whole(parts, "slide", where), _flag(parts, "ties", where)


def _count_window(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    return op.CountWindow(inputs[0], *_rows(parts, where))


def _partitioned_window(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    return op.PartitionedWindow(inputs[0], _keys(parts, where), *_rows(parts, where))


def _landmark_window(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    return op.LandmarkWindow(inputs[0], _whole(parts, "start", where), _optional(parts, "reset", where))


def _session_window(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    first, second = _names(parts, where, len(inputs[0].schema))
    gap, touching = _whole(parts, "gap", where), _flag(parts, "touching", where)
    return op.SessionWindow(inputs[0], gap, _keys(parts, where), touching, (first, second))


def _over(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
    order = items(members(parts, where, "order")["order"], f"{where}.order", sort_key_from_json)
    functions = items(members(parts, where, "functions")["functions"], f"{where}.functions", over_from_json)
    return op.Over(inputs[0], functions, _names(parts, where, len(inputs[0].schema)), _keys(parts, where), order)


Reader = Callable[[tuple[Plan, ...], Parts, str], Plan]


def _plain(kind: Any) -> Reader:
    return lambda inputs, *_: kind(*inputs)


def _conditioned(kind: Any) -> Reader:
    def read(inputs: tuple[Plan, ...], parts: Parts, where: str) -> Plan:
        condition = expression_from_json(members(parts, where, "condition")["condition"], f"{where}.condition")
        plan: Plan = kind(*inputs, condition)
        return plan

    return read


READERS: Final[Mapping[str, tuple[int, Reader]]] = {
    "Source": (0, _source),
    "Filter": (1, _filter),
    "Map": (1, _map),
    "Unnest": (1, _unnest),
    "Aggregation": (1, _aggregation),
    "Grouping": (1, _grouping),
    "Limit": (1, _limit),
    "TimeWindow": (1, _time_window),
    "CountWindow": (1, _count_window),
    "PartitionedWindow": (1, _partitioned_window),
    "LandmarkWindow": (1, _landmark_window),
    "SessionWindow": (1, _session_window),
    "Over": (1, _over),
    **{kind.__name__: (1, _plain(kind)) for kind in (op.Distinct, op.Istream, op.Dstream, op.Rstream)},
    **{kind.__name__: (2, _plain(kind)) for kind in (op.Union, op.Difference, op.Intersection, op.Product)},
    **{
        kind.__name__: (2, _conditioned(kind))
        for kind in (op.Join, op.LeftJoin, op.RightJoin, op.FullJoin, op.Semijoin, op.Antijoin)
    },
}
"""For every operator: how many inputs it has, and how its parameters are read."""
