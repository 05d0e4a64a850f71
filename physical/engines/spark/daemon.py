"""The process from which Spark forks its Python workers; it loads once what all of them need."""

import gc

from pyspark.daemon import manager

from physical.engines.interval.run_plan import run
from physical.engines.spark import canonical_jobs, large_partition, last_rows, merged_runs, read
from physical.engines.spark.frame import to_table
from physical.files import canonical_runs
from physical.kernels.jit import loading
from semantics import parse, parse_plan

PRELOADED = (canonical_runs, canonical_jobs, large_partition, last_rows, merged_runs, read)


def load_what_is_loaded_late() -> None:
    """Run a small plan as a worker does, because the first one takes a second to load numba and pandas."""
    loading.numba()
    plan = parse_plan("S(x int) | window(range 2) | group(x; count(*) as n)")
    to_table(run(plan, {"S": parse("raw(x int): (1)@0 (1)@1")}))


def let_workers_forget_what_is_loaded() -> None:
    """A worker looks for garbage after every task; what was loaded here is none, and to look at it takes 0.1 s."""
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    load_what_is_loaded_late()
    let_workers_forget_what_is_loaded()
    manager()
