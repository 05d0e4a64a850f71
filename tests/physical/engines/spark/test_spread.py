"""Data over partitions: cut at any instants nothing is lost, and a heavy key does not end up on one task."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from equivalence.cases.random_cases import CASE_HORIZON
from physical import PhysicalStream, run
from physical.engines.spark import exchange
from physical.engines.spark.canonical_jobs import canonical_result
from physical.engines.spark.compile import Compiler
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.exchange import Spread, gathered, slices_of, survey
from physical.engines.spark.frame import END, START, Frame, to_frame
from physical.engines.spark.slices import FEW_CUTS, SLICE, Slices
from physical.engines.spark.stage import stage
from physical.engines.spark.survey import Survey
from physical.engines.spark.worker_tasks import TAG
from physical.engines.spark.write import ordered
from semantics import FOREVER, Interval, Plan, Schema, evaluate, parse, parse_plan
from tests.physical.engines.spark.plans import physical_plan, works_on_one_task

SCHEMA = Schema.of(k=int, x=int)
GROUPED = parse_plan("S(k int, x int) | group(k; sum(x) as s)")


def skewed(rows: int) -> PhysicalStream:
    """Nine of ten rows have the same key."""
    elements = [((0 if i % 10 else i, i), Interval(i, FOREVER if i == 7 else i + 30)) for i in range(rows)]
    return PhysicalStream.from_elements(SCHEMA, elements)


def test_a_heavy_key_is_spread_over_time(spark: SparkSession) -> None:
    frame, spread = to_frame(spark, skewed(2000)), Spread(4)
    together = gathered(stage(GROUPED), [frame], spread)
    sizes = Counter(row[0] for row in together.select(f.spark_partition_id()).collect())
    assert len(sizes) == 4
    assert max(sizes.values()) < 0.45 * sum(sizes.values())
    result = Compiler({"S": frame}, spread).frame(GROUPED).collected()
    assert result.equivalent(run(GROUPED, {"S": skewed(2000)}))


def test_a_part_of_the_data_tells_that_a_key_is_heavy(spark: SparkSession) -> None:
    frame = to_frame(spark, skewed(2000))
    by_value = parse_plan("S(k int, x int) | group(x; sum(k) as s)")
    spread = Spread(4, sample=0.2)
    found = [survey(stage(plan), [frame], spread) for plan in (GROUPED, by_value)]
    assert [len(one.heavy) for one in found if one is not None] == [1, 0]
    assert [len(slices_of([frame], spread, one).cuts) for one in (None, *found)] == [3, 3, 3]


def test_no_more_than_the_kernels_need_is_exchanged(spark: SparkSession) -> None:
    frame, even = to_frame(spark, skewed(20)), Spread(4, heaviest=None)
    columns = ["int0", "int1", START, END]
    assert gathered(stage(GROUPED), [frame], even).columns == columns
    both = parse_plan("difference(S(k int, x int), S(k int, x int) | filter(x > 1))")
    assert gathered(stage(both), [frame, frame], even).columns == [*columns, TAG]


def test_cuts_come_from_the_data(spark: SparkSession) -> None:
    frame, plan = to_frame(spark, skewed(2000)), parse_plan("S(k int, x int) | total(sum(x) as s)")
    together = gathered(stage(plan), [frame], Spread(4))
    sizes = Counter(row[0] for row in together.select(f.spark_partition_id()).collect())
    assert len(sizes) == 4
    assert max(sizes.values()) < 0.4 * sum(sizes.values())
    assert Compiler({"S": frame}, Spread(4)).frame(plan).collected().equivalent(run(plan, {"S": skewed(2000)}))


@pytest.mark.parametrize(
    "cuts", [(), (1,), (3, 4, 9), tuple(range(7, 287, 7)), tuple(range(7, 2807, 7)), tuple(range(3, 60_003, 5))]
)
def test_oracle_the_slice_of_an_instant(spark: SparkSession, cuts: tuple[int, ...]) -> None:
    """However many slices there are: before, at and after every cut."""
    instants = sorted({0, 10**15, *(cut + step for cut in cuts for step in (-1, 0, 1))})
    rows = spark.createDataFrame(pa.table([instants], ["t"])).repartition(1)
    slices, n, known = Slices(cuts), f.col("n"), set(cuts)
    found = rows.select("t", slices.number(f.col("t")).alias("n")).select(n, slices.bound(n, 0), slices.is_cut("t"))
    numbers, begins, cut = found.toArrow().columns
    assert cut.to_pylist() == [t in known for t in instants]
    assert numbers.to_pylist() == [bisect_right(cuts, t) for t in instants]
    assert begins.to_pylist() == [(0, *cuts)[bisect_right(cuts, t)] for t in instants]


LONGEST_COMPILED_METHOD = 8000
"""Java interprets methods of more bytes than that, at a third of the speed."""


@pytest.mark.parametrize("number", [7, FEW_CUTS, FEW_CUTS + 1, 49, 400])
def test_java_compiles_the_code_that_cuts_rows(spark: SparkSession, number: int) -> None:
    compiling = spark.newSession()
    compiling.conf.set("spark.sql.codegen.wholeStage", "true")
    rows = compiling.range(10).selectExpr("id % 3 AS k", f"id AS {START}", f"id + 9 AS {END}")
    pieces = Slices(tuple(range(5, 5 + number))).cut(rows, f.xxhash64("k").isin([1, 2]))
    java: Any = spark._jvm
    debug = getattr(getattr(java.org.apache.spark.sql.execution.debug, "package$"), "MODULE$")
    made = debug.codegenStringSeq(pieces._jdf.queryExecution().executedPlan())
    sizes = [made.apply(i)._3().maxMethodCodeSize() for i in range(made.length())]
    assert 500 < max(sizes) < LONGEST_COMPILED_METHOD


PLANNED = [
    "S(k int, x int) | aggregate(sum(x) as s)",
    "S(k int, x int) | total(sum(x) as s)",
    "S(k int, x int) | group(k; sum(x) as s)",
    "S(k int, x int) | window(rows 5) | map(x as x)",
]


@pytest.mark.parametrize("partitions", [5000, 50_000])
@pytest.mark.parametrize("text", PLANNED)
def test_thousands_of_partitions_can_be_planned(spark: SparkSession, text: str, partitions: int) -> None:
    """Spark makes the whole plan, with an exchange to all partitions; nothing is computed."""
    found = Survey((1, 2, 3), *[Slices(tuple(range(10, 10 * partitions, 10)))] * 2)
    with patch.object(Spread, "surveyed", lambda *_: found):
        made = Compiler({"S": to_frame(spark, skewed(20))}, Spread(partitions)).frame(parse_plan(text))
    assert f"{partitions})" in physical_plan(made.data)
    assert not works_on_one_task(made.data)


def test_hundreds_of_partitions_of_uniform_keys_can_be_planned(spark: SparkSession) -> None:
    """No key is heavy, whatever is chance in the data; and the files of the result are cut at hundreds of instants."""
    rows = [((i * 7919 % 500, i), Interval(i, i + 40)) for i in range(20_000)]
    frame, spread = to_frame(spark, PhysicalStream.from_elements(SCHEMA, rows)), Spread(400)
    result = canonical_result(GROUPED, Compiler({"S": frame}, spread))
    slices = slices_of([frame], spread, result.survey)
    assert result.survey is not None
    assert (result.survey.heavy, len(slices.cuts)) == ((), 399)
    assert physical_plan(ordered(result.runs, slices)).count("REPARTITION_BY_NUM") == 2


@pytest.mark.parametrize("text", PLANNED[:3])
def test_oracle_many_partitions_of_few_rows(spark: SparkSession, text: str) -> None:
    """What has a heavy key or no key is cut at many instants."""
    plan, stream = parse_plan(text), skewed(200)
    found = Compiler({"S": to_frame(spark, stream)}, Spread(20)).frame(plan).data.coalesce(2)
    assert Frame(found, plan.schema).collected().equivalent(run(plan, {"S": stream}))


Wrong = Callable[[pytest.MonkeyPatch], None]


def loses_what_crosses_a_cut(patch: pytest.MonkeyPatch) -> None:
    """A row that crosses a cut is in its first slice only."""
    right = Slices.cut

    def cut(self: Slices, data: DataFrame, where: Column | None = None) -> DataFrame:
        return right(self, data.withColumn(END, f.least(f.col(END), first_end(self))), where)

    def first_end(self: Slices) -> Column:
        ends = f.array(*(f.lit(end) for _, end in self.bounds))
        return f.element_at(ends, self.number(f.col(START)) + 1)

    patch.setattr(Slices, "cut", cut)


def keeps_whole_what_crosses_a_cut(patch: pytest.MonkeyPatch) -> None:
    """A row that crosses a cut is whole in every slice."""

    def cut(self: Slices, data: DataFrame, where: Column | None = None) -> DataFrame:  # noqa: ARG001
        return data.withColumn(SLICE, f.explode(f.sequence(self.number(f.col(START)), self.number(f.col(END) - 1))))

    patch.setattr(Slices, "cut", cut)


def hashes_tell_zeros_apart(patch: pytest.MonkeyPatch) -> None:
    """The key's hash is that of its bits, so that −0.0 and 0.0 are apart."""
    patch.setattr(exchange, "identified", lambda column, _: column.cast("string"))


