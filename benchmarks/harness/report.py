"""The speed table and the queries, for a terminal."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from benchmarks.harness.duel import falls_short
from benchmarks.harness.work import Work

HEADINGS = ("work", "size", "snapeq", "ns each", "peer", "", "ratio", "by CPU", "goal", "", "limit", "noise")


def print_table(rows: Iterable[Mapping[str, Any]], console: Console | None = None) -> None:
    """Ratios with their goals; `limit` is a plain sorted pass over the same bytes, `noise` the spread of the runs."""
    table = Table(*HEADINGS, caption="ratio = peer / snapeq, one thread each; limit: copy and sort the same bytes")
    for column in table.columns:
        column.justify, column.no_wrap = "left" if column.header in ("work", "peer") else "right", True
    for row in rows:
        table.add_row(*cells(row))
    (console or wide()).print(table)


def wide() -> Console:
    """The terminal as it is, or in a pipe enough room for every column."""
    console = Console()
    return console if console.is_terminal else Console(width=160)


def cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    """One row of the table."""
    verdict = "[red]missed[/]" if falls_short(dict(row)) else "[green]reached[/]"
    return (
        row["name"],
        f"{row['size']:,}",
        seconds(row["ours_s"]),
        f"{row['ours_s'] / row['size'] * 1e9:.0f}",
        row["peer"],
        seconds(row["peer_s"]),
        f"{row['ratio']:.1f}",
        f"{row['cpu_ratio']:.1f}",
        f"{round(row['goal'], 2):g}",
        "special" if row["special"] else verdict,
        seconds(row["limit_s"]),
        f"± {row['noise']:.0%}",
    )


def seconds(s: float) -> str:
    """Three digits and a unit.

    >>> seconds(0.01234), seconds(2.5)
    ('12.3 ms', '2.50 s')
    """
    return f"{s:.2f} s" if s >= 1 else f"{s * 1000:.3g} ms"


def print_queries(works: Iterable[Work], console: Console | None = None) -> None:
    """Per work its plan in snapeq and the query of every peer."""
    out = console or wide()
    for work in works:
        out.rule(f"[bold]{work.name}")
        out.print(f"snapeq: {work.task}", highlight=False, markup=False)
        for peer in work.peers:
            relies = f" (relies on this: {peer.special})" if peer.special else ""
            out.print(f"\n{peer.name}{relies}:", highlight=False)
            language = "sql" if peer.name.startswith("DuckDB") else "python"
            out.print(Syntax(peer.show(), language, background_color="default"))
