"""Does a row cost the same among a hundred million as among a million? And what does the driver hold?"""

from collections.abc import Sequence

from benchmarks.spark.meter import driver_megabytes, java_megabytes, timed
from benchmarks.spark.works import PLANS, Job, finish
from physical.engines.spark.spark_session import session

WORKS = tuple(PLANS)
SIZES = (10**6, 10**7, 10**8)
ROWS_PER_PARTITION = 2 * 10**6
"""In a partition, as `--partitions` has it by default: memory bounds partitions, so more rows are more of them."""
MIN_PARTITIONS = 8
LINE_FORMAT = "{:<11}{:>11}{:>7}{:>17}{:>17}{:>12}{:>12}{:>12}{:>12}"
HEADINGS = ("work", "rows", "parts", "wall/cpu s", "wall/cpu µs/row", "growth", "driver MB", "heap MB", "JVM MB")


def show(works: Sequence[str], sizes: Sequence[int], skewed: bool) -> None:
    """A line for each work and size: ours alone, once, after a smaller run that warms up.

    The heap is what Java still holds after a collection: a driver has that and its Python. JVM is the most
    that its process had, in local mode the executor's work included.
    """
    print(LINE_FORMAT.format(*HEADINGS))
    for name in works:
        finish(Job(name, session(), 10**6, MIN_PARTITIONS, skewed).ours().data)
        first = 0.0
        for size in sizes:
            job = Job(name, session(), size, max(MIN_PARTITIONS, size // ROWS_PER_PARTITION), skewed)
            used = timed(lambda job=job: finish(job.ours().data))  # type: ignore[misc]  # the job of this turn
            first = first or used.cpu / size
            rates = f"{used.wall / size * 1e6:.2f}/{used.cpu / size * 1e6:.2f}"
            cells = (f"{used.wall:.1f}/{used.cpu:.1f}", rates, f"{used.cpu / size / first:.2f}")
            memory = [f"{megabytes:.0f}" for megabytes in (driver_megabytes(), *java_megabytes(job.spark))]
            print(LINE_FORMAT.format(name, size, job.parts, *cells, *memory), flush=True)
