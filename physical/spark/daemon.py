"""The process from which Spark forks its Python workers: what all of them need is loaded here, once."""

import numpy as np
from pyspark.daemon import manager

import physical.interval.execute
import physical.interval.runs
import physical.spark.canonical
import physical.spark.read
from physical.kernels.jit import loading
from physical.kernels.sort import is_sorted

LOADED = (physical.interval.execute, physical.interval.runs, physical.spark.canonical, physical.spark.read)


def load_numba() -> None:
    """The first kernel that a process calls takes a second, whichever it is; workers are forked after it."""
    loading.numba()
    is_sorted(np.zeros(1, np.int64))


if __name__ == "__main__":
    load_numba()
    manager()
