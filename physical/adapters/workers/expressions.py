"""Expressions and aggregates of plans as trees, for engines whose own are functions of Python."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Any, Final

from physical.adapters.workers.protocol import BITS, Node, Row, read

ARITHMETIC: Final[Mapping[str, Callable[[int, int], int]]] = {"+": add, "-": sub, "*": mul}
COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
EXPRESSIONS: Final = (
    *("column", "constant", *ARITHMETIC, "negate", *COMPARISONS, "and", "or", "not"),
    *("is null", "is distinct from", "in", "case", "coalesce"),
)
AGGREGATES: Final = ("count rows", "count", "count distinct", "sum", "min", "max")
TYPES: Final = ("int", "bool", "str")


def evaluate(node: Node, row: Sequence[Any]) -> Any:
    """What an expression is for a row; all of its parts are evaluated, as an overflow in any of them is an error."""
    op = node["op"]
    if op == "column":
        return row[node["index"]]
    if op == "constant":
        return read(node["value"], node["type"])
    args = [evaluate(part, row) for part in node["args"]]
    if op in ARITHMETIC:
        return None if None in args else whole(ARITHMETIC[op](*args))
    if op in COMPARISONS:
        return None if None in args else COMPARISONS[op](*args)
    return OPERATIONS[op](args)


def whole(value: int) -> int:
    """The integer, if 64 bits hold it."""
    if not -BITS <= value < BITS:
        raise OverflowError("an integer leaves 64 bits")
    return value


def _inside(args: Sequence[Any]) -> bool | None:
    value, *options = args
    if value is None:
        return None
    if value in [option for option in options if option is not None]:
        return True
    return None if None in options else False


def _chosen(args: Sequence[Any]) -> Any:
    pairs = zip(args[:-1:2], args[1::2], strict=True)
    return next((then for when, then in pairs if when is True), args[-1])


OPERATIONS: Final[Mapping[str, Callable[[Sequence[Any]], Any]]] = {
    "negate": lambda args: None if args[0] is None else whole(-args[0]),
    "not": lambda args: None if args[0] is None else not args[0],
    "and": lambda args: False if False in args else None if None in args else True,
    "or": lambda args: True if True in args else None if None in args else False,
    "is null": lambda args: args[0] is None,
    "is distinct from": lambda args: (args[0] is None) != (args[1] is None) or args[0] != args[1],
    "in": _inside,
    "case": _chosen,
    "coalesce": lambda args: next((value for value in args if value is not None), None),
}


def aggregated(aggregate: Node, rows: Iterable[Row]) -> Any:
    """What an aggregate is of rows."""
    function = aggregate["function"]
    listed = list(rows)
    if function == "count rows":
        return len(listed)
    values = [value for value in (evaluate(aggregate["argument"], row) for row in listed) if value is not None]
    if function == "count":
        return len(values)
    if function == "count distinct":
        return len(set(values))
    if not values:
        return None
    if function == "sum":
        return whole(sum(values))
    return min(values) if function == "min" else max(values)


def conjuncts(node: Node) -> list[Node]:
    return [part for arg in node["args"] for part in conjuncts(arg)] if node["op"] == "and" else [node]


def equal_columns(part: Node, width: int) -> tuple[int, int] | None:
    """The columns of the left and the right side that must be equal, if that is all that a condition says."""
    if part["op"] != "=" or any(arg["op"] != "column" for arg in part["args"]):
        return None
    first, second = sorted(arg["index"] for arg in part["args"])
    return (first, second - width) if first < width <= second else None
