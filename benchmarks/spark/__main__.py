"""`python -m benchmarks.spark [lift] [flow] [steady] [rows] [growth] [files|profile] [NAME…] [--size N] …`: lines."""

import argparse

from benchmarks.spark import filing, flowing, growth, last_rows, lifting, peers, profile, steady
from benchmarks.spark.works import PLANS, Job
from physical.engines.spark.spark_session import session, stop

TABLES = {"profile": profile, "files": filing}
"""Other lines about the same works."""


def main() -> None:
    """Measure what is asked for; ratios are of processor time, for the machine may be shared."""
    options = _options()
    session(long=True)
    works = [name for name in options.names if name in PLANS]
    if "lift" in options.names:
        lifting.show(options.cases, options.repeat)
    if "flow" in options.names:
        flowing.show(session(), (options.size or [1_600_000])[0])
    if "steady" in options.names:
        steady.show(session(), options.batches)
    if "rows" in options.names:
        last_rows.show(session(), options.size or [10**7], options.repeat)
    if "growth" in options.names:
        growth.show(works or growth.WORKS, options.size or growth.SIZES, options.skewed)
    elif works or {*TABLES} & {*options.names}:
        table = next((table for name, table in TABLES.items() if name in options.names), peers)
        jobs = [
            Job(name, session(), size, options.parts) for size in options.size or [10**6] for name in works or PLANS
        ]
        table.show(jobs, options.repeat)
    stop()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.spark")
    choices = ["lift", "flow", "steady", "rows", "growth", *TABLES, *PLANS]
    parser.add_argument("names", nargs="*", default=["lift", *PLANS], help=", ".join(choices))
    parser.add_argument("--size", type=int, action="append", help="rows per stream; may be repeated")
    parser.add_argument("--cases", type=int, default=10**5)
    parser.add_argument("--batches", type=int, default=500)
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--skewed", action="store_true", help="growth: one key has half of the rows")
    parser.add_argument("--repeat", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
