"""Windows over the last rows: on one task, and cut over time so that no task has to hold everything."""

from collections.abc import Sequence
from functools import partial
from itertools import product

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from benchmarks.spark.data import uniform
from benchmarks.spark.growth import ROWS_PER_PARTITION
from benchmarks.spark.meter import best
from benchmarks.spark.works import KEYS, finish
from physical.engines.spark.compile import Compiler
from physical.engines.spark.exchange import Spread
from physical.engines.spark.frame import Frame
from semantics import Plan, parse_plan

PLANS = [
    parse_plan("A(k int, x int) | window(rows 1000)"),
    parse_plan("A(k int, x int) | window(partition by k rows 1000)"),
]
MAX_ROWS_OF_A_TASK = 2 * 10**7
"""More rows are not given to one task."""
LINE_FORMAT = "{:<20}{:>11}{:>7}{:>17}{:>17}"


def show(spark: SparkSession, sizes: Sequence[int], repeat: int) -> None:
    """A line for each window and size: seconds on the wall/of the processor."""
    print(LINE_FORMAT.format("window", "rows", "parts", "one task", "cut"))
    for plan, size in product(PLANS, sizes):
        parts = max(8, size // ROWS_PER_PARTITION)
        cut, alone = Spread(parts, sample=min(1.0, 2e5 / size)), Spread(parts, heaviest=None)
        ways = [cut, alone] if size <= MAX_ROWS_OF_A_TASK else [cut]
        taken = best([partial(run, plan, skewed(spark, size, parts), way) for way in ways], repeat)
        cells = [f"{one.wall:.1f}/{one.cpu:.1f}" for one in taken]
        print(LINE_FORMAT.format(plan.operator, size, parts, cells[1] if cells[1:] else "–", cells[0]), flush=True)


def run(plan: Plan, frame: Frame, spread: Spread) -> None:
    finish(Compiler({"A": frame}, spread).frame(plan).data)


def skewed(spark: SparkSession, size: int, parts: int) -> Frame:
    """Elements at one instant each; nine of ten have the same key."""
    made = uniform(spark, size, 0, KEYS, 1, parts)
    key = f.when(f.col("c1") < 900, f.lit(0).cast("long")).otherwise(f.col("c0"))
    return Frame(made.data.withColumn("c0", key), made.schema, chronons=True)
