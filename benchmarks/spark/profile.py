"""Where the time goes: to make rows, exchange them, hand them to Python and back; and what we do there."""

from collections.abc import Callable, Sequence

from benchmarks.spark.meter import best
from benchmarks.spark.works import Job, finish
from physical.engines.spark.frame import unioned
from physical.engines.spark.worker_tasks import Batches

LINE_FORMAT = "{:<11}{:>11}{:>17}{:>17}{:>17}{:>17}{:>17}{:>12}"
HEADINGS = ("work", "rows", "rows made", "+ exchanged", "+ into Python", "+ back: floor", "ours", "ours/floor")


def show(jobs: Sequence[Job], repeat: int) -> None:
    """A line for each job: seconds on the wall/of the processor up to each step."""
    print(LINE_FORMAT.format(*HEADINGS))
    for job in jobs:
        steps = best(runs(job), repeat)
        cells = [f"{step.wall:.1f}/{step.cpu:.1f}" for step in steps]
        print(LINE_FORMAT.format(job.name, job.size, *cells, f"{steps[-1].cpu / steps[-2].cpu:.2f}"), flush=True)


def drained(batches: Batches) -> Batches:
    """Take all, give nothing."""
    for _ in batches:
        pass
    return iter(())


def same(batches: Batches) -> Batches:
    """Give back what is taken."""
    yield from batches


def runs(job: Job) -> list[Callable[[], object]]:
    """The same rows a step further each time; the last step but one is what no kernel could be faster than."""
    exchanged = job.exchanged()
    return [
        lambda: finish(unioned(job.inputs()).data),
        lambda: finish(exchanged),
        lambda: finish(exchanged.mapInArrow(drained, exchanged.schema)),
        lambda: finish(exchanged.mapInArrow(same, exchanged.schema)),
        lambda: finish(job.ours().data),
    ]
