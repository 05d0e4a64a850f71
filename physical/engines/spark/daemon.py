"""The process from which Spark forks its Python workers: what all of them need is loaded here, once."""

from pyspark.daemon import manager

from physical.engines.interval.run_plan import run
from physical.engines.spark import canonical_jobs, read
from physical.engines.spark.frame import to_table
from physical.files import canonical_runs
from physical.kernels.jit import loading
from semantics import parse, parse_plan

PRELOADED = (canonical_runs, canonical_jobs, read)


def load_what_is_loaded_late() -> None:
    """Treat some rows as a worker does: its first ones take a second, in which numba and pandas are loaded."""
    loading.numba()
    plan = parse_plan("S(x int) | window(range 2) | group(x; count(*) as n)")
    to_table(run(plan, {"S": parse("raw(x int): (1)@0 (1)@1")}))


if __name__ == "__main__":
    load_what_is_loaded_late()
    manager()
