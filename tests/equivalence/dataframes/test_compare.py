"""DataFrames are compared with the right answer and with each other; a verdict says where they differ."""

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from equivalence.verdicts.counterexample import Counterexample
from semantics import Multiset, SnapeqError, StreamError, Unsupported
from snapeq import spark as frames

QUERY = (
    "CREATE STREAM S(k INT, v INT, t INT) ORDERED BY t; SELECT k, SUM(v) AS total FROM S WINDOW(RANGE 60) GROUP BY k"
)


@pytest.fixture
def inputs(spark: SparkSession) -> dict[str, DataFrame]:
    return {"S": spark.createDataFrame([(1, 10, 0), (1, 20, 30), (2, 5, 40)], "k int, v int, t int")}


def a_result(spark: SparkSession, *rows: tuple[int, int, int, int]) -> DataFrame:
    return spark.createDataFrame(list(rows), "k long, total long, _start long, _end long")


def test_a_right_answer_may_be_cut_and_in_any_order(spark: SparkSession, inputs: dict[str, DataFrame]) -> None:
    right = [(2, 5, 40, 100), (1, 20, 60, 90), (1, 30, 45, 60), (1, 30, 30, 45), (1, 10, 0, 30)]
    assert frames.check(QUERY, inputs, a_result(spark, *right)).kind == "agreed"


def test_the_first_wrong_instant_is_told(spark: SparkSession, inputs: dict[str, DataFrame]) -> None:
    one_too_long = [(1, 10, 0, 30), (1, 30, 30, 61), (1, 20, 61, 90), (2, 5, 40, 100)]
    verdict = frames.check(QUERY, inputs, a_result(spark, *one_too_long))
    assert verdict.kind == "refuted"
    found = verdict.counterexample
    assert isinstance(found, Counterexample)
    assert (found.instant, found.left, found.right) == (60, Multiset([(1, 20)]), Multiset([(1, 30)]))
    assert (verdict.evidence["left_rows"], verdict.evidence["right_rows"]) == (2, 2)


def test_other_names_are_compared_by_position_with_a_remark(spark: SparkSession) -> None:
    data = a_result(spark, (1, 2, 0, 5))
    swapped = data.select("total", "_end", "k", "_start")
    assert frames.diff(data, swapped).evidence == {"how": "compared", "left": "left", "right": "right"}
    renamed = frames.diff(data, data.toDF("a", "b", "_start", "_end"))
    assert renamed.kind == "agreed"
    assert renamed.evidence["remark"] == "columns are compared by position: a, b as k, total"


def test_integers_are_compared_with_floats_only_where_nothing_is_rounded(spark: SparkSession) -> None:
    data = a_result(spark, (1, 2, 0, 5))
    floats = data.withColumn("total", f.lit(2.0))
    assert frames.diff(data, floats).kind == frames.diff(floats, data).kind == "agreed"
    large = a_result(spark, (1, 2**53 + 1, 0, 5))
    with pytest.raises(StreamError, match=r"left: column total holds an integer beyond 2\^53"):
        frames.diff(large, large.withColumn("total", f.lit(2.0**53)))


def test_what_cannot_be_compared_is_named(spark: SparkSession, inputs: dict[str, DataFrame]) -> None:
    data = a_result(spark, (1, 2, 0, 5))
    with pytest.raises(SnapeqError, match="output: there is no column _start; expected a result"):
        frames.check(QUERY, inputs, data.drop("_start"))
    with pytest.raises(SnapeqError, match="output: expected the columns k, total, got k"):
        frames.check(QUERY, inputs, data.drop("total"))
    with pytest.raises(SnapeqError, match="column total is int on the left and str on the right"):
        frames.diff(data, data.withColumn("total", f.lit("x")))
    with pytest.raises(SnapeqError, match="column total is int on the left and array<int> on the right"):
        frames.diff(data, data.withColumn("total", f.array(f.lit(1))))
    with pytest.raises(Unsupported, match="right: column total is map<string,int>, which streams do not have"):
        frames.diff(data, data.withColumn("total", f.create_map(f.lit("a"), f.lit(1))))
