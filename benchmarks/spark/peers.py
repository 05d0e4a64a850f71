"""Ours on Spark, the best pure Spark SQL, and our engine on one thread: by turns, and the best of each counts."""

import os
from collections.abc import Callable, Sequence

from benchmarks.spark.meter import Seconds, best
from benchmarks.spark.works import Job, finish

LINE_FORMAT = "{:<11}{:>11}{:>17}{:>17}{:>17}{:>16}{:>16}"
HEADINGS = ("work", "rows", "ours", "Spark SQL", "interval", "SQL/ours", "ours/interval")


def show(jobs: Sequence[Job], repeat: int) -> None:
    """A line for each job: seconds on the wall/of the processor, and ratios of both.

    The last ratio is to the interval engine's time divided by the cores, which processor time needs no division for.
    """
    print(LINE_FORMAT.format(*HEADINGS))
    for job in jobs:
        ours, sql, here = best(runs(job), repeat)
        cores = os.cpu_count() or 1
        ratios = [_ratio(sql, ours), _ratio(Seconds(ours.wall * cores, ours.cpu), here)]
        cells = [f"{one.wall:.1f}/{one.cpu:.1f}" for one in (ours, sql, here)]
        print(LINE_FORMAT.format(job.name, job.size, *cells, *ratios), flush=True)


def runs(job: Job) -> list[Callable[[], object]]:
    """The contestants."""
    return [lambda: finish(job.ours().data), lambda: finish(job.by_sql()), job.here()]


def _ratio(one: Seconds, other: Seconds) -> str:
    return f"{one.wall / other.wall:.2f}/{one.cpu / other.cpu:.2f}"
