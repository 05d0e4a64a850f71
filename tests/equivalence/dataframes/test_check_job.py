"""Jobs that people write with PySpark are judged by a query: wrong ones are refuted, right ones are not."""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from equivalence.dataframes import job_search
from equivalence.dataframes.check_job import check_job
from equivalence.recordings.panes import differ_at_panes
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from physical.engines.spark.spark_session import LOCAL_CHECKPOINTS, SHUFFLE_PARTITIONS, set_for_now
from semantics import SnapeqError, Unsupported, evaluate_sparse, parse, parse_plan
from semantics.constraint import elements_of
from tests.equivalence.command.command import snapeq
from tests.paths import ROOT
from tests.physical.engines.spark.kill_worker import INTERPRETED

BIDS = "CREATE STREAM bids(item INT, price INT, at TIMESTAMP) ORDERED BY at; "
PER_MINUTE = BIDS + "SELECT item, COUNT(*) AS n FROM bids WINDOW(RANGE 1 MINUTE) GROUP BY item"
HOPPING = BIDS + "SELECT item, SUM(price) AS total FROM bids WINDOW(RANGE 1 MINUTE SLIDE 20 SECONDS) GROUP BY item"
MATCHED = """
    CREATE STREAM a(k INT, x INT, at TIMESTAMP) ORDERED BY at;
    CREATE STREAM b(k INT, y INT, at TIMESTAMP) ORDERED BY at;
    SELECT x, y FROM a, b WINDOW(RANGE 60 SECONDS) WHERE a.k = b.k
"""


def counted(bids: DataFrame) -> DataFrame:
    return bids.groupBy(f.window("at", "60 seconds"), "item").agg(f.count("*").alias("n"))


def counted_over_a_second_more(bids: DataFrame) -> DataFrame:
    first = bids.where(f.second("at") == 0)
    return counted(bids.union(first.withColumn("at", f.col("at") - f.expr("interval 1 second"))))


def without_null_items(bids: DataFrame) -> DataFrame:
    return counted(bids.where("item IS NOT NULL"))


def joined_until(bound: str) -> Callable[[DataFrame, DataFrame], DataFrame]:
    """Pairs while both are valid: an instant of a, and a minute of b."""

    def job(a: DataFrame, b: DataFrame) -> DataFrame:
        meets = f.expr(f"a.k = b.k AND a.at >= b.at AND a.at {bound} b.at + INTERVAL 60 SECONDS")
        return a.alias("a").join(b.alias("b"), meets).select("x", "y", f.col("a.at").alias("at"))

    return job


@pytest.fixture(scope="module", autouse=True)
def interpreted(spark: SparkSession) -> Iterator[None]:
    """Each run of a job is of a few rows, which take less than code for them."""
    with set_for_now(spark, INTERPRETED):
        yield


def test_a_right_job_agrees_and_the_evidence_says_what_was_read(spark: SparkSession) -> None:
    verdict = check_job(counted, PER_MINUTE, spark=spark)
    assert verdict.kind == "agreed", verdict
    assert verdict.evidence["output"] == "panes"
    neighbours = verdict.evidence["neighbours"]
    assert isinstance(neighbours, Mapping)
    assert neighbours["open"] == []


@pytest.mark.parametrize("job", [counted_over_a_second_more, without_null_items])
def test_a_wrong_job_is_refuted_by_a_small_case(spark: SparkSession, job: Callable[..., DataFrame]) -> None:
    verdict = check_job(job, PER_MINUTE, spark=spark)
    assert verdict.kind == "refuted"
    assert isinstance(verdict.counterexample, Counterexample)
    assert len(elements_of(verdict.counterexample.streams["bids"])) == 1


def test_panes_that_overlap(spark: SparkSession) -> None:
    def hopping(slide: str) -> Callable[[DataFrame], DataFrame]:
        return lambda bids: bids.groupBy(f.window("at", "60 seconds", slide), "item").agg(f.sum("price").alias("total"))

    assert check_job(hopping("20 seconds"), HOPPING, spark=spark, examples=200).kind == "agreed"
    assert check_job(hopping("30 seconds"), HOPPING, spark=spark, examples=200).kind == "refuted"


