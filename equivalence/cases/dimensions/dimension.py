"""The dimensions, their values, the operators they apply to, and which values can occur together."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from equivalence.cases.dimensions.pools import (
    FLOATS,
    FRAMES,
    GAPS,
    INSTANTS,
    INTEGERS,
    KEYS,
    PLACES,
    RESETS,
    ROWS,
    TEXTS,
    WINDOWS,
)
from semantics import Plan
from semantics import plan as op
from semantics.time import FOREVER, End

Row = Mapping[str, str]
"""A value for each dimension that applies."""

COUNTS_ROWS: Final = frozenset({op.CountWindow, op.PartitionedWindow})
IN_ORDER: Final = frozenset({op.SessionWindow, op.Over})
"""Operators that take the rows of a group in the order of time."""
WINDOWED: Final = frozenset({*COUNTS_ROWS, op.LandmarkWindow, op.TimeWindow, *IN_ORDER})
UNWINDOWED: Final = frozenset({*COUNTS_ROWS, op.LandmarkWindow, *IN_ORDER})
AGGREGATES: Final = frozenset({op.Aggregation, op.Grouping})
JOINS: Final = frozenset({op.Join, op.LeftJoin, op.RightJoin, op.FullJoin, op.Semijoin, op.Antijoin})
FUNCTIONS: Final = ("aggregate", "first", "last", "before", "after", "place")
"""What OVER can compute."""
SESSION_DELIVERIES: Final = ("one by one", "in step", "batches", "disorder", "queries come and go")


@dataclass(frozen=True)
class Dimension:
    """A name with values, the simplest first, for the operators to which it applies."""

    name: str
    values: tuple[str, ...]
    applies: Callable[[type[Plan]], bool] = lambda _: True


def _values(of: Collection[str]) -> tuple[str, ...]:
    return tuple(of)


DIMENSIONS: Final = (
    Dimension("integers", _values(INTEGERS)),
    Dimension("floats", _values(FLOATS)),
    Dimension("texts", _values(TEXTS)),
    Dimension("NULLs", ("none", "some")),
    Dimension("key columns", ("1", "2", "3", "4")),
    Dimension("keys", _values(KEYS)),
    Dimension(
        "condition",
        ("equalities", "and an inequality", "inequality", "column = expression", "left only", "right only"),
        lambda operator: operator in JOINS,
    ),
    Dimension("aggregates", ("1", "2", "3", "4"), lambda operator: operator in AGGREGATES),
    Dimension("places", _values(PLACES), lambda operator: operator is op.Limit),
    Dimension("ranking", ("rows", "rank", "dense"), lambda operator: operator is op.Limit),
    Dimension(
        "order",
        ("rising", "falling", "NULLs elsewhere", "two columns", "none"),
        lambda operator: operator in {op.Limit, op.Over},
    ),
    Dimension("groups", ("all", "by key"), lambda operator: operator is op.Limit or operator in IN_ORDER),
    Dimension("gap", _values(GAPS), lambda operator: operator is op.SessionWindow),
    Dimension("a gap apart", ("two sessions", "one session"), lambda operator: operator is op.SessionWindow),
    Dimension("function", FUNCTIONS, lambda operator: operator is op.Over),
    Dimension("frame", _values(FRAMES), lambda operator: operator is op.Over),
    Dimension("ROWS", _values(ROWS), lambda operator: operator in COUNTS_ROWS),
    Dimension("window", _values(WINDOWS), lambda operator: operator not in {*UNWINDOWED, op.Dstream}),
    # Nothing ever leaves an unbounded window, so that Dstream has nothing to say.
    Dimension("window", tuple(w for w in WINDOWS if w != "unbounded"), lambda operator: operator is op.Dstream),
    Dimension(
        "slide",
        ("1", "divides", "smaller", "equal", "larger"),
        lambda operator: operator is not op.LandmarkWindow and operator not in IN_ORDER,
    ),
    Dimension("landmark", ("first", "amid", "last"), lambda operator: operator is op.LandmarkWindow),
    Dimension("reset", _values(RESETS), lambda operator: operator is op.LandmarkWindow),
    Dimension("instants", _values(INSTANTS)),
    Dimension("lengths", ("instant", "short"), lambda operator: operator is op.Over),
    Dimension(
        "lengths", ("instant", "short", "hundreds"), lambda operator: operator in WINDOWED and operator is not op.Over
    ),
    Dimension("lengths", ("instant", "short", "long", "for ever"), lambda operator: operator not in WINDOWED),
    Dimension("keys return", ("no", "amid", "later")),
    Dimension("ends", ("any", "adjacent")),
    Dimension("elements", ("few", "tens", "hundreds"), lambda operator: operator is not op.Over),
    Dimension("copies", ("1", "several", "1000"), lambda operator: operator is not op.Over),
    # Of many rows in one frame, the reference looks at all for each of them.
    Dimension("elements", ("few", "tens"), lambda operator: operator is op.Over),
    Dimension("copies", ("1", "several"), lambda operator: operator is op.Over),
    Dimension("delivery", ("rows", "columns", *SESSION_DELIVERIES)),
)

DIMENSION_NAMES: Final = tuple(dict.fromkeys(dimension.name for dimension in DIMENSIONS))


def dimensions_of(operator: type[Plan], sessions: bool = True) -> tuple[Dimension, ...]:
    """The dimensions that apply to an operator, for engines with sessions or without."""
    return tuple(
        dimension if sessions or dimension.name != "delivery" else Dimension("delivery", ("rows", "columns"))
        for dimension in DIMENSIONS
        if dimension.applies(operator)
    )


_MANY: Final = {"hundreds", "1000", "300", "tens of rows"}


def possible(row: Row) -> bool:
    """Can these values occur together? What is impossible, is so by two of them."""
    size = _size(row)
    if size is not None and "slide" in row and slide_of(row["slide"], size) is None:
        return False
    # One push for each of hundreds of elements takes longer than all other cases of an operator.
    many = {row.get("elements"), row.get("copies"), row.get("ROWS"), row.get("frame")} & _MANY
    return not (many and row.get("delivery") in ("one by one", "in step")) and _few_changes(row)


def _few_changes(row: Row) -> bool:
    """A window over what lasts can change at every instant: only where that is seldom, something lasts."""
    match row.get("lengths"):
        case "long" | "for ever":
            return row.get("window", "1") == "1" and row.get("slide", "1") == "1"
        case "hundreds":
            small = {row.get("window", "1"), row.get("reset", "1")} <= {"1", "3"} and row.get("ROWS") != "300"
            few = row.get("elements", "few") == "few" and row.get("copies") != "1000"
            return small and few and row.get("slide") != "divides"  # nothing divides windows of 1 and 3
        case _:
            return True


def _size(row: Row) -> End | None:
    if "ROWS" in row:
        return ROWS[row["ROWS"]]
    return WINDOWS[row["window"]][0] if "window" in row else None


def slide_of(order: str, size: End) -> int | None:
    """A slide in this order to the size of its window; None if there is none, or if it is that of another order."""
    if order == "1":
        return 1
    if size == FOREVER:
        return 7 if order == "larger" else None
    slide = {
        "divides": int(size) // 2 if size % 2 == 0 else 1,
        "smaller": int(size) - 1,
        "equal": int(size),
        "larger": int(size) + int(size) // 2 + 1,
    }[order]
    return slide if slide > 1 else None
