"""Does an element cost the same however many there are? Every work at 10⁵ elements and at larger sizes.

The window is the same at all sizes, so as much is valid at a time. The peer of a row is the same work at 10⁵ elements,
its time multiplied: the ratio is 1 if the cost is flat, and may fall to 1 / 1.3. Both sides are the same program on one
thread, so all times are the processor's, which a busy machine disturbs less.
"""

from collections.abc import Iterator, Sequence

from benchmarks.harness.duel import Row, Say
from benchmarks.harness.limit import limit
from benchmarks.harness.timing import Lap
from benchmarks.harness.work import Work
from benchmarks.studies import engine

BASE_SIZE = 10**5
SIZES = (10**6, 10**7)
GOAL = 1 / 1.3


def flat(works: Sequence[Work], sizes: Sequence[int], repeat: int, progress: Say) -> Iterator[Row]:
    """One row for each work and size; works that are too slow for more than the base are left out."""
    for work in works:
        if work.largest is not None:
            continue
        base = timed(work, BASE_SIZE, 4 * repeat, progress)
        for size in sizes or SIZES:
            lap, factor = timed(work, size, repeat, progress), size / BASE_SIZE
            yield {
                "name": f"flat/{work.name}",
                "size": size,
                "ours_s": lap.best_cpu,
                "peer": f"itself at {BASE_SIZE:,}",
                "peer_s": base.best_cpu * factor,
                "ratio": base.best_cpu * factor / lap.best_cpu,
                "goal": GOAL,
                "ours_cpu_s": lap.best_cpu,
                "peer_cpu_s": base.best_cpu * factor,
                "cpu_ratio": base.best_cpu * factor / lap.best_cpu,
                "special": "",
                "limit_s": limit(work.inputs(size), 1),
                "noise": max(lap.spread, base.spread),
            }


def timed(work: Work, size: int, repeat: int, progress: Say) -> Lap:
    """This many runs after one that warms up."""
    progress(f"{work.name}: {size:,} elements")
    contestant, lap = engine.prepare(work.task, work.inputs(size)), Lap()
    contestant.run()
    for _ in range(repeat):
        lap.time(contestant.run)
    return lap
