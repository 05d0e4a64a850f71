"""`python -m benchmarks.spark [lift] [NAME…] [--size N] [--parts P]`: prints a line for each measurement."""

import argparse
import os

from benchmarks.spark.lifting import many, one_by_one
from benchmarks.spark.meter import driver_megabytes, timed
from benchmarks.spark.works import PLANS, Job, finish
from physical.spark.session import session, stop

SHOWN = "{:<11}{:>12}{:>22}{:>22}{:>22}{:>10}{:>10}"

HEAD = ("work", "rows", "ours wall/cpu s", "Spark SQL wall/cpu s", "interval wall/cpu s", "SQL/ours", "ours/here")


def main() -> None:
    """Measure what is asked for; ratios are of processor time, for the machine may be shared."""
    parser = argparse.ArgumentParser(prog="benchmarks.spark")
    parser.add_argument("names", nargs="*", default=["lift", *PLANS], help=f"lift, {', '.join(PLANS)}")
    parser.add_argument("--size", type=int, action="append", help="rows per stream; may be repeated")
    parser.add_argument("--cases", type=int, default=10**5)
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help="ours only, without the peers: for growth")
    asked = parser.parse_args()
    session(long=True)
    if "lift" in asked.names:
        lifting(asked.cases, asked.repeat)
    names = [name for name in asked.names if name != "lift"]
    if names:
        print(
            SHOWN.format(
                "work", "rows", "ours wall/cpu s", "Spark SQL wall/cpu s", "interval wall/cpu s", "×SQL", "×here"
            )
        )
    for size in asked.size or [10**6]:
        for name in names:
            show(Job(name, session(), size, asked.parts), asked.repeat, asked.alone)
    print(f"driver: {driver_megabytes():.0f} MB at most")
    stop()


def lifting(cases: int, repeat: int) -> None:
    spark = session()
    one_by_one(2)
    single = one_by_one(10)
    together = min(many(spark, cases, os.cpu_count() or 1) for _ in range(repeat))
    rates = [cases / together[0], 10 / single[0]]
    print(f"lifted: {rates[0]:.0f} cases/s ({cases} in {together[0]:.1f} s wall, {together[1]:.1f} s cpu)")
    print(f"one job each: {rates[1]:.2f} cases/s (10 in {single[0]:.1f} s wall); ratio {rates[0] / rates[1]:.0f}")


def show(job: Job, repeat: int, alone: bool) -> None:
    """One line; the contestants take turns, and the best of each counts."""
    runs = [lambda: finish(job.ours().data)]
    if not alone:
        runs += [lambda: finish(job.by_sql()), job.here()]  # type: ignore[list-item]  # what they give is not looked at
    laps = [[timed(run) for run in runs] for _ in range(repeat)]
    best = [(min(lap[i][0] for lap in laps), min(lap[i][1] for lap in laps)) for i in range(len(runs))]
    cells = [f"{wall:.1f}/{cpu:.1f}" for wall, cpu in best] + ["-"] * (3 - len(best))
    ratios = ["-", "-"] if alone else [f"{best[1][1] / best[0][1]:.2f}", f"{best[0][1] / best[2][1]:.2f}"]
    print(SHOWN.format(job.name, job.size, *cells, *ratios), flush=True)


if __name__ == "__main__":
    main()
