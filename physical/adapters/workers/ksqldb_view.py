"""What ksqlDB can say of a plan: one source, perhaps through a window, filtered, mapped, and perhaps grouped."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from physical.adapters.workers.expressions import ARITHMETIC, COMPARISONS
from physical.adapters.workers.protocol import Node, Row, Unsupported, read

TYPES: Final = {"int": "BIGINT", "bool": "BOOLEAN", "str": "VARCHAR"}
NOTHING: Final = {"int": "0", "bool": "FALSE", "str": "''"}
"""What stands for NULL in the key of a group, beside a column that tells: rows with NULL there are left out."""


@dataclass(frozen=True)
class View:
    """A query over the columns C0, C1, … of a source."""

    source: str
    columns: tuple[str, ...]
    """What each column is of those of the source."""
    conditions: tuple[str, ...] = ()
    window: Node | None = None
    grouping: Node | None = None
    counted: bool = False
    """Is a group as many equal rows?"""

    @property
    def aggregates(self) -> list[Node]:
        return [] if self.grouping is None else self.grouping["aggregates"]

    @property
    def keys(self) -> list[tuple[str, str]]:
        """Of each key of a group, whether it is NULL, and what it is if not."""
        if self.grouping is None:
            return []
        typed = zip(self.grouping["keys"], self.grouping["columns"], strict=False)
        keys = [(self.columns[key], type_) for key, (_, type_) in typed]
        return [(f"({key} IS NULL)", f"COALESCE({key}, {NOTHING[type_]})") for key, type_ in keys]

    @property
    def names(self) -> list[str]:
        """The columns of the view that make the result: those of groups in pairs, of which one tells of NULL."""
        if self.grouping is None:
            return [f"R{i}" for i in range(len(self.columns))]
        keys, aggregates = range(len(self.keys)), range(len(self.aggregates))
        return [f"{c}{i}" for i in keys for c in "GK"] + [f"{c}{i}" for i in aggregates for c in "NA"] + ["N"]

    def select(self, table: str) -> str:
        """The query; a group of a table that has no rows any more is still there, unless HAVING takes it out."""
        where = f" WHERE {' AND '.join(self.conditions)}" if self.conditions else ""
        if self.grouping is None:
            made = ["ID", *(f"{text} AS R{i}" for i, text in enumerate(self.columns))]
            return f"SELECT {', '.join(made)} FROM {table}{where} EMIT CHANGES"
        made = [f"{null} AS G{i}, {key} AS K{i}" for i, (null, key) in enumerate(self.keys)]
        made += ["COUNT(*) AS N", *(self._aggregate(i, one) for i, one in enumerate(self.aggregates))]
        group = f"GROUP BY {', '.join(text for pair in self.keys for text in pair)}"
        having = " HAVING COUNT(*) > 0" if self.window is None else ""
        return f"SELECT {', '.join(made)} FROM {table}{self._windows()}{where} {group}{having} EMIT CHANGES"

    def _windows(self) -> str:
        if self.window is None:
            return ""
        spans = f"SIZE {self.window['size']} SECONDS, ADVANCE BY {self.window['slide']} SECONDS"
        return f" WINDOW HOPPING ({spans}, GRACE PERIOD 1 DAYS)"

    def _aggregate(self, number: int, node: Node) -> str:
        """An aggregate, and of how many values it is: a sum of none is 0 there."""
        argument = "*" if node["function"] == "count rows" else said(node["argument"], self.columns)
        function = node["function"].partition(" ")[0].upper()
        return f"{function}({argument}) AS A{number}, COUNT({argument}) AS N{number}"

    def rows(self, found: Sequence[Any], types: Sequence[str]) -> list[Row]:
        """The rows of the result that one with the columns of `names` stands for."""
        copies = 1
        if self.grouping is not None:
            *found, count = found
            copies = count if self.counted else 1
            pairs = list(zip(found[::2], found[1::2], strict=True))
            keys = [None if is_null else key for is_null, key in pairs[: len(self.keys)]]
            made = zip(self.aggregates, pairs[len(self.keys) :], strict=True)
            found = [*keys, *(v if n or one["function"].startswith("count") else None for one, (n, v) in made)]
        return [tuple(read(value, type_) for value, type_ in zip(found, types, strict=True))] * copies


def view_of(plan: Node) -> View:
    """The plan as a view; its steps may come in any order, but for the grouping, which is the last."""
    view = _view_of(plan)
    if view.window is not None and view.grouping is None:
        view = replace(view, grouping=_all_columns(plan), counted=True)
    if view.window is None and any(one["function"] in ("min", "max") for one in view.aggregates):
        raise Unsupported("a minimum or a maximum over a table, whose rows go again")
    return view


def _view_of(plan: Node) -> View:
    if plan["operator"] == "Source":
        return View(plan["name"], tuple(f"C{i}" for i in range(len(plan["columns"]))))
    below = _view_of(plan["inputs"][0])
    if below.grouping is not None:
        raise Unsupported("operators above a grouping")
    match plan["operator"]:
        case "Filter":
            return replace(below, conditions=(*below.conditions, said(plan["predicate"], below.columns)))
        case "Map":
            return replace(below, columns=tuple(said(one, below.columns) for one in plan["expressions"]))
        case "TimeWindow" if below.window is None and plan["size"] is not None:
            return replace(below, window=plan)
        case "Distinct":
            return replace(below, grouping=_all_columns(plan))
        case "Grouping" if plan["keys"]:
            return replace(below, grouping=plan)
        case other:
            raise Unsupported(f"{other} here")


def _all_columns(plan: Node) -> Node:
    """Groups of equal rows: there is a window only where there are groups."""
    return {**plan, "keys": list(range(len(plan["columns"]))), "aggregates": []}


def said(node: Node, columns: Sequence[str]) -> str:
    """An expression over columns in words of ksqlDB."""
    op = node["op"]
    if op == "column":
        return columns[node["index"]]
    if op == "constant":
        return literal(read(node["value"], node["type"]), node["type"])
    args = [said(part, columns) for part in node["args"]]
    if op in (*ARITHMETIC, *COMPARISONS, "and", "or", "is distinct from"):
        return f"({args[0]} {op.upper()} {args[1]})"
    if op == "in":
        return f"({args[0]} IN ({', '.join(args[1:])}))"
    if op == "case":
        cases = " ".join(f"WHEN {when} THEN {then}" for when, then in zip(args[:-1:2], args[1::2], strict=True))
        return f"(CASE {cases} ELSE {args[-1]} END)"
    if op == "coalesce":
        return args[0] if len(args) == 1 else f"COALESCE({', '.join(args)})"
    forms = {"negate": "(-{})", "not": "(NOT {})", "is null": "({} IS NULL)"}
    return forms[op].format(args[0])


def literal(value: Any, type_: str) -> str:
    if value is None:
        return f"CAST(NULL AS {TYPES[type_]})"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value).upper()
