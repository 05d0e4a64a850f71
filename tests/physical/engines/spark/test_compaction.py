"""Results of many batches as one: nobody sees a row twice, wherever the process is killed, and nothing is lost."""

from collections import Counter
from pathlib import Path
from shutil import copytree
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from physical.columns.stream import PhysicalStream
from physical.engines.spark.continuous import compaction
from physical.engines.spark.continuous.compaction import BatchFolder, compact, complete_compaction
from physical.engines.spark.continuous.running_query import RunningQuery, start
from physical.engines.spark.continuous.sink import FolderSink
from physical.engines.spark.continuous.stored_files import FilesHere
from semantics import Interval, IntervalStream, Plan, Schema, Unsupported, evaluate, parse_plan
from tests.physical.engines.spark.arriving import arrive, arriving

SCHEMA = Schema.of(k=int)
PLAN = parse_plan("S(k int) | window(range 5) | group(k; count(*) as n) | map(n as n)")
"""Some rows of its result are there twice."""
BATCHES = 3


def elements(number: int) -> PhysicalStream:
    rows = [((i % 2,), Interval(t, t + 1)) for i, t in enumerate(range(number * 10, number * 10 + 10))]
    return PhysicalStream.from_elements(SCHEMA, rows)


def begun(spark: SparkSession, folder: Path, *, plan: Plan = PLAN, **options: Any) -> RunningQuery:
    return start(spark, plan, {"S": arriving(spark, folder / "in", SCHEMA)}, str(folder / "out"), parts=2, **options)


@pytest.fixture(scope="module")
def ran(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a query has written in some batches."""
    folder = tmp_path_factory.mktemp("compaction")
    running = begun(spark, folder)
    for number in range(BATCHES):
        arrive(folder / "in", number, elements(number))
        running.drain()
    running.stop()
    return folder


@pytest.fixture
def folder(ran: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    copytree(ran / "out", tmp_path / "out")
    return tmp_path


def sink_of(folder: Path) -> FolderSink:
    return FolderSink(PLAN.schema, str(folder / "out"), str(folder / "out" / "_query"), False)


def seen(folder: Path) -> Counter[str]:
    """What a plain reader finds in the folder, row by row and instant by instant."""
    found: Counter[str] = Counter()
    for file in sorted((folder / "out").glob("batch-*/*.parquet")):
        for row in pq.ParquetFile(file).read().to_pylist():
            for t in range(row["_start"], row["_end"]):
                found[f"{row['n']} at {t}"] += row["_count"]
    return found


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "out").iterdir())


def test_results_stay_the_same_in_fewer_files(spark: SparkSession, folder: Path) -> None:
    before, folders = seen(folder), len(names(folder))
    assert folders > 3
    assert compact(spark, sink_of(folder), 2) == folders - 1
    assert seen(folder) == before
    written = [one for one in map(BatchFolder.named, names(folder)) if one is not None]
    assert [one.first < one.last for one in written] == [True]
    assert compact(spark, sink_of(folder), 2) == 0


@pytest.mark.parametrize("moves", range(5))
def test_wherever_it_is_killed_no_row_is_there_twice_and_the_next_start_completes_it(
    spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    before, left = seen(folder), iter(range(moves))
    real = FilesHere.move

    def until_killed(self: FilesHere, folder: str, target: str) -> None:
        next(left)
        real(self, folder, target)

    monkeypatch.setattr(FilesHere, "move", until_killed)
    with pytest.raises(StopIteration):
        compact(spark, sink_of(folder), 2)
    assert not seen(folder) - before
    monkeypatch.undo()
    complete_compaction(spark, sink_of(folder))
    assert seen(folder) == before
    assert "_compaction" not in names(folder)


def test_what_is_not_committed_stays_as_it_is(spark: SparkSession, folder: Path) -> None:
    commits = folder / "out" / "_query" / "checkpoint" / "commits"
    last = max(int(path.name) for path in commits.iterdir() if path.name.isdigit())
    written = [one for one in map(BatchFolder.named, names(folder)) if one]
    for number in range(written[-1].first, last + 1):
        (commits / str(number)).unlink()
    before = seen(folder)
    assert compact(spark, sink_of(folder), 2) == len(written) - 1
    assert written[-1].name in names(folder)
    assert seen(folder) == before


def test_changes_are_not_compacted(spark: SparkSession, tmp_path: Path) -> None:
    sink = FolderSink(PLAN.schema, str(tmp_path), str(tmp_path / "_query"), True)
    with pytest.raises(Unsupported, match="a log of changes is not compacted"):
        compact(spark, sink, 2)


def test_results_on_a_server_are_refused(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "files_at", lambda *_: None)
    with pytest.raises(Unsupported, match="not compacted through a remote session"):
        compact(spark, FolderSink(PLAN.schema, "hdfs://there", "hdfs://there/_query", False), 2)


def test_a_query_goes_on_after_it_and_its_answer_is_right(spark: SparkSession, ran: Path) -> None:
    """It comes last, because it goes on in the folder that others copy."""
    arrive(ran / "in", BATCHES, elements(BATCHES))
    running = begun(spark, ran, compacts=True)
    running.finish(100)
    assert sum(name.count("-") == 2 for name in names(ran)) == 1
    given = [pair for number in range(BATCHES + 1) for pair in elements(number).to_interval().elements]
    right = evaluate(PLAN, {"S": IntervalStream(SCHEMA, given)}, 100)
    assert running.results().to_logical(100) == right
