"""`python -m benchmarks.live [--repeat K] [--figures FOLDER]`: rates and latencies as a table, and as figures."""

import argparse
import os
from pathlib import Path

from benchmarks.harness.chart import Points, chart
from benchmarks.live import peer
from benchmarks.live.push import best
from benchmarks.live.queries import QUERIES

BATCHES = (1, 10, 100, 1000, 10_000)
ELEMENTS = {1: 20_000, 10: 50_000, 100: 200_000, 1000: 10**6, 10_000: 4 * 10**6}
PEER_ELEMENTS = 50_000
Curves = dict[str, tuple[Points, Points]]
"""For each query the rate and the median of the latency in microseconds, by batch size."""
HEAD = "| query | batch | given as | elements/s | by CPU | median µs | p99 µs |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--figures", type=Path, metavar="FOLDER", help="write live.svg and live-latency.svg there")
    options.add_argument("--query", action="append")
    asked = options.parse_args()
    print(HEAD, "|---|---|---|---|---|---|---|", sep="\n")
    curves = {name: ours(name, asked.repeat) for name in asked.query or QUERIES}
    curves |= peers(asked.repeat)
    print(f"\nload average: {os.getloadavg()[0]:.1f}")
    if asked.figures:
        draw(curves, asked.figures)


def draw(curves: Curves, folder: Path) -> None:
    """Both figures."""
    rates = {name: rate for name, (rate, _) in curves.items()}
    delays = {name: delay for name, (_, delay) in curves.items()}
    for file, title, axis, series in (
        ("live.svg", "Elements per second by batch size", "elements/s", rates),
        ("live-latency.svg", "Latency by batch size: median from push to result", "µs", delays),
    ):
        picture = chart(title, "batch", axis, series, log_x=True, log_y=True)
        (folder / file).write_text(picture, encoding="utf-8")


def ours(name: str, repeat: int) -> tuple[Points, Points]:
    """Every batch size from Python rows as long as batches are small, and from arrays."""
    rates: Points = []
    delays: Points = []
    for batch in BATCHES:
        for rows in (True, False) if batch <= 10 else (False,):
            found = best(QUERIES[name], ELEMENTS[batch], batch, rows, repeat)
            given = "rows" if rows else "Arrow"
            print(
                f"| {name} | {batch:,} | {given} | {found.rate:,.0f} | {found.cpu_rate:,.0f} "
                f"| {found.median:,.1f} | {found.p99:,.1f} |",
                flush=True,
            )
            if rows or batch > 10:
                rates.append((batch, found.rate))
                delays.append((batch, found.median))
    return rates, delays


def peers(repeat: int) -> Curves:
    """The same for the peer, if it is there."""
    python = peer.interpreter()
    if python is None:
        print("\nBytewax is not installed, its rows are skipped; SNAPEQ_BYTEWAX may name a Python that has it.")
        return {}
    curves: Curves = {}
    for name in peer.QUERIES:
        rates, delays = curves.setdefault(f"{name}, Bytewax", ([], []))
        for batch in BATCHES:
            rate, median, p99 = peer.measured(python, name, max(PEER_ELEMENTS, 10 * batch), batch, repeat)
            print(f"| {name}, Bytewax | {batch:,} | rows | {rate:,.0f} | – | {median:,.1f} | {p99:,.1f} |", flush=True)
            rates.append((batch, rate))
            delays.append((batch, median))
    return curves


if __name__ == "__main__":
    main()
