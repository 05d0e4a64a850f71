"""Plans in QED's notation, written shortly."""

from typing import Any

Node = dict[str, Any]
NUMBERS = {
    "name": "T",
    "fields": ["k", "x", "y"],
    "types": ["INTEGER", "INTEGER", "INTEGER"],
    "nullable": [False, True, True],
    "key": [[0]],
}
"""A table of three columns, the first of which is a key."""
UNNAMED = {"types": ["INT", "STRING", "JSONB"], "nullable": [True, True, True], "key": []}
"""As CockroachDB's plans have tables: without names."""


def column(number: int, kind: str = "INTEGER") -> Node:
    return {"column": number, "type": kind}


def op(name: str, *operands: Node, kind: str = "BOOLEAN") -> Node:
    return {"operator": name, "operand": list(operands), "type": kind}


def constant(text: object, kind: str = "INTEGER") -> Node:
    return op(str(text), kind=kind)


def scan(number: int = 0) -> Node:
    return {"scan": number}


def filtered(source: Node, condition: Node) -> Node:
    return {"filter": {"condition": condition, "source": source}}


def project(source: Node, *target: Node) -> Node:
    return {"project": {"target": list(target), "source": source}}


def join(kind: str, left: Node, right: Node, condition: Node) -> Node:
    return {"join": {"kind": kind, "left": left, "right": right, "condition": condition}}


def call(name: str, *operands: Node, distinct: bool = False, kind: str = "BIGINT") -> Node:
    return {"operator": name, "operand": list(operands), "distinct": distinct, "ignoreNulls": True, "type": kind}


def group(source: Node, keys: list[Node], *functions: Node) -> Node:
    return {"group": {"keys": keys, "function": list(functions), "source": source}}


def written_out_group(source: Node, again: Node, keys: list[Node], equal: list[Node], *functions: Node) -> Node:
    """A group as QED's parser writes it: rows of keys, and for each of them the aggregates over what is equal."""
    rows = filtered(again, op("AND", op("TRUE"), op("AND", *equal)))
    aggregates = {"aggregate": {"function": list(functions), "source": rows}}
    return {"distinct": {"correlate": [project(source, *keys), aggregates]}}


def values(kinds: list[str], *rows: list[Node]) -> Node:
    return {"values": {"schema": kinds, "content": list(rows)}}


def query(name: str, inner: Node, *operands: Node, kind: str = "BOOLEAN") -> Node:
    return {**op(name, *operands, kind=kind), "query": inner}


def pair(left: Node, right: Node, *tables: Node, shown: str = "") -> Node:
    return {"schemas": list(tables or (NUMBERS,)), "queries": [left, right], "help": [shown, ""]}
