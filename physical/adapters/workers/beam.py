"""Apache Beam on its direct runner: its own windows, GroupByKey, CoGroupByKey, Distinct and Flatten."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.transforms.window import FixedWindows, GlobalWindows, SlidingWindows, TimestampedValue

from physical.adapters.workers.expressions import AGGREGATES, EXPRESSIONS, TYPES
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
from physical.adapters.workers.protocol import Node, Request, Row, rows_of, serve, written

RUNNER = "BundleBasedDirectRunner"
"""The other direct runner starts a server for each pipeline, which takes ten times as long."""


class WithWindow(beam.DoFn):  # type: ignore[misc]  # it has no types
    """Rows with the window that they are in, as a line."""

    def process(self, row: Row, window: Any = beam.DoFn.WindowParam) -> Iterator[str]:
        times = (int(window.start.micros // 1_000_000), int(window.end.micros // 1_000_000))
        yield json.dumps([*map(written, row), *times])


class Compiler:
    """A plan as a pipeline; windows stay with the rows, so any operators may follow each other."""

    def __init__(self, pipeline: Any, request: Request) -> None:
        self.pipeline, self.streams = pipeline, request["streams"]
        size, slide = only_window(request["plan"])
        offset = -size % slide
        self.window = FixedWindows(size, offset) if size == slide else SlidingWindows(size, slide, offset)
        self.steps = 0

    def _step(self, transform: Any) -> Any:
        """Every step needs a name of its own."""
        self.steps += 1
        return f"step {self.steps}" >> transform

    def of(self, node: Node) -> Any:
        operator = node["operator"]
        if operator == "TimeWindow":
            return self._windowed(node["inputs"][0]["name"])
        inputs = [self.of(part) for part in node["inputs"]]
        if operator in STATELESS:
            return inputs[0] | self._step(beam.FlatMap(row_by_row(node)))
        if operator == "Distinct":
            return inputs[0] | self._step(beam.Distinct())
        if operator in JOINS:
            keys = [key_of(columns, side) for columns, side in zip(join_keys(node), "lr", strict=True)]
            return self._together(inputs, keys, lambda _, left, right: joined(node, left, right))
        if operator == "Union":
            return tuple(inputs) | self._step(beam.Flatten())
        if operator in SETS:
            same = [lambda row: row, lambda row: row]
            return self._together(inputs, same, lambda _, left, right: combined(node, left, right))
        keyed = inputs[0] | self._step(beam.WithKeys(group_key(node))) | self._step(beam.GroupByKey())
        return keyed | self._step(beam.MapTuple(lambda key, rows: group_row(node, key, list(rows))))

    def _windowed(self, source: str) -> Any:
        rows = rows_of(self.streams[source])
        events = self.pipeline | self._step(beam.Create(rows))
        timed = events | self._step(beam.Map(lambda row: TimestampedValue(row[:-1], row[-1])))
        return timed | self._step(beam.WindowInto(self.window))

    def _together(self, inputs: list[Any], keys: list[Any], rows: Any) -> Any:
        sides = {
            side: rows_ | self._step(beam.WithKeys(key)) for side, rows_, key in zip("lr", inputs, keys, strict=True)
        }
        grouped = sides | self._step(beam.CoGroupByKey())
        return grouped | self._step(beam.FlatMapTuple(lambda key, found: rows(key, list(found["l"]), list(found["r"]))))


def run(request: Request) -> list[object]:
    with TemporaryDirectory(prefix="snapeq-beam-") as folder:
        pipeline = beam.Pipeline(runner=RUNNER, options=PipelineOptions([]))
        compiler = Compiler(pipeline, request)
        lines = compiler.of(request["plan"]) | "lines" >> beam.ParDo(WithWindow())
        _ = lines | "all" >> beam.WindowInto(GlobalWindows()) | beam.io.WriteToText(f"{folder}/rows", num_shards=1)
        pipeline.run().wait_until_finish()
        return [json.loads(line) for file in Path(folder).glob("rows*") for line in file.read_text().splitlines()]


HELLO: dict[str, object] = {
    "engine": "beam",
    "operators": OPERATORS,
    "expressions": EXPRESSIONS,
    "aggregates": AGGREGATES,
    "types": TYPES,
    "inputs": "events",
    "results": ["panes"],
    "latest": 1000,
    "lifted": True,
    "time_limit": 300,
}

if __name__ == "__main__":
    logging.disable(logging.WARNING)
    serve(HELLO, run)
