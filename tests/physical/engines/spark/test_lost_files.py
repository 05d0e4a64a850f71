"""Files that are gone or empty when their batch is computed, and elements far in the future: nothing is lost."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from physical.engines.spark.continuous.arrivals import arriving_at
from physical.engines.spark.continuous.running_query import RunningQuery, start
from physical.files.layout import Layout
from semantics import Schema, SnapeqError, StreamError, parse_plan
from tests.physical.engines.spark.lookahead import ahead

PLAN = parse_plan("S(x int) | window(range 4) | aggregate(count(*) as n)")
OUT = "out [1] 100%"
LAYOUT = Layout(Schema.of(x=int), "ts")
WEEKS = 30 * 86_400


def put(folder: Path, name: str, text: str, seconds_ago: int = 0) -> Path:
    """Move a file into the folder, whole at once, that was written some time ago."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    hidden = path.with_name(f".{path.name}")
    hidden.write_text(text)
    written = hidden.stat().st_mtime - seconds_ago
    os.utime(hidden, (written, written))
    hidden.rename(path)
    return path


def begun(spark: SparkSession, folder: Path, **options: Any) -> RunningQuery:
    source = arriving_at(spark, str(folder / "in [1] {a}"), LAYOUT)
    return start(spark, PLAN, {"S": source}, str(folder / OUT), parts=1, **options)


def failing(spark: SparkSession, folder: Path) -> tuple[type[SnapeqError], str, list[str]]:
    """What a start says that ends with an error, and what was written by then."""
    running = begun(spark, folder)
    with pytest.raises(SnapeqError) as error:
        running.drain()
    running.stop()
    commits = (folder / OUT / "_query" / "checkpoint" / "commits").glob("[0-9]*")
    return (
        type(error.value),
        str(error.value),
        sorted(path.name for path in [*commits, *(folder / OUT).glob("batch*")]),
    )


def at_the_end(running: RunningQuery) -> list[tuple[object, ...]]:
    running.finish()
    runs = running.results().canonical().to_runs()
    return [(row[0], span.start, span.end) for row, span, _ in runs]


def lost(spark: SparkSession, folder: Path) -> dict[str, Any]:
    """An empty file is filled, another is taken away, and one that was written weeks before comes last."""
    there = folder / "in [1] {a}"
    empty = put(there, "hour=2026-01-01 00%3A00/a#?.jsonl", "")
    other = put(there, "b 100%.csv", "x,ts\n1,0\n")
    seen: dict[str, Any] = {"empty": (empty, *failing(spark, folder))}
    put(empty.parent, empty.name, '{"x": 1, "ts": 2}\n')
    other.unlink()
    seen["gone"] = (other, *failing(spark, folder))
    running = begun(spark, folder, skip_missing=True)
    running.drain()
    put(there, "c.csv", "x,ts\n1,3\n", seconds_ago=WEEKS)
    seen["result"] = at_the_end(running)
    seen["skipped"], seen["late"] = running.skipped(), running.late()
    return seen


def far(spark: SparkSession, folder: Path) -> dict[str, Any]:
    """An element far in the future comes between others; then its file is mended."""
    there = folder / "in [1] {a}"
    put(there, "a.csv", "x,ts\n1,0\n1,1\n")
    running = begun(spark, folder)
    running.drain()
    seen: dict[str, Any] = {"progress": running.progress()}
    running.stop()
    before = sorted(path.name for path in (folder / OUT).iterdir())
    wrong = put(there, "b.csv", "x,ts\n1,2\n1,4102444800\n")
    seen["far"] = failing(spark, folder)
    seen["same"] = before == sorted(path.name for path in (folder / OUT).iterdir())
    put(there, wrong.name, "x,ts\n1,2\n")
    seen["result"] = at_the_end(begun(spark, folder))
    return seen


Scenario = Callable[[SparkSession, Path], dict[str, Any]]
Outcomes = Callable[[Scenario], dict[str, Any]]


@pytest.fixture(scope="module")
def seen(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcomes]:
    scenarios: list[Scenario] = [lost, far]
    yield from ahead(lambda play: play(spark.newSession(), tmp_path_factory.mktemp(play.__name__)), scenarios, 2)


def test_an_empty_file_is_an_error_that_names_it(seen: Outcomes) -> None:
    file, _, said, written = seen(lost)["empty"]
    assert said.startswith(f"{file}: it is empty (0 bytes); expected a complete file under the same name")
    assert written == []


def test_a_file_that_is_gone_before_a_batch_is_repeated_is_an_error_that_names_it(
    seen: Outcomes,
) -> None:
    file, _, said, written = seen(lost)["gone"]
    assert said.startswith(f"{file}: it is gone, but belongs to the next batch; expected a complete file")
    assert written == []


def test_files_are_left_out_only_if_that_is_wanted_and_counted(seen: Outcomes) -> None:
    """Also the file that was empty at first counts, and one with an old date, in folders with odd names."""
    found = seen(lost)
    assert found["result"] == [(1, 2, 3), (2, 3, 6), (1, 6, 7)]
    assert (found["skipped"], found["late"]) == ({"S": 1}, {"S": 0})


def test_an_element_far_in_the_future_is_an_error_and_makes_nothing_late(
    seen: Outcomes,
) -> None:
    found = seen(far)
    kind, said, _ = found["far"]
    assert kind is StreamError
    assert said.startswith("continuous: source 'S': an element starts at 4102444800, 4102444798 units after the latest")
    assert found["same"]
    assert found["result"] == [(1, 0, 1), (2, 1, 2), (3, 2, 4), (2, 4, 5), (1, 5, 6)]


def test_progress_shows_rows_and_not_files_or_parts(seen: Outcomes) -> None:
    first, second = seen(far)["progress"]
    assert (first.rows, first.late, first.state_rows, first.watermark) == ({"S": 2}, {"S": 0}, 2, 0)
    assert (second.rows, second.late, second.state_rows, second.watermark) == ({"S": 0}, {"S": 0}, 2, 1)
    assert first.rows_per_second > 0
    assert str(first).startswith("batch 0: S 2 rows (0 late); ")