def test_a_job_that_overflows_on_the_way_is_judged_by_smaller_integers(spark: SparkSession) -> None:
    """A mean fits where the sum does not; the evidence says how many cases were left out."""

    def mean(of: str) -> Callable[[DataFrame], DataFrame]:
        minutes = f.window("at", "60 seconds")
        return lambda bids: bids.groupBy(minutes, "item").agg((f.sum("price") / f.count(of)).alias("mean"))

    query = PER_MINUTE.replace("COUNT(*) AS n", "AVG(price) AS mean")
    right, wrong = (check_job(mean(of), query, spark=spark, examples=200) for of in ("price", "*"))
    assert (right.kind, wrong.kind) == ("agreed", "refuted")
    left_out = right.evidence["overflowing"]
    assert isinstance(left_out, int)
    assert 0 < left_out < 100


def test_windows_that_begin_elsewhere(spark: SparkSession) -> None:
    """Where the job has a pane the query has none, so the right answer is nothing, whatever its window holds then."""

    def shifted(bids: DataFrame) -> DataFrame:
        minutes = f.window("at", "60 seconds", "60 seconds", "5 seconds")
        return bids.groupBy(minutes, "item").agg(f.count("*").alias("n"))

    found = check_job(shifted, PER_MINUTE, spark=spark, examples=200).counterexample
    assert isinstance(found, Counterexample)
    begun = (found.instant + 1) % 60
    assert begun in (0, 5)
    assert (not found.left) == (begun == 5)


def test_a_join_with_the_right_bound_agrees(spark: SparkSession) -> None:
    assert check_job(joined_until("<"), MATCHED, spark=spark).kind == "agreed"


@pytest.mark.full
def test_one_instant_at_the_bound_of_a_join_matters(spark: SparkSession) -> None:
    """As in the guide, whose command is tried below."""
    verdict = check_job(joined_until("<="), MATCHED, spark=spark)
    assert verdict.kind == "refuted"
    found = verdict.counterexample
    assert isinstance(found, Counterexample)
    [(_, at)], [(_, began)] = (elements_of(found.streams[name]) for name in "ab")
    assert at.start - began.start == 60


def streamed(bids: DataFrame) -> DataFrame:
    assert bids.isStreaming
    return counted(bids.withWatermark("at", "10 seconds"))


@pytest.mark.full
def test_a_streaming_job_with_a_watermark(spark: SparkSession) -> None:
    """The same with rows in disorder and late: `test_job_streams.py`."""
    assert check_job(streamed, PER_MINUTE, spark=spark, streaming=True, examples=200).kind == "agreed"


