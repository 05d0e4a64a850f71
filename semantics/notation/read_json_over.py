"""Functions of OVER, read back from trees of JSON."""

from typing import Any, Final

from semantics.notation.read_json_aggregates import aggregate_from_json
from semantics.notation.read_json_expressions import expression_from_json, members, one_of, whole
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.time import FOREVER

KINDS: Final = ("aggregate", "first value", "last value", "neighbour", "place")
RANKINGS: Final = ("rows", "rank", "dense")


def over_from_json(tree: object, where: str) -> OverFunction:
    """The function that a tree describes."""
    parts = members(tree, where, "over")
    match one_of(parts["over"], f"{where}.over", KINDS):
        case "aggregate":
            made = aggregate_from_json(members(tree, where, "aggregate")["aggregate"], f"{where}.aggregate")
            return FrameAggregate(made, _frame(tree, where))
        case "neighbour":
            distance = members(tree, where, "distance")["distance"]
            return NeighbourValue(_argument(tree, where), whole(distance, f"{where}.distance"))
        case "place":
            ranking: Any = one_of(members(tree, where, "ranking")["ranking"], f"{where}.ranking", RANKINGS)
            return RowPlace(ranking)
        case edge:
            return EdgeValue("first" if edge == "first value" else "last", _argument(tree, where), _frame(tree, where))


def _argument(tree: object, where: str) -> Any:
    return expression_from_json(members(tree, where, "argument")["argument"], f"{where}.argument")


def _frame(tree: object, where: str) -> Frame:
    parts = members(members(tree, where, "frame")["frame"], f"{where}.frame", "unit", "preceding")
    unit: Any = one_of(parts["unit"], f"{where}.frame.unit", ("rows", "range"))
    preceding = parts["preceding"]
    return Frame(unit, FOREVER if preceding is None else whole(preceding, f"{where}.frame.preceding"))
