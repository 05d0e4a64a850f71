"""What operators do with the rows of one window, for engines that hand these over to a function."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from physical.adapters.workers.expressions import aggregated, conjuncts, equal_columns, evaluate
from physical.adapters.workers.protocol import Node, Row, Unsupported

STATELESS: Final = ("Filter", "Map")
JOINS: Final = ("Product", "Join", "LeftJoin", "RightJoin", "FullJoin", "Semijoin", "Antijoin")
SETS: Final = ("Union", "Difference", "Intersection")
OPERATORS: Final = ("Source", "TimeWindow", *STATELESS, "Distinct", "Aggregation", "Grouping", *SETS, *JOINS)
Change = Callable[[Row], Iterable[Row]]


def row_by_row(node: Node) -> Change:
    """A filter or a map as a function from a row to rows."""
    if node["operator"] == "Filter":
        return lambda row: [row] if evaluate(node["predicate"], row) is True else []
    return lambda row: [tuple(evaluate(expression, row) for expression in node["expressions"])]


def group_key(node: Node) -> Callable[[Row], Row]:
    return lambda row: tuple(row[key] for key in node.get("keys", ()))


def group_row(node: Node, key: Row, rows: Sequence[Row]) -> Row:
    return (*key, *(aggregated(aggregate, rows) for aggregate in node["aggregates"]))


def join_keys(node: Node) -> tuple[list[int], list[int]]:
    """The columns that must be equal: of the left side, and of the right one."""
    width = len(node["inputs"][0]["columns"])
    parts = conjuncts(node["condition"]) if "condition" in node else []
    pairs = [pair for pair in (equal_columns(part, width) for part in parts) if pair is not None]
    return [left for left, _ in pairs], [right for _, right in pairs]


def key_of(columns: Sequence[int], side: str) -> Callable[[Row], Any]:
    """The key of a row in a join; with NULL in it there is no partner, so its key is one of its side alone."""

    def key(row: Row) -> Any:
        values = tuple(row[column] for column in columns)
        return (side, *row) if None in values else ("", *values)

    return key


def joined(node: Node, left: Sequence[Row], right: Sequence[Row]) -> list[Row]:
    """The rows of a join, of those with the same key."""
    operator = node["operator"]
    widths = [len(side["columns"]) for side in node["inputs"]]
    pairs = [(i, j) for i, one in enumerate(left) for j, other in enumerate(right) if _match(node, (*one, *other))]
    partners = [{i for i, _ in pairs}, {j for _, j in pairs}]
    if operator in ("Semijoin", "Antijoin"):
        return [row for i, row in enumerate(left) if (i in partners[0]) == (operator == "Semijoin")]
    rows: list[Row] = [(*left[i], *right[j]) for i, j in pairs]
    if operator in ("LeftJoin", "FullJoin"):
        rows += [(*row, *[None] * widths[1]) for i, row in enumerate(left) if i not in partners[0]]
    if operator in ("RightJoin", "FullJoin"):
        rows += [(*[None] * widths[0], *row) for j, row in enumerate(right) if j not in partners[1]]
    return rows


def _match(node: Node, both: Row) -> bool:
    return "condition" not in node or evaluate(node["condition"], both) is True


def combined(node: Node, left: Sequence[Row], right: Sequence[Row]) -> list[Row]:
    """The rows of a set operation, of equal rows."""
    if node["operator"] == "Union":
        return [*left, *right]
    ours, theirs = Counter(left), Counter(right)
    kept = ours - theirs if node["operator"] == "Difference" else ours & theirs
    return list(kept.elements())


def only_window(plan: Node) -> tuple[int, int]:
    """The size and the slide of all windows, which must be the same: engines window all inputs of a step alike."""
    found = {(int(node["size"]), int(node["slide"])) for node in nodes(plan) if node["operator"] == "TimeWindow"}
    if len(found) != 1:
        raise Unsupported("windows of several sizes")
    size, slide = found.pop()
    if slide > size:
        raise Unsupported("windows with gaps between them")
    return size, slide


def nodes(plan: Node) -> list[Node]:
    return [plan, *(below for part in plan.get("inputs", []) for below in nodes(part))]
