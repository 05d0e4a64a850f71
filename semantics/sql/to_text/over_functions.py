"""Functions over rows as text: `SUM(price) OVER (PARTITION BY item ORDER BY NOW() ROWS 3 PRECEDING)`."""

from collections.abc import Sequence
from typing import assert_never

from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Over
from semantics.sql.to_text.aggregates import aggregate_text, direction_text
from semantics.sql.to_text.expressions import expression_text
from semantics.sql.to_text.limits import FUNCTIONS
from semantics.sql.to_text.windows import duration_text
from semantics.sql.units import TimeUnit
from semantics.time import FOREVER


def over_text(function: OverFunction, plan: Over, columns: Sequence[str], unit: TimeUnit | None) -> str:
    """A function with its group, its order and its frame."""
    group = [f"PARTITION BY {', '.join(columns[key] for key in plan.keys)}"] if plan.keys else []
    order = ", ".join(["NOW()", *(columns[key.column] + direction_text(key) for key in plan.order)])
    frame = _frame(function, unit)
    return f"{_call(function, columns)} OVER ({' '.join([*group, f'ORDER BY {order}', *frame])})"


def _call(function: OverFunction, columns: Sequence[str]) -> str:
    match function:
        case FrameAggregate(aggregate=aggregate):
            return aggregate_text(aggregate, columns)
        case EdgeValue(edge=edge, argument=argument):
            return f"{edge.upper()}_VALUE({expression_text(argument, columns)})"
        case NeighbourValue(argument=argument, distance=distance):
            return f"{'LAG' if distance < 0 else 'LEAD'}({expression_text(argument, columns)}, {abs(distance)})"
        case RowPlace(ranking=ranking):
            return f"{FUNCTIONS[ranking]}()"
        case _:
            assert_never(function)


def _frame(function: OverFunction, unit: TimeUnit | None) -> list[str]:
    """How many rows or instants before; nothing where a function has no frame."""
    match function:
        case FrameAggregate(frame=frame) | EdgeValue(frame=frame):
            return [f"{frame.unit.upper()} {_preceding(frame, unit)} PRECEDING"]
        case NeighbourValue() | RowPlace():
            return []
        case _:
            assert_never(function)


def _preceding(frame: Frame, unit: TimeUnit | None) -> str:
    if frame.preceding == FOREVER:
        return "UNBOUNDED"
    return duration_text(int(frame.preceding), unit) if frame.unit == "range" else str(frame.preceding)
