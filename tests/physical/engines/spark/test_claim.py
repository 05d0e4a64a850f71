"""Whose folders they are: a start that was killed leaves nothing in the way, and nobody writes into those of others."""

from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from physical.engines.spark.continuous.claim import claim
from physical.engines.spark.continuous.sink import FolderSink
from physical.engines.spark.continuous.stored_files import FilesHere, FilesOfSpark, FileStamp, files_at
from semantics import Schema, SnapeqError

ABOUT = {"plan": "S(x int)", "slack": 0}


@pytest.fixture
def sink(tmp_path: Path) -> FolderSink:
    return FolderSink(Schema.of(x=int), str(tmp_path / "out"), str(tmp_path / "state"), changelog=False)


def test_a_start_that_was_killed_while_it_wrote_down_what_it_is_goes_on(spark: SparkSession, sink: FolderSink) -> None:
    Path(sink.state, "ends", "_temporary", "0").mkdir(parents=True)
    Path(sink.state, "ends", ".part-00000.parquet.crc").touch()
    Path(sink.checkpoint, "offsets").mkdir(parents=True)
    claim(spark, sink, ABOUT)
    assert not Path(sink.checkpoint).exists()
    Path(sink.checkpoint).mkdir()
    Path(sink.checkpoint, "metadata").write_text("{}")
    claim(spark, sink, ABOUT)
    assert Path(sink.checkpoint, "metadata").exists()


def test_another_query_or_another_out_is_refused(spark: SparkSession, sink: FolderSink, tmp_path: Path) -> None:
    claim(spark, sink, ABOUT)
    with pytest.raises(SnapeqError, match=r"was started with .* and cannot go on with"):
        claim(spark, sink, {**ABOUT, "slack": 1})
    other = replace(sink, folder=str(tmp_path / "other"))
    told = (
        rf"{sink.state} has the state of a query whose results are in {sink.folder}, and cannot go on in {other.folder}"
    )
    with pytest.raises(SnapeqError, match=rf"{told}; expected --out {sink.folder}, or another --checkpoint"):
        claim(spark, other, ABOUT)
    claim(spark, sink, ABOUT)


def test_a_folder_with_its_state_inside_may_move(spark: SparkSession, tmp_path: Path) -> None:
    folder, moved = tmp_path / "a", tmp_path / "b"
    claim(spark, FolderSink(Schema.of(x=int), str(folder), f"{folder}/_query", False), ABOUT)
    folder.rename(moved)
    claim(spark, FolderSink(Schema.of(x=int), str(moved), f"{moved}/_query", False), ABOUT)


def test_results_of_a_query_whose_state_is_elsewhere_are_not_mixed_with_others(
    spark: SparkSession, sink: FolderSink
) -> None:
    spark.createDataFrame([(1, 0, 1, 1)], sink.columns()).write.parquet(f"{sink.folder}/batch-000000000")
    with pytest.raises(SnapeqError, match=rf"out has results of a query whose state is not in {sink.state}; expected"):
        claim(spark, sink, ABOUT)
    assert not Path(sink.state).exists()


def test_files_are_seen_alike_by_this_process_and_by_spark(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "a b%3A#é.txt"
    file.write_text("ü\n")
    by_spark, here = FilesOfSpark(spark), FilesHere()
    assert isinstance(files_at(spark, str(tmp_path)), FilesHere)
    for url in (file.as_uri(), str(file)):
        assert by_spark.stamp(url) == here.stamp(url) == FileStamp(3, file.stat().st_mtime_ns // 1_000_000)
        assert by_spark.text(url) == here.text(url) == "ü\n"
    assert by_spark.names(str(tmp_path)) == here.names(str(tmp_path)) == [file.name]
    by_spark.remove(str(tmp_path / "nowhere"))
    for nothing in (by_spark, here):
        gone = f"{tmp_path}/gone"
        assert (nothing.stamp(gone), nothing.text(gone), nothing.names(gone)) == (None, None, [])
    by_spark.remove(str(tmp_path))
    assert not tmp_path.exists()
