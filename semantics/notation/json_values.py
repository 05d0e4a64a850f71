"""Values and elements as JSON, which has neither NaN nor infinities."""

import math

from semantics.time import FOREVER, Interval
from semantics.value import Row, Value


def json_element(row: Row, interval: Interval) -> list[object]:
    """An element as its row, its start and its end; an end that never comes is null."""
    return [*map(json_value, row), interval.start, None if interval.end == FOREVER else interval.end]


def json_value(value: Value) -> Value:
    """JSON has no NaN and no infinities: they are written as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
