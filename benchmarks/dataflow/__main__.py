"""`python -m benchmarks.dataflow [--size N] [--plot PREFIX]`: all experiments, with tables and a verdict per claim."""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.table import Table

from benchmarks.dataflow import batches, chain, kernel, strategies
from benchmarks.dataflow.shape import Claim
from benchmarks.harness.chart import chart
from benchmarks.harness.report import seconds, wide

Row = Iterable[object]


def print_table(title: str, headings: Sequence[str], rows: Iterable[Row], claims: Iterable[Claim]) -> None:
    table = Table(*headings, title=title, title_justify="left")
    for column in table.columns:
        column.justify = "right"
    for row in rows:
        table.add_row(*map(str, row))
    console = wide()
    console.print(table)
    for claim in claims:
        console.print(str(claim), highlight=False, markup=False, soft_wrap=True)
    console.print()


def show_kernel(size: int) -> None:
    found = kernel.rates(10 * size)
    rows = [(f"{batch:,}", f"{rate / 1e6:.1f} · 10⁶") for batch, rate in found.items()]
    print_table("Pure kernel activity: one factory", ["batch", "events/s"], rows, kernel.claims(found))


def show_chain(size: int, plot: str | None) -> None:
    found = chain.measured(size)
    names = {queries: f"{queries} queries" if queries else "sensor to actuator" for queries in found}
    rows = [
        (names[q], seconds(x["elapsed"]), seconds(x["latency"]), f"{x['throughput']:,.0f}") for q, x in found.items()
    ]
    headings = ["query chain", "elapsed", "latency", "tuples/s"]
    print_table("With communication: three processes over TCP", headings, rows, chain.claims(found))
    points = {"with the kernel": [(float(q), x["elapsed"]) for q, x in found.items() if q]}
    points["sensor to actuator"] = [(float(q), found[0]["elapsed"]) for q in found if q]
    save(plot, "chain", chart("Elapsed time of a query chain", "queries", "seconds", points, log_x=True))


def show_batches(size: int, plot: str | None) -> None:
    found = batches.latencies(size)
    sizes = list(next(iter(found.values())))
    rows = [(f"{b:,}", *(seconds(row[b]) for row in found.values())) for b in sizes]
    headings = ["batch", *(f"{queries} queries" for queries in found)]
    print_table("Average latency by batch size, separate baskets", headings, rows, batches.claims(found))
    points = {f"{queries} queries": [(float(b), x) for b, x in row.items()] for queries, row in found.items()}
    save(plot, "batches", chart("Average latency by batch size", "batch size", "seconds", points, True, True))


def show_strategies(size: int, plot: str | None) -> None:
    found = strategies.tables(size)
    for title, rows in found.items():
        table = [(q, *(seconds(times[q]) for times in rows.values())) for q in strategies.QUERIES]
        claims = strategies.claims({title: rows})
        print_table(f"{size:,} tuples by number of queries, {title}", ["queries", *rows], table, claims)
    points = {
        f"{name}, {title.partition(' ')[0]}": [(float(q), x) for q, x in times.items()]
        for title, rows in found.items()
        for name, times in rows.items()
    }
    save(plot, "strategies", chart("Strategies by number of queries", "queries", "seconds", points, True, True))


def save(plot: str | None, name: str, picture: str) -> None:
    if plot is not None:
        Path(f"{plot}-{name}.svg").write_text(picture, encoding="utf-8")


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.dataflow", description="Baskets and factories, measured.")
    parser.add_argument("--size", type=int, default=100_000, help="tuples of a stream (default: as in the chapter)")
    parser.add_argument("--plot", metavar="PREFIX", help="write charts to PREFIX-chain.svg and so on")
    given = parser.parse_args()
    show_kernel(given.size)
    show_chain(given.size, given.plot)
    show_batches(given.size, given.plot)
    show_strategies(given.size, given.plot)


if __name__ == "__main__":
    main()
