"""Streaming jobs of every kind: right ones agree though rows come in disorder or late, and a bug in each is found."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from equivalence.dataframes import job_search
from equivalence.dataframes.check_job import check_job
from equivalence.verdicts.verdict import Verdict
from physical.engines.spark.continuous.running_query import ROCKSDB, STATE_STORE
from physical.engines.spark.spark_session import LOCAL_CHECKPOINTS, SHUFFLE_PARTITIONS, set_for_now
from semantics import SnapeqError
from tests.equivalence.command.command import snapeq
from tests.equivalence.dataframes.test_check_job import BIDS, MATCHED, PER_MINUTE, counted, joined_until
from tests.physical.engines.spark.kill_worker import INTERPRETED

Job = Callable[..., DataFrame]
DIFFERENT = BIDS + "SELECT DISTINCT item, price FROM bids"
DIFFERENT_NUMBERS = DIFFERENT.replace("INT,", "INT NOT NULL,")
"""For pandas: there a column with a NULL is one of floats, which do not have all integers."""
STORED = "item long, price long, at timestamp"


@pytest.fixture(autouse=True)
def does_not_shrink(monkeypatch: pytest.MonkeyPatch) -> None:
    """To make a case small takes many runs of several batches each; `test_check_job.py` looks at the smallest ones."""
    monkeypatch.setattr(job_search, "ROUNDS_TO_SHRINK", 0)
    monkeypatch.setattr(job_search, "ROUNDS_IN_DISORDER", 0)


@pytest.fixture(scope="module", autouse=True)
def one_partition(spark: SparkSession) -> Iterator[None]:
    """A batch costs as much for each partition of its state, however few rows there are; jobs start queries, too."""
    with set_for_now(spark, {SHUFFLE_PARTITIONS: "1", **LOCAL_CHECKPOINTS, **INTERPRETED}):
        yield


def checked(spark: SparkSession, job: Job, query: str, **options: Any) -> Verdict:
    return check_job(job, query, spark=spark, streaming=True, **{"examples": 200, **options})


def counted_with(delay: str) -> Job:
    return lambda bids: counted(bids.withWatermark("at", delay))


def matched_with(bound: str) -> Job:
    def job(a: DataFrame, b: DataFrame) -> DataFrame:
        return joined_until(bound)(*(side.withWatermark("at", "10 seconds") for side in (a, b)))

    return job


def first_of(columns: list[str], *, within: bool) -> Job:
    def job(bids: DataFrame) -> DataFrame:
        watched = bids.withWatermark("at", "10 seconds")
        return watched.dropDuplicatesWithinWatermark(columns) if within else watched.dropDuplicates(columns)

    return job


def by_batches(folder: Path, mode: str) -> Job:
    """What each batch has is written to a folder; the counts are those of all that is there."""
    runs = iter(range(1000))

    def job(bids: DataFrame) -> DataFrame:
        place = str(folder / f"{mode}{next(runs)}")
        writer = bids.writeStream.foreachBatch(lambda batch, _: batch.write.mode(mode).parquet(place))
        writer.trigger(availableNow=True).option("checkpointLocation", f"{place}-state").start().awaitTermination()
        return counted(bids.sparkSession.read.schema(STORED).parquet(place))

    return job


class FirstOfEach(StatefulProcessor):
    """The rows of an item that differ from all before them, in some columns."""

    def __init__(self, columns: list[str]) -> None:
        self.columns = columns

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.seen = handle.getMapState("seen", "row string", "there boolean")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: ARG002, N802, N803  # Spark's names
        for row in rows:
            seen = (repr([row[name] for name in self.columns]),)
            if not self.seen.containsKey(seen):
                self.seen.updateValue(seen, (True,))
                yield Row(item=row["item"], price=row["price"], at=row["at"])

    def close(self) -> None:
        """There is nothing to close."""


class FirstOfEachInPandas(FirstOfEach):
    """The same, batch by batch."""

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:  # noqa: N802, N803
        for frame in rows:
            found = [super(FirstOfEachInPandas, self).handleInputRows(key, iter([row]), timerValues)
                     for _, row in frame.iterrows()]  # fmt: skip
            yield frame[[any(one) for one in found]]


def by_state(columns: list[str], *, pandas: bool = False) -> Job:
    def job(bids: DataFrame) -> DataFrame:
        keyed = bids.groupBy("item")
        if pandas:
            return keyed.transformWithStateInPandas(FirstOfEachInPandas(columns), STORED, "Append", "None")
        return keyed.transformWithState(FirstOfEach(columns), STORED, "Append", "None")

    return job


def test_a_watermark_must_wait_for_what_comes_in_disorder(spark: SparkSession) -> None:
    """And what is late is stated."""
    waiting = counted_with("10 seconds")
    assert checked(spark, waiting, PER_MINUTE, slack=10, late="dropped").kind == "agreed"
    assert checked(spark, waiting, PER_MINUTE, late="counted", examples=20).kind == "refuted"
    short = checked(spark, counted_with("1 second"), PER_MINUTE, slack=10)
    assert short.kind == "refuted"
    assert short.evidence["slack"] == 10


@pytest.mark.full
def test_a_watermark_of_half_the_slack_is_too_short_for_long_windows(spark: SparkSession) -> None:
    """Rows of one case come on both sides of the end of a pane, nearly the slack apart."""
    hourly = PER_MINUTE.replace("1 MINUTE", "1 HOUR")

    def job(delay: str) -> Job:
        hour = f.window("at", "1 hour")
        return lambda bids: bids.withWatermark("at", delay).groupBy(hour, "item").agg(f.count("*").alias("n"))

    assert checked(spark, job("20 seconds"), hourly, slack=20).kind == "agreed"
    assert checked(spark, job("10 seconds"), hourly, slack=20).kind == "refuted"


def test_for_each_batch(spark: SparkSession, tmp_path: Path) -> None:
    """What is written batch by batch is not forgotten, unless each batch overwrites the one before."""
    remembering = by_batches(tmp_path, "append")
    assert checked(spark, remembering, PER_MINUTE, slack=10, late="counted").kind == "agreed"
    assert checked(spark, remembering, PER_MINUTE, late="dropped", examples=20).kind == "refuted"
    assert checked(spark, by_batches(tmp_path, "overwrite"), PER_MINUTE, examples=20).kind == "refuted"


@pytest.mark.full
def test_disorder_and_late_rows_one_by_one(spark: SparkSession, tmp_path: Path) -> None:
    waiting, remembering = counted_with("10 seconds"), by_batches(tmp_path, "append")
    assert checked(spark, counted_with("1 second"), PER_MINUTE, slack=1).kind == "agreed"
    for job in (waiting, remembering):
        assert checked(spark, job, PER_MINUTE, slack=10).kind == "agreed"
    assert checked(spark, waiting, PER_MINUTE, late="dropped").kind == "agreed"
    assert checked(spark, remembering, PER_MINUTE, late="counted").kind == "agreed"


@pytest.mark.parametrize("within", [False, pytest.param(True, marks=pytest.mark.full)])
def test_duplicates_are_dropped(spark: SparkSession, within: bool) -> None:
    right, wrong = first_of(["item", "price", "at"], within=within), first_of(["item", "price"], within=within)
    assert checked(spark, right, DIFFERENT, slack=10, late="dropped").kind == "agreed"
    assert checked(spark, wrong, DIFFERENT, examples=20).kind == "refuted"


def test_joins_of_two_streams(spark: SparkSession) -> None:
    assert checked(spark, matched_with("<"), MATCHED, slack=10, output="events").holds
    assert checked(spark, matched_with("<="), MATCHED, output="events").kind == "refuted"


IN_DISORDER = {"slack": 10, "late": "counted"}
"""Not in pandas: every look at the state takes long, for it goes to Java and back."""


@pytest.mark.parametrize(
    ("pandas", "disorder"),
    [
        (False, {}),
        pytest.param(False, IN_DISORDER, marks=pytest.mark.full),
        pytest.param(True, {}, marks=pytest.mark.full),
    ],
)
def test_state_of_your_own(spark: SparkSession, pandas: bool, disorder: dict[str, Any]) -> None:
    session = spark.newSession()
    settings = {STATE_STORE: ROCKSDB, "spark.sql.session.timeZone": "UTC", SHUFFLE_PARTITIONS: "1", **INTERPRETED}
    for name, value in settings.items():
        session.conf.set(name, value)
    right, wrong = by_state(["price", "at"], pandas=pandas), by_state(["price"], pandas=pandas)
    query = DIFFERENT_NUMBERS if pandas else DIFFERENT
    assert checked(session, right, query, examples=40, **disorder).kind == "agreed"
    assert checked(session, wrong, query, examples=20).kind == "refuted"


def test_bad_options_are_named(spark: SparkSession) -> None:
    with pytest.raises(SnapeqError, match="slack and late are only for streaming inputs"):
        check_job(counted, PER_MINUTE, spark=spark, slack=3)
    with pytest.raises(SnapeqError, match="the slack must not be negative, got -1"):
        checked(spark, counted, PER_MINUTE, slack=-1)
    with pytest.raises(SnapeqError, match="late is lost; expected one of: dropped, counted"):
        checked(spark, counted, PER_MINUTE, late="lost")
    ran = snapeq("conform", "--job", f"{__name__}:counted", PER_MINUTE, "--streaming", "--late", "lost")
    assert (ran.code, ran.err) == (2, "snapeq: --late lost: expected one of: dropped, counted\n")
    assert "only for --job" in snapeq("conform", "interval", "--slack", "3").err