def test_a_wrong_streaming_job_is_made_smaller(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(bids: DataFrame) -> DataFrame:
        return streamed(bids.dropDuplicates(["item", "at"]))

    monkeypatch.setattr(job_search, "ROUNDS_TO_SHRINK", 1)  # each takes some runs with some batches
    monkeypatch.setattr(job_search, "TRIED_ALONE", 1)
    with set_for_now(spark, {SHUFFLE_PARTITIONS: "1", **LOCAL_CHECKPOINTS}):
        verdict = check_job(forgetful, PER_MINUTE, spark=spark, streaming=True, examples=40)
    assert verdict.kind == "refuted"


def test_bad_calls_are_named(spark: SparkSession) -> None:
    with pytest.raises(SnapeqError, match="the tolerance must not be negative, got -1"):
        check_job(counted, PER_MINUTE, spark=spark, tolerance=-1)
    with pytest.raises(SnapeqError, match="output has no time; expected one of _start, window, window_end, at; there"):
        check_job(lambda bids: bids.select("item"), PER_MINUTE, spark=spark, examples=2)
    timeless = f.expr("IF(item > 0, at, NULL) AS at")
    with pytest.raises(SnapeqError, match="the job's output: column at: nothing does not fit; expected a TIMESTAMP"):
        check_job(lambda bids: bids.select("item", f.lit(1).alias("n"), timeless), PER_MINUTE, spark=spark, examples=50)
    with pytest.raises(SnapeqError, match="the job gave int; expected a DataFrame"):
        check_job(id, PER_MINUTE, spark=spark, examples=2)  # type: ignore[arg-type]
    with pytest.raises(SnapeqError, match="the job takes 2 arguments; expected one for each of bids, or one mapping"):
        check_job(DataFrame.unionAll, PER_MINUTE, spark=spark, examples=2)
    unbounded = BIDS + "SELECT item, COUNT(*) AS n FROM bids WINDOW(RANGE UNBOUNDED) GROUP BY item"
    with pytest.raises(Unsupported, match="a window without an end has none"):
        check_job(counted, unbounded, spark=spark, examples=20)


def test_the_fixture_fails_a_test_with_the_case(spark: SparkSession, snapeq_check_job: Callable[..., Verdict]) -> None:
    assert snapeq_check_job(counted, PER_MINUTE, spark=spark, examples=100).holds
    with pytest.raises(pytest.fail.Exception, match=r"REFUTED \(by samples; job without_null_items, output panes"):
        snapeq_check_job(without_null_items, PER_MINUTE, spark=spark, examples=100)


def test_the_command(spark: SparkSession) -> None:  # noqa: ARG001  # the session that the command finds
    job = f"{__name__}:without_null_items"
    ran = snapeq("conform", "--job", job, PER_MINUTE, "--cases", "100")
    assert ran.code == 1
    assert "let bids = " in ran.out
    ran = snapeq("conform", "--job", job, PER_MINUTE, "--as", "changes")
    assert (ran.code, ran.err) == (2, "snapeq: --as changes: expected one of: intervals, panes, events\n")
    assert "only for --job" in snapeq("conform", "interval", "--streaming").err


def test_the_guide_shows_what_the_command_prints(spark: SparkSession) -> None:  # noqa: ARG001  # as above
    guide = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    [command] = re.findall(r"^    snapeq (conform --job .*)$", guide, re.MULTILINE)
    ran = snapeq(*command.replace("examples/", f"{ROOT}/examples/").split())
    assert ran.code == 1
    assert textwrap.indent(ran.out, "    ") in guide


def test_neighbours_count_only_where_panes_are_compared() -> None:
    """A row one instant before the end of a pane shows that a window is one too long; one in the middle does not."""
    minute, longer = (parse_plan(f"S(x int) | window(range {size})") for size in (60, 61))
    for at, noticed in ((0, False), (59, True)):
        streams = {"S": parse(f"raw(x int): (1)@{at}")}
        results = evaluate_sparse(minute, streams), evaluate_sparse(longer, streams)
        assert differ_at_panes(60)(*results) is noticed
        assert differ_at_panes(1)(*results) is True


def test_a_table_is_the_same_in_all_cases_and_keeps_its_promises(spark: SparkSession) -> None:
    """Every sale is of an item that is there, so an outer join is right; to lose items without a kind is not."""
    query = """
        CREATE TABLE items(id INT PRIMARY KEY, kind INT);
        CREATE STREAM sold(id INT NOT NULL REFERENCES items(id), at TIMESTAMP) ORDERED BY at;
        SELECT kind, COUNT(*) AS n FROM items, sold WINDOW(RANGE 1 MINUTE) WHERE items.id = sold.id GROUP BY kind
    """

    def by_kind(items: DataFrame, sold: DataFrame) -> DataFrame:
        known = sold.join(items, "id", "left")
        return known.groupBy(f.window("at", "60 seconds"), "kind").agg(f.count("*").alias("n"))

    def without_kind(items: DataFrame, sold: DataFrame) -> DataFrame:
        return by_kind(items, sold).where("kind IS NOT NULL")

    assert check_job(by_kind, query, spark=spark).kind in ("agreed", "unknown")
    verdict = check_job(without_kind, query, spark=spark)
    assert verdict.kind == "refuted"
    assert isinstance(verdict.counterexample, Counterexample)
    assert {len(elements_of(stream)) for stream in verdict.counterexample.streams.values()} == {1}
