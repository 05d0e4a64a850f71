"""Pathway, fed with rows that come and go: its own filter, select, groupby, concat and joins keep up with them."""

import json
import logging
import os
from typing import Any, Final

os.environ.setdefault("PATHWAY_TELEMETRY", "0")  # before it is imported

import pathway as pw
from pathway.internals.parse_graph import G

from physical.adapters.workers.changes import Change, changes_of, retractions
from physical.adapters.workers.expressions import (
    AGGREGATES,
    EXPRESSIONS,
    aggregated,
    conjuncts,
    equal_columns,
    evaluate,
)
from physical.adapters.workers.operators import OPERATORS, key_of
from physical.adapters.workers.protocol import Node, Request, Row, Unsupported, serve

TYPES: Final = {"int": int | None, "str": str | None, "bool": bool | None}
HOW: Final = {"LeftJoin": "join_left", "RightJoin": "join_right", "FullJoin": "join_outer"}


class Fed(pw.Schema):  # type: ignore[misc]  # it has no types
    """A row with its number."""

    number: int = pw.column_definition(primary_key=True)
    row: str


class Graph:
    """A plan as a graph of tables; columns are c0, c1, …"""

    def __init__(self, request: Request) -> None:
        self.streams = request["streams"]
        self.horizon = float("inf") if request["horizon"] is None else int(request["horizon"])

    def of(self, node: Node) -> Any:
        operator = node["operator"]
        if operator == "Source":
            return self._fed(node, None)
        if operator == "TimeWindow":
            if node["inputs"][0]["operator"] != "Source":
                raise Unsupported("windows over anything but a source")
            return self._fed(node["inputs"][0], node)
        below = [self.of(part) for part in node["inputs"]]
        match operator:
            case "Filter":
                holds = pw.apply_with_type(
                    lambda *row: evaluate(node["predicate"], row) is True, bool, *columns(below[0])
                )
                return below[0].filter(holds)
            case "Map":
                return below[0].select(**self._computed(node["expressions"], columns(below[0])))
            case "Distinct":
                return below[0].groupby(*columns(below[0])).reduce(*columns(below[0]))
            case "Aggregation" | "Grouping":
                return self._grouped(node, below[0])
            case "Union":
                return pw.Table.concat_reindex(*below)
            case "Difference" | "Intersection":
                return self._combined(node, *below)
            case _:
                return self._joined(node, *below)

    def _fed(self, node: Node, window: Node | None) -> Any:
        """Rows come as texts: the function that makes tables of rows takes integers beside None for floats."""
        types = {f"c{i}": TYPES[type_] for i, (_, type_) in enumerate(node["columns"])}
        changes = list(_numbered(changes_of(self.streams[node["name"]], window, self.horizon)))
        if not changes:
            return pw.Table.empty(**types)
        fed = pw.debug.table_from_rows(Fed, changes, is_stream=True)
        return fed.select(
            **{
                name: pw.apply_with_type(lambda row, i=i: json.loads(row)[i], type_, fed.row)
                for i, (name, type_) in enumerate(types.items())
            }
        )

    def _computed(self, expressions: list[Node], inputs: list[Any]) -> dict[str, Any]:
        return {
            f"c{i}": pw.apply_with_type(lambda *row, e=e: evaluate(e, row), TYPES[e["type"]], *inputs)
            for i, e in enumerate(expressions)
        }

    def _grouped(self, node: Node, below: Any) -> Any:
        """Counts are its own; values are gathered by its groups and folded by us, as its reducers know no NULL."""
        if node.get("on_empty"):
            raise Unsupported("a row for what is not there")
        keys = [below[f"c{key}"] for key in node.get("keys", ())]
        rows = below.with_columns(row=pw.apply(lambda *row: row, *columns(below)))
        kept = {f"k{i}": key for i, key in enumerate(keys)}
        grouped = rows.groupby(*(rows[key.name] for key in keys)).reduce(
            **{name: rows[key.name] for name, key in kept.items()},
            n=pw.reducers.count(),
            rows=pw.reducers.tuple(rows.row),
        )
        folds = {f"c{i}": grouped[name] for i, name in enumerate(kept)}
        for i, aggregate in enumerate(node["aggregates"], len(kept)):
            if aggregate["function"] == "count rows":
                folds[f"c{i}"] = grouped.n
            else:
                fold = pw.apply_with_type(
                    lambda rows, a=aggregate: aggregated(a, rows), TYPES[aggregate["type"]], grouped.rows
                )
                folds[f"c{i}"] = fold
        return grouped.select(**folds)

    def _combined(self, node: Node, left: Any, right: Any) -> Any:
        """Equal rows are counted on both sides by its groups, and come as often as they are left."""
        sides = pw.Table.concat_reindex(left.with_columns(l=1, r=0), right.with_columns(l=0, r=1))
        keys = [sides[f"c{i}"] for i in range(len(node["columns"]))]
        counted = sides.groupby(*keys).reduce(*keys, l=pw.reducers.sum(sides.l), r=pw.reducers.sum(sides.r))
        left_over = _minus if node["operator"] == "Difference" else min
        copies = pw.apply_with_type(lambda l, r: tuple(range(left_over(l, r))), tuple[int, ...], counted.l, counted.r)
        flat = counted.with_columns(copies_=copies).flatten(pw.this.copies_)
        return flat.select(**{f"c{i}": flat[f"c{i}"] for i in range(len(node["columns"]))})

    def _joined(self, node: Node, left: Any, right: Any) -> Any:
        width, operator = len(node["inputs"][0]["columns"]), node["operator"]
        parts = conjuncts(node["condition"]) if "condition" in node else []
        pairs = [equal_columns(part, width) for part in parts]
        rest = [part for part, pair in zip(parts, pairs, strict=True) if pair is None]
        if rest and operator not in ("Join", "Product"):
            raise Unsupported(f"{operator} on more than equal columns")
        if operator in ("Semijoin", "Antijoin"):
            raise Unsupported(operator)
        keys = [[pair[side] for pair in pairs if pair is not None] for side in (0, 1)]
        left, right = (_keyed(*one) for one in zip((left, right), keys, "lr", strict=True))
        on = [left.key_ == right.key_]
        both = getattr(left, HOW.get(operator, "join"))(right, *on)
        made = both.select(
            **{f"c{i}": left[f"c{i}"] for i in range(width)},
            **{f"c{width + i}": right[f"c{i}"] for i in range(len(node["inputs"][1]["columns"]))},
        )
        holds = pw.apply_with_type(lambda *row: all(evaluate(part, row) is True for part in rest), bool, *columns(made))
        return made.filter(holds) if rest else made


