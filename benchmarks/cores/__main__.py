"""`python -m benchmarks.cores [NAME …] [--size N] [--repeat K]`: what all cores bring, beside DuckDB and Polars.

For every work: seconds by the clock on one thread and on all, their ratio, the ratio on cores that nobody else uses
(see `benchmarks.cores.meter`), the serial part of that, how many times the limit, and peers on all of their threads.
"""

import argparse
import gc
import os
from collections.abc import Iterator

import physical.kernels  # noqa: F401  # before the peers: see there
from benchmarks.cores.meter import Path, measured
from benchmarks.harness.agree import check_agreement
from benchmarks.harness.duel import answered
from benchmarks.harness.limit import limit_by_cpu
from benchmarks.harness.table import Answer, Inputs
from benchmarks.harness.timing import Lap, race
from benchmarks.harness.work import Contestant, Peer, Work
from benchmarks.studies import engine
from benchmarks.works import catalogue
from physical.columns.threads import processors

NAMES = ("equijoin", "grouped", "distinct", "difference", "canonical")
HEAD = "| work | one thread | all threads | ratio | on free cores | serial | of the limit | peer | its time | ratio |"


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.cores", description=__doc__)
    options.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    options.add_argument("--size", type=int, default=10**7, help="elements per stream")
    options.add_argument("--repeat", type=int, default=5, help="timed runs of which the best counts")
    options.add_argument("--no-peers", action="store_true", help="only ours")
    asked = options.parse_args()
    print(f"{asked.size:,} elements, {processors()} threads", HEAD, "|" + "---|" * 10, sep="\n")
    for work in catalogue():
        if any(work.called(name) for name in asked.names):
            for row in rows(work, asked.size, asked.repeat, not asked.no_peers):
                print(row, flush=True)
    print(f"\nload average: {os.getloadavg()[0]:.1f}")


def rows(work: Work, size: int, repeat: int, with_peers: bool) -> Iterator[str]:
    """A row for ours, and one for each peer that relies on nothing special."""
    inputs = work.inputs(size)
    ours = engine.prepare(work.task, inputs)
    bound = limit_by_cpu(inputs, repeat)
    alone, together, path = compared(ours, repeat)
    ratio, free = alone.best / together.best, alone.best_cpu / path.on(processors())
    yield (
        f"| {work.name} | {alone.best:.3f} s | {together.best:.3f} s | {ratio:.2f} | {free:.2f} "
        f"| {path.serial / path.on(processors()):.0%} | {alone.best_cpu / bound:.1f} | | | |"
    )
    for peer in work.peers if with_peers else ():
        if not peer.special and not peer.obstacle() and (peer.largest is None or size <= peer.largest):
            best = against(work, size, inputs, ours, peer, repeat)
            yield f"| | | | | | | | {peer.name} | {best:.3f} s | {best / together.best:.1f} |"


def compared(ours: Contestant, repeat: int) -> tuple[Lap, Lap, Path]:
    """One thread and all threads in turns, after a run of each to warm up; and the shortest critical path."""
    with_threads(1, ours)
    with_threads(processors(), ours)
    alone, together = race([lambda: with_threads(1, ours), lambda: with_threads(processors(), ours)], repeat)
    paths = []
    for _ in range(repeat):
        gc.collect()
        paths.append(measured(lambda: with_threads(processors(), ours)))
    return alone, together, min(paths, key=lambda path: path.on(processors()))


def with_threads(count: int, contestant: Contestant) -> object:
    """One run on so many threads."""
    os.environ["SNAPEQ_THREADS"] = str(count)
    return contestant.run()


def against(work: Work, size: int, inputs: Inputs, ours: Contestant, peer: Peer, repeat: int) -> float:
    """The best time of a peer on all threads; its answer must be ours."""
    os.environ["SNAPEQ_THREADS"] = str(processors())
    theirs, lap = peer.prepare(inputs), Lap()
    expected: Answer = answered(work, ours, ours.run())
    check_agreement(f"{work.name} at {size}", {"snapeq": expected, peer.name: answered(work, theirs, theirs.run())})
    del expected
    for _ in range(1 if peer.once else repeat):
        lap.time(theirs.run)
    return lap.best


if __name__ == "__main__":
    main()
