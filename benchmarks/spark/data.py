"""Streams that Spark makes itself, so that nothing is shipped from the driver."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.frame import END, START, Frame
from semantics import Schema

SCHEMA = Schema.of(k=int, x=int)


def uniform(spark: SparkSession, size: int, seed: int, keys: int, length: int, parts: int) -> Frame:
    """Keys and starts at random, the latter over as many instants as there are rows; all valid for as long."""
    rows = spark.range(0, size, 1, parts)
    start = f.pmod(f.xxhash64("id", f.lit(seed)), f.lit(size))
    key = f.pmod(f.xxhash64("id", f.lit(seed + 1)), f.lit(keys))
    data = rows.select(key.alias("c0"), f.pmod("id", f.lit(1000)).alias("c1"), start.alias(START))
    return Frame(data.withColumn(END, f.col(START) + length), SCHEMA)


def skewed(spark: SparkSession, size: int, seed: int, keys: int, length: int, parts: int) -> Frame:
    """The same, but one key has half of the rows, one row in twenty has none, and ten rows start at each instant."""
    even = uniform(spark, size, seed, keys, length, parts)
    lot = f.pmod(f.xxhash64("c0", "c1", START, f.lit(seed + 2)), f.lit(20))
    key = f.when(lot < 10, f.lit(0)).when(lot < 19, f.col("c0")).cast("long")
    start = f.col(START) - f.pmod(START, f.lit(10))
    data = even.data.select(key.alias("c0"), "c1", start.alias(START)).withColumn(END, f.col(START) + length)
    return Frame(data, SCHEMA)


def keys_only(frame: Frame) -> Frame:
    """Without the second column."""
    return Frame(frame.data.select("c0", START, END), Schema.of(k=int))


def table(frame: Frame, name: str) -> str:
    """The frame under a name that SQL knows, with the names that its columns have outside."""
    frame.data.toDF("k", "x", START, END).createOrReplaceTempView(name)
    return name