def _minus(here: int, there: int) -> int:
    return here - there  # a range of less than nothing is empty


def columns(table: Any) -> list[Any]:
    return [table[name] for name in table.column_names()]


def _keyed(table: Any, wanted: list[int], side: str) -> Any:
    """With a text as the key: to its joins None is equal to None."""
    key = key_of(wanted, side)
    return table.with_columns(key_=pw.apply_with_type(lambda *row: repr(key(row)), str, *columns(table)))


def _numbered(changes: Any) -> Any:
    """Rows with a key: what goes has the number under which an equal row came; times are even numbers."""
    there: dict[Row, list[int]] = {}
    for number, (instant, row, by) in enumerate(sorted(changes, key=lambda change: (change[0], change[2]))):
        key = number if by > 0 else there[row].pop()
        if by > 0:
            there.setdefault(row, []).append(number)
        yield (key, json.dumps(row), 2 * instant + 2, by)


def run(request: Request) -> list[object]:
    G.clear()
    result = Graph(request).of(request["plan"])
    names, log = result.column_names(), list[Change]()

    def note(key: Any, row: dict[str, Any], time: int, is_addition: bool) -> None:  # noqa: ARG001  # it has four
        log.append((time // 2 - 1, tuple(row[name] for name in names), 1 if is_addition else -1))

    pw.io.subscribe(result, on_change=note)
    pw.run(monitoring_level=pw.MonitoringLevel.NONE)
    return retractions(log)


HELLO: dict[str, object] = {
    "engine": "pathway",
    "operators": [operator for operator in OPERATORS if operator not in ("Semijoin", "Antijoin")],
    "expressions": EXPRESSIONS,
    "aggregates": AGGREGATES,
    "types": list(TYPES),
    "results": ["retract"],
    "lifted": True,
    "latest": 1000,
    "time_limit": 120,
}

if __name__ == "__main__":
    logging.disable(logging.WARNING)
    serve(HELLO, run)
