"""Queries over DataFrames give what the reference gives, lazily, with the names that people use."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.random_plans import choose_plan
from physical.engines.spark.supported import is_supported
from semantics import ArithmeticOverflow, LogicalStream, Plan, SnapeqError, Unsupported, evaluate, show
from snapeq import spark as frames
from tests.equivalence.dataframes.rows import interval_frame, reference_rows, rows_of
from tests.paths import ROOT
from tests.physical.engines.spark.conftest import PORT

PER_ITEM = "SELECT item, COUNT(*) AS bids FROM Bid WINDOW(RANGE 10 SECONDS) GROUP BY item"
FIRST = 1_767_225_601
"""One second after the beginning of 2026."""


@pytest.fixture
def bids(spark: SparkSession) -> DataFrame:
    rows = [(1, 5.0, datetime(2026, 1, 1, 0, 0, 1)), (1, 6.0, datetime(2026, 1, 1, 0, 0, 4))]
    return spark.createDataFrame(rows, "item int, price double, at timestamp_ntz")


def test_no_job_runs_until_the_result_is_used(spark: SparkSession, bids: DataFrame) -> None:
    tracker = spark.sparkContext.statusTracker()
    before = tracker.getJobIdsForGroup(None)
    found = frames.sql(PER_ITEM, {"Bid": bids})
    assert tracker.getJobIdsForGroup(None) == before
    assert found.columns == ["item", "bids", "_start", "_end", "_count"]
    spans = [(1, FIRST, FIRST + 3), (1, FIRST + 10, FIRST + 13), (2, FIRST + 3, FIRST + 10)]
    assert rows_of(found) == [repr((1, n, start, end, 1)) for n, start, end in spans]


def test_times_are_timestamps_if_wanted(bids: DataFrame) -> None:
    found = frames.sql(PER_ITEM, {"Bid": bids}, timestamps=True)
    assert dict(found.dtypes)["_start"] == dict(found.dtypes)["_end"] == "timestamp"
    assert frames.check(PER_ITEM, {"Bid": bids}, found).kind == "agreed"


@pytest.mark.parametrize("seed", range(6))
def test_a_result_is_what_the_reference_says(spark: SparkSession, seed: int) -> None:
    plan, case, expected = next(cases_with_a_result(seed))
    inputs = {name: interval_frame(spark, stream) for name, stream in case.items()}
    found = frames.sql(show(plan), inputs, horizon=CASE_HORIZON, partitions=3)
    assert rows_of(found) == reference_rows(expected)


def test_what_does_not_run_on_spark_is_refused_by_name(spark: SparkSession) -> None:
    data = spark.createDataFrame([(7, 3, 4)], "x int, _start long, _end long")
    with pytest.raises(Unsupported, match="Spark: TIME does not run there yet"):
        frames.sql("S(x int) | map(time '10:00:00' as t)", {"S": data})


def test_sessions_and_over_by_key_look_beyond_the_horizon(spark: SparkSession) -> None:
    """Key 1 has a session from 0 to 4, one at 9 that begins at the horizon, key 2 one at 2 that ends after it."""
    rows = [(1, 10, 0, 1), (1, 11, 3, 4), (2, 20, 2, 3), (2, 21, 6, 7), (1, 12, 9, 10)]
    data = spark.createDataFrame(rows, "k int, v int, _start long, _end long")
    sessions = frames.sql("S(k int, v int) | window(partition by k session 5)", {"S": data}, horizon=9, partitions=3)
    expected = [(1, 10, 0, 8, 0, 8, 1), (1, 11, 0, 8, 0, 8, 1), (2, 20, 2, 11, 2, 9, 1), (2, 21, 2, 11, 2, 9, 1)]
    assert rows_of(sessions) == [repr(row) for row in expected]
    over = "S(k int, v int) | over(lead(v, 1) as next, sum(v) rows 1 as two per k)"
    places = [(1, 10, 11, 10, 0, 1, 1), (1, 11, 12, 21, 3, 4, 1), (2, 20, 21, 20, 2, 3, 1), (2, 21, None, 41, 6, 7, 1)]
    assert rows_of(frames.sql(over, {"S": data}, horizon=9, partitions=3)) == [repr(row) for row in places]


def cases_with_a_result(seed: int) -> Iterator[tuple[Plan, Case, LogicalStream]]:
    """Random plans with streams on which nothing overflows."""
    choices = SeededChoices(f"dataframes/{seed}")
    while True:
        plan = choose_plan(choices)
        case = choose_case(choices, plan.sources())
        if not is_supported(plan):
            continue
        with suppress(ArithmeticOverflow):
            yield plan, case, evaluate(plan, case, CASE_HORIZON)


def test_the_canonical_form_adds_up_counts(spark: SparkSession) -> None:
    rows = [("a", 0, 5, 2), ("a", 3, None, 1), ("a", 5, 7, 2), ("b", 1, 2, 1), ("b", 2, 4, 1)]
    data = spark.createDataFrame(rows, "x string, _start long, _end long, _count long")
    wanted = [("a", 0, 3, 2), ("a", 3, 7, 3), ("a", 7, None, 1), ("b", 1, 4, 1)]
    assert rows_of(frames.canonical(data, partitions=2)) == [repr(row) for row in wanted]


def test_what_a_query_declares_comes_before_what_columns_say(spark: SparkSession) -> None:
    data = spark.createDataFrame([(7, 3)], "x int, t int")
    declared = "CREATE STREAM S(x INT, t INT) ORDERED BY t; SELECT x FROM S WINDOW(RANGE 2)"
    assert rows_of(frames.sql(declared, {"S": data})) == [repr((7, 3, 5, 1))]
    assert rows_of(frames.sql("SELECT x FROM S WINDOW(RANGE 2)", {"S": data}, time={"S": "T"})) == [repr((7, 3, 5, 1))]
    assert rows_of(frames.sql("SELECT x, t FROM S", {"S": data})) == [repr((7, 3, 0, None, 1))]


def test_names_of_columns_match_as_they_do_in_the_session(spark: SparkSession) -> None:
    session = spark.newSession()
    session.conf.set("spark.sql.caseSensitive", "false")
    data = session.createDataFrame([(7, 3)], "ITEM int, T int")
    query = "CREATE STREAM S(item INT, t INT) ORDERED BY t; SELECT item FROM S"
    assert rows_of(frames.sql(query, {"s": data})) == [repr((7, 3, 4, 1))]
    with pytest.raises(SnapeqError, match="there is no column item, t; there are: ITEM, T"):
        frames.sql(query, {"S": spark.createDataFrame([(7, 3)], "ITEM int, T int")})


def test_bad_inputs_are_named(spark: SparkSession, bids: DataFrame) -> None:
    two = bids.withColumn("until", f.col("at"))
    with pytest.raises(SnapeqError, match=r"Bid has 2 timestamps, at, until; say which one .*time=\{'Bid': 'at'\}"):
        frames.sql(PER_ITEM, {"Bid": two})
    with pytest.raises(SnapeqError, match="there is no DataFrame; expected one for each stream"):
        frames.sql(PER_ITEM, {})
    with pytest.raises(SnapeqError, match="time of Bid: there is no column ts; there are: item, price, at"):
        frames.sql(PER_ITEM, {"Bid": bids}, time={"Bid": "ts"})
    with pytest.raises(SnapeqError, match="time of Bids: there is no such input; there are: Bid"):
        frames.sql(PER_ITEM, {"Bid": bids}, time={"Bids": "at"})
    with pytest.raises(SnapeqError, match="there is no DataFrame for S; there are: T"):
        frames.sql("S(x int) | distinct", {"T": bids})
    mapped = bids.withColumn("price", f.create_map(f.lit("usd"), f.col("price")))
    with pytest.raises(SnapeqError, match=r"column price of Bid is map<string,double>, which a query cannot use: cast"):
        frames.sql("SELECT price FROM Bid", {"Bid": mapped})
    assert frames.sql("SELECT item FROM Bid", {"Bid": mapped}).columns[0] == "item"
    ticks = spark.readStream.format("rate").load()
    with pytest.raises(Unsupported, match="T is a streaming DataFrame; check what it has written"):
        frames.check("SELECT value FROM T", {"T": ticks}, bids)
    with pytest.raises(SnapeqError, match="horizon: only where no input is a streaming DataFrame"):
        frames.sql("SELECT value FROM T", {"T": ticks}, horizon=5)
    with pytest.raises(SnapeqError, match=r"needs another state store: spark.conf.set\('spark.sql.streaming"):
        frames.sql("SELECT value FROM T", {"T": ticks})


THROUGH_CONNECT = """
import sys
from pyspark.sql import SparkSession
from snapeq import check_job, spark
session = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
query = "CREATE STREAM S(x INT, t INT) ORDERED BY t; SELECT x FROM S WINDOW(RANGE 2)"
data = session.createDataFrame([(7, 3)], "x int, t int")
found = spark.sql(query, {"S": data}, partitions=2)
print([tuple(row) for row in found.collect()])
print(spark.check(query, {"S": data}, found).kind, spark.diff(found, found).kind)
job = lambda S: spark.sql(query, {"S": S}, partitions=2)
print(check_job(job, query, spark=session, examples=40).evidence["output"])
"""


def test_a_session_may_be_remote(spark: SparkSession) -> None:
    address = f"sc://127.0.0.1:{spark.conf.get(PORT)}"
    command = [sys.executable, "-c", THROUGH_CONNECT, address]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout == "[(7, 3, 5, 1)]\nagreed agreed\nintervals\n", ran.stderr
