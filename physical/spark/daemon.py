"""The process from which Spark forks its Python workers: what all of them need is loaded here, once."""

from pyspark.daemon import manager

import physical.interval.execute
import physical.interval.runs
import physical.spark.canonical
import physical.spark.read

LOADED = (physical.interval.execute, physical.interval.runs, physical.spark.canonical, physical.spark.read)

if __name__ == "__main__":
    manager()
