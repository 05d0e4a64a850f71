"""Cases per second: a plan of depth three over many cases in one job, and with one job for each."""

import os

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from benchmarks.spark.meter import Seconds, timed
from benchmarks.spark.works import finish
from equivalence.cases.case_column import lift, lifted_schema
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, choose_case
from physical.engines.spark.compile import Compiler
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.exchange import Spread
from physical.engines.spark.frame import END, START, Frame
from physical.engines.spark.spark_session import session
from semantics import parse_plan

PLAN = parse_plan(
    "join(A(x int, y int) | window(range 3) | distinct, B(z int, w int) | window(range 2); x = z) "
    "| group(y; count(*) as n, max(w) as s)"
)
ROWS_PER_STREAM = 5
"""In each stream of a case."""


def show(cases: int, repeat: int) -> None:
    """Two lines: all cases at once, and ten one by one."""
    one_by_one(2)
    single = one_by_one(10)
    together = min(many(session(), cases, os.cpu_count() or 1) for _ in range(repeat))
    rates = [cases / together.wall, 10 / single.wall]
    print(f"lifted: {rates[0]:.0f} cases/s ({cases} in {together.wall:.1f} s wall, {together.cpu:.1f} s cpu)")
    print(f"one job each: {rates[1]:.2f} cases/s (10 in {single.wall:.1f} s wall); ratio {rates[0] / rates[1]:.0f}")


def many(spark: SparkSession, cases: int, parts: int) -> Seconds:
    """Seconds for all cases in one job; Spark makes them."""
    frames = {}
    for seed, (name, schema) in enumerate(PLAN.sources().items()):
        rows = spark.range(0, cases * ROWS_PER_STREAM, 1, parts)
        values = [f.pmod(f.xxhash64("id", f.lit(seed * 9 + i)), f.lit(3)) for i in range(3)]
        start = f.pmod(f.xxhash64("id", f.lit(seed + 100)), f.lit(CASE_HORIZON)).alias(START)
        number = f.floor(f.col("id") / ROWS_PER_STREAM).cast("long").alias("c0")
        data = rows.select(number, values[0].alias("c1"), values[1].alias("c2"), start)
        frames[name] = Frame(data.withColumn(END, f.col(START) + 1), lifted_schema(schema), chronons=True)
    lifted = lift(PLAN)
    return timed(lambda: finish(Compiler(frames, Spread(parts, heaviest=None)).frame(lifted).data))


def one_by_one(cases: int) -> Seconds:
    """Seconds for these cases, each in its own job."""
    engine = SparkEngine(spread=Spread())
    drawn = [choose_case(SeededChoices(number), PLAN.sources(), max_size=ROWS_PER_STREAM) for number in range(cases)]
    return timed(lambda: [engine.run(PLAN, case, CASE_HORIZON) for case in drawn])
