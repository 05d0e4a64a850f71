"""Bytewax: its own sliding windows and window joins."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import bytewax.operators as op
from bytewax.dataflow import Dataflow
from bytewax.operators import windowing
from bytewax.operators.windowing import EventClock, SlidingWindower
from bytewax.testing import TestingSink, TestingSource, run_main

from physical.adapters.workers.expressions import AGGREGATES, EXPRESSIONS, TYPES, evaluate
from physical.adapters.workers.operators import (
    JOINS,
    OPERATORS,
    SETS,
    STATELESS,
    combined,
    group_key,
    group_row,
    join_keys,
    joined,
    key_of,
    only_window,
    row_by_row,
)
from physical.adapters.workers.protocol import Node, Request, Row, Unsupported, rows_of, serve, written

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
INSTANT = timedelta(hours=1)
"""Its clock goes on while it works, so an instant must last longer than a run."""
Timed = tuple[Row, int]
ROWS = ("Union", "TimeWindow")


class Flow:
    """A plan as a dataflow: steps row by row, one operator over windows, and steps row by row again."""

    def __init__(self, request: Request) -> None:
        self.flow, self.streams = Dataflow("plan"), request["streams"]
        self.size, self.slide = only_window(request["plan"])
        self.clock = EventClock(lambda timed: EPOCH + timed[1] * INSTANT, timedelta(seconds=60))
        start = EPOCH - self.size * INSTANT
        self.windower = SlidingWindower(self.size * INSTANT, self.slide * INSTANT, start)
        self.steps = 0
        given = [(name, row[:-1], row[-1]) for name, stream in self.streams.items() for row in rows_of(stream)]
        in_order = sorted(given, key=lambda one: one[2])  # its sources do not wait for each other
        self.all_rows = op.input("rows", self.flow, TestingSource(in_order))

    def _name(self) -> str:
        self.steps += 1
        return f"step_{self.steps}"

    def panes(self, node: Node) -> Any:
        """Rows with the number of their window."""
        operator = node["operator"]
        if operator in STATELESS:
            below, change = self.panes(node["inputs"][0]), row_by_row(node)
            return op.flat_map(self._name(), below, lambda pane: [(pane[0], row) for row in change(pane[1])])
        if operator == "Join":
            return self._window_join(node)
        if operator in JOINS or operator in ("Difference", "Intersection"):
            return self._two_sides(node)
        if operator == "Distinct":
            return self._collected(self.rows(node["inputs"][0]), lambda row: row, lambda _, rows: rows[:1])
        if operator in ("Aggregation", "Grouping"):
            key = group_key(node)
            below = self.rows(node["inputs"][0])
            return self._collected(below, key, lambda _, rows: [group_row(node, key(rows[0]), rows)])
        return self._collected(self.rows(node), lambda _: (), lambda _, rows: rows)

    def rows(self, node: Node) -> Any:
        """Rows with their times, before they are put into windows."""
        operator = node["operator"]
        if operator == "TimeWindow":
            source = node["inputs"][0]["name"]
            return op.filter_map(self._name(), self.all_rows, lambda given: given[1:] if given[0] == source else None)
        inputs = [self.rows(part) for part in node["inputs"]]
        if operator in STATELESS:
            change = row_by_row(node)
            return op.flat_map(self._name(), inputs[0], lambda timed: [(row, timed[1]) for row in change(timed[0])])
        if operator == "Union":
            return op.merge(self._name(), *inputs)
        raise Unsupported("windows over what a window gave")

    def _collected(self, rows: Any, key: Callable[[Row], Any], made: Callable[[Any, list[Any]], list[Row]]) -> Any:
        keyed = op.key_on(self._name(), rows, lambda timed: repr(key(timed[0])))
        found = windowing.collect_window(self._name(), keyed, self.clock, self.windower, list)
        return op.flat_map(
            self._name(),
            found.down,
            lambda item: [(item[1][0], row) for row in made(item[0], [row for row, _ in item[1][1]])],
        )

    def _two_sides(self, node: Node) -> Any:
        """Both sides as one stream of rows that say where they are from."""
        sides = [
            op.map(self._name(), self.rows(part), lambda timed, side=side: ((side, timed[0]), timed[1]))
            for side, part in enumerate(node["inputs"])
        ]
        keys = [lambda row: row] * 2
        if node["operator"] not in SETS:
            keys = [key_of(columns, side) for columns, side in zip(join_keys(node), "lr", strict=True)]
        make = combined if node["operator"] in SETS else joined

        def made(_: Any, rows: list[Any]) -> list[Row]:
            return make(node, *([row for side, row in rows if side == wanted] for wanted in (0, 1)))

        return self._collected(op.merge(self._name(), *sides), lambda tagged: keys[tagged[0]](tagged[1]), made)

    def _window_join(self, node: Node) -> Any:
        """Its own join of windows, in which every pair of rows comes."""
        keys = [key_of(columns, side) for columns, side in zip(join_keys(node), "lr", strict=True)]
        sides = [
            op.key_on(self._name(), self.rows(part), lambda timed, key=key: repr(key(timed[0])))
            for part, key in zip(node["inputs"], keys, strict=True)
        ]
        found = windowing.join_window(
            self._name(), self.clock, self.windower, *sides, insert_mode="product", emit_mode="final"
        )

        def pairs(item: Any) -> list[tuple[int, Row]]:
            window, (left, right) = item[1]
            row = None if left is None or right is None else (*left[0], *right[0])
            return [] if row is None or evaluate(node["condition"], row) is not True else [(window, row)]

        return op.flat_map(self._name(), found.down, pairs)


def run(request: Request) -> list[object]:
    flow, panes = Flow(request), list[tuple[int, Row]]()
    op.output("out", flow.panes(request["plan"]), TestingSink(panes))
    run_main(flow.flow)
    ends = ((window * flow.slide, row) for window, row in panes)
    return [[*map(written, row), end - flow.size, end] for end, row in ends]


HELLO: dict[str, object] = {
    "engine": "bytewax",
    "operators": OPERATORS,
    "expressions": EXPRESSIONS,
    "aggregates": AGGREGATES,
    "types": TYPES,
    "inputs": "events",
    "results": ["panes"],
    "latest": 1000,
    "time_limit": 60,
}

if __name__ == "__main__":
    serve(HELLO, run)