def hashes_differ_by_side(patch: pytest.MonkeyPatch) -> None:
    """The inputs of a join do not agree where a key belongs."""
    right, turn = exchange.key_hash, iter(range(1000))
    patch.setattr(exchange, "key_hash", lambda *given: right(*given) + next(turn))


CUT = parse_plan("A(x int) | aggregate(count(*) as n)")
ZEROS = parse_plan("difference(A(f float), B(f float))")
JOINED = parse_plan("join(A(x int), B(y int); x = y)")
CROSSING = {"A": "interval(x int): (1)@[0,6) (2)@[1,4)"}
SIGNED = {"A": "interval(f float): (0.0)@[0,6) (-0.0)@[0,2)", "B": "interval(f float): (0.0)@[0,6)"}
EQUAL = {"A": "interval(x int): (1)@[0,6) (2)@[0,6)", "B": "interval(y int): (1)@[1,4) (2)@[1,4)"}


def right_on_spark(plan: Plan, texts: dict[str, str]) -> bool:
    case = {name: parse(text) for name, text in texts.items()}
    given = {name: signed(text) for name, text in texts.items()}
    found = SparkEngine(spread=Spread(8, cuts=(2, 5))).run(plan, given, CASE_HORIZON)
    return found.to_logical(CASE_HORIZON) == evaluate(plan, case, CASE_HORIZON)


def signed(text: str) -> PhysicalStream:
    """The stream in columns, zeros with the sign that they have in the text."""
    from equivalence.conformance.subject.inputs import columns

    stream = parse(text)
    return columns(stream) if "-0.0" in text else PhysicalStream.of(stream)


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("wrong", "plan", "texts"),
    [
        (loses_what_crosses_a_cut, CUT, CROSSING),
        (keeps_whole_what_crosses_a_cut, CUT, CROSSING),
        (hashes_tell_zeros_apart, ZEROS, SIGNED),
        (hashes_differ_by_side, JOINED, EQUAL),
    ],
)
def test_a_planted_fault_is_caught(
    wrong: Wrong, plan: Plan, texts: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert right_on_spark(plan, texts)
    wrong(monkeypatch)
    assert not right_on_spark(plan, texts)
