"""A PySpark job against a query: the job's own pipeline gets the cases, and its output is judged.

An example of both is in `examples/spark_job`.
"""

from typing import TYPE_CHECKING, Final

from equivalence.query_files.query_over_files import read_query
from equivalence.verdicts.verdict import Verdict
from physical.engines.spark.spark_session import check_installed, session
from semantics import SnapeqError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from equivalence.dataframes.job_arrival import LatePolicy
    from equivalence.dataframes.job_runs import Job
    from equivalence.programs.program_output import ProgramOutput

CASES: Final = 400
TOLERANCE: Final = 1e-9
"""Sums of floats depend on the order of the rows, which a job may choose."""


def check_job(
    job: "Job",
    sql: str,
    *,
    spark: "SparkSession | None" = None,
    streaming: bool = False,
    output: "ProgramOutput | None" = None,
    time: str | None = None,
    output_mode: str = "append",
    slack: int = 0,
    late: "LatePolicy | None" = None,
    examples: int = CASES,
    seed: int = 0,
    tolerance: float = TOLERANCE,
) -> Verdict:
    """Does a job, from DataFrames to a DataFrame, compute what a query says?

    The query declares the job's inputs with CREATE statements. With `streaming` they are streaming DataFrames, in
    micro-batches, and a streaming output is run to its end. Rows may come `slack` units of the query's time after
    later ones: the watermarks of the job must wait for them. With `late="dropped"`, rows also come when every watermark
    has passed them, and must change nothing; with `late="counted"` they must count as if they had come before. The
    output is `intervals` with
    `_start` and `_end`, `panes` with a column `window` or `window_end`, or `events` with a time column. By default its
    columns show which, and the evidence says so.
    """
    if tolerance < 0:
        raise SnapeqError(f"check_job: the tolerance must not be negative, got {tolerance}")
    check_installed()
    from pyspark.sql import SparkSession

    from equivalence.dataframes.job_arrival import Arrival
    from equivalence.dataframes.job_runs import JobOptions, JobRunner
    from equivalence.dataframes.job_search import JobSearch
    from equivalence.programs.program_inputs import program_inputs

    running = spark or SparkSession.getActiveSession() or session()
    query = read_query(sql)
    arrival = Arrival(slack, late, seed)
    arrival.check(streaming)
    options = JobOptions(streaming, output, time, output_mode, arrival)
    runner = JobRunner(running, job, query, program_inputs(query), options)
    return JobSearch(runner, query, seed, tolerance).verdict(examples)
