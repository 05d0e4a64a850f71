"""Intervals against signed elements: what they carry, hold, delay and cost, per type of query.

    python -m benchmarks.studies.interval_vs_delta [--size N] [--window W] [--plot FILE]

The published comparison (Section 9.2.2 of Krämer and Seeger) says: signed elements double the rates of streams and make
windows hold their content; intervals are superior for most queries over time windows; but aggregation, difference and
count windows have less latency with signed elements. Each line says whether it is so here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.approaches.edges import observed
from benchmarks.approaches.latency import latencies
from benchmarks.approaches.queries import QUERIES, streams
from benchmarks.approaches.throughput import throughput
from benchmarks.harness.chart import chart
from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import delta_graph
from physical.engines.interval.algebra import interval_graph
from semantics.plan import Plan

SEED = 7
WINDOWS = (5, 20, 50, 100)
"""Sizes of windows for the plot."""
PLOTTED = ("grouping", "difference", "count window")
ARRIVALS = 400
"""Elements per stream where they come one by one."""


def main(
    size: Annotated[int, typer.Option(help="Elements per stream for the throughput.")] = 500_000,
    window: Annotated[int, typer.Option(help="Instants or rows in a window.")] = 1_000,
    repeat: Annotated[int, typer.Option(help="Runs, of which the best counts.")] = 3,
    plot: Annotated[Path | None, typer.Option(help="Write the latency over window sizes there, as SVG.")] = None,
) -> None:
    """Print four tables; with --plot also draw how latencies depend on the window."""
    for line in tables(size, window, repeat):
        print(line, flush=True)
    if plot is not None:
        plot.write_text(drawing(), encoding="utf-8")
        print(f"\nwrote {plot}")


def tables(size: int, window: int, repeat: int) -> Iterator[str]:
    yield from edge_lines(size // 5, window)
    yield from latency_lines(max(window // 10, 2))
    yield from throughput_lines(size, window, repeat)


def verdict(agrees: bool) -> str:
    return "agrees" if agrees else "DISAGREES"


def edge_lines(size: int, window: int) -> Iterator[str]:
    yield f"\nElements per edge and state of windows ({size:,} elements per stream, windows of {window:,})"
    yield f"{'query':20}{'behind windows':>26}{'all edges':>26}{'windows hold':>16}   published: n : 2n, 0 : n"
    for query in QUERIES:
        plan, sources = query.plan(window), _needed(query.plan(window), size)
        interval, delta = (observed(graph, plan, sources) for graph in (interval_graph, delta_graph))
        mine, theirs = sum(interval.windows), sum(delta.windows)
        doubled = 1.9 < theirs / mine <= 2
        state = f"state {verdict(interval.held == 0 < delta.held)}" if query.time_based else "state: nothing published"
        yield (
            f"{query.name:20}{f'{mine:,} : {theirs:,}':>26}{f'{sum(interval.edges):,} : {sum(delta.edges):,}':>26}"
            f"{f'{interval.held:,} : {delta.held:,}':>16}   rates {verdict(doubled)}, {state}"
        )


def latency_lines(window: int) -> Iterator[str]:
    yield f"\nMean latency in instants, and elements given out ({ARRIVALS} arrivals per stream, windows of {window})"
    columns = f"{'query':20}{'signed':>16}{'intervals, cut':>18}{'intervals, whole':>18}"
    yield f"{columns}   published: less where ends are not known"
    for query in QUERIES:
        plan = query.plan(window)
        signed, cut, whole = latencies(plan, _needed(plan, ARRIVALS), query.end_unknown)
        less = signed.mean < min(cut.mean, whole.mean) if query.end_unknown else signed.mean >= whole.mean
        cells = [f"{x.mean:.2f} /{x.elements:>7,}" for x in (signed, cut, whole)]
        yield f"{query.name:20}{cells[0]:>16}{cells[1]:>18}{cells[2]:>18}   {verdict(less)}"


def throughput_lines(size: int, window: int, repeat: int) -> Iterator[str]:
    yield f"\nThroughput in elements per second ({size:,} elements per stream, windows of {window:,}, best of {repeat})"
    yield f"{'query':20}{'intervals':>14}{'signed':>14}{'ratio':>8}{'spread':>9}   published: below 1 for time windows"
    for query in QUERIES:
        plan = query.plan(window)
        found = throughput(plan, _needed(plan, size), repeat)
        said = verdict(found.ratio < 1) if query.time_based else "nothing published"
        rates = f"{found.interval:>14,.0f}{found.delta:>14,.0f}"
        yield f"{query.name:20}{rates}{found.ratio:>8.2f}{found.spread:>9.0%}   {said}"


def drawing() -> str:
    """The mean latency over the size of the window, for queries whose results have an end that is not known."""
    series: dict[str, list[tuple[float, float]]] = {}
    for query in (query for query in QUERIES if query.name in PLOTTED):
        for window in WINDOWS:
            plan = query.plan(window)
            found = latencies(plan, _needed(plan, ARRIVALS), query.end_unknown)
            for kind, latency in zip(("signed", "cut", "whole"), found, strict=True):
                series.setdefault(f"{query.name}, {kind}", []).append((float(window), latency.mean))
    return chart("Mean latency of results", "window (instants or rows)", "instants", series, log_x=True)


def _needed(plan: Plan, size: int) -> dict[str, PhysicalStream]:
    """Streams for the sources that a plan has."""
    return {name: stream for name, stream in streams(size, SEED).items() if name in plan.sources()}


if __name__ == "__main__":
    typer.run(main)
