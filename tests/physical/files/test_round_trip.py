"""What is written is read again: every format, every kind of value."""

from pathlib import Path

import pytest

from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.algebra import interval_graph
from physical.files import raw_batches, spill
from physical.files.canonical_runs import by_row
from physical.files.counted import counted
from physical.files.layout import Layout, result_layout
from physical.files.reader import FileReader
from physical.files.run_in_batches import add_runs, feed
from physical.files.spill import merged
from physical.files.writer import results_in_file
from semantics import Schema
from semantics.plan import Source
from tests.physical.files.random_streams import SCHEMA, batches, drawn

ENDINGS = ("csv", "jsonl", "ndjson", "json", "parquet", "arrow", "feather", "ipc")


def write(stream: PhysicalStream, path: Path) -> None:
    with results_in_file(path, stream.schema) as results:
        graph = interval_graph()
        runs = add_runs(graph, Source("S", stream.schema), results.take, frozenset())
        feed(graph, {"S": batches(stream, 7)})
        for batch in runs.rest():
            results.take(batch)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_result_is_read_as_it_was_written(tmp_path: Path, ending: str, seed: int) -> None:
    stream, path = drawn(seed, variety=6), tmp_path / f"result.{ending}"
    write(stream, path)
    layout = result_layout(stream.schema)
    read = [PhysicalStream.empty(SCHEMA), *(batch.elements for batch in FileReader(path, layout).batches())]
    counts = [
        n for batch in FileReader(path, layout).batches() for n in (batch.counts if batch.counts is not None else [])
    ]
    runs = stream.canonical()
    assert list(map(repr, joined(read).to_interval().elements)) == list(map(repr, runs.runs.to_interval().elements))
    assert counts == runs.count.tolist()


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "arrow"])
def test_batches_are_of_bounded_size(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_batches, "TEXT_BYTES_AT_ONCE", 2000)
    monkeypatch.setattr(raw_batches, "ROWS_AT_ONCE", 50)
    schema, path = Schema.of(x=int), tmp_path / f"s.{ending}"
    from semantics import Interval

    stream = PhysicalStream.from_elements(schema, [((i % 7,), Interval(i, i + 2)) for i in range(2000)])
    write(stream, path)
    lengths = [len(batch.elements) for batch in FileReader(path, Layout(schema, "_start", "_end")).batches()]
    assert sum(lengths) == 2000
    assert max(lengths) <= 250


def test_text_of_the_first_lines_does_not_hide_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text('s,t\n"",0\n,1\n" ",2\n')
    (batch,) = FileReader(path, Layout(Schema.of(s=str), "t")).batches()
    assert batch.elements.columns[0].to_values() == ["", None, " "]


def test_a_table_of_one_column_may_hold_null(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("x\n1\n\n2\n")
    (batch,) = FileReader(path, Layout(Schema.of(x=int))).batches()
    assert batch.elements.columns[0].to_values() == [1, None, 2]


@pytest.mark.parametrize("seed", range(20))
def test_a_file_in_any_order_is_sorted(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "ELEMENTS_IN_MEMORY", 10)
    stream, path = drawn(seed), tmp_path / "s.jsonl"
    write(stream, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    reader = FileReader(path, result_layout(SCHEMA))
    starts = [int(start) for batch in counted(reader, ordered=False) for start in batch.start]
    assert starts == stream.canonical().runs.start.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_merged_runs_are_in_order(seed: int) -> None:
    parts = [drawn(seed + i, size=30) for i in range(4)]
    runs = [batches(by_row(part), 1 + i) for i, part in enumerate(parts)]
    whole = joined([PhysicalStream.empty(SCHEMA), *merged(runs, by_row)])
    expected = by_row(in_order(joined(parts)))
    assert list(map(repr, whole.to_interval().elements)) == list(map(repr, expected.to_interval().elements))
