"""What all commands share: exit codes, options, and how they print."""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from equivalence.command.signs_of_life import counted, ticking

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
HOLDS, FALLS_SHORT, BAD_INPUT, UNSUPPORTED = 0, 1, 2, 3
LAST_INSTANT: Final = 2**63 - 2

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Seed = Annotated[int, typer.Option(metavar="S", help="Seed of the samples; the same seed gives the same result.")]
JUnitFile = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML, too.")]
HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with timelines, too.")]
InProcess = Annotated[
    bool, typer.Option("--in-process", help="Run the engine in this process: faster, but a crash of it is ours, too.")
]
Command = Annotated[
    str | None,
    typer.Option(
        "--command", metavar="COMMAND", help="An engine in any language, by the protocol of docs/protocol.md."
    ),
]
TestFile = Annotated[Path | None, typer.Option("--test", metavar="FILE", help="Write it as a pytest test, too.")]


def instants(number: int | None) -> int | None:
    """A number of instants, as given on the command line; engines count them with 64 bits."""
    if number is not None and abs(number) > LAST_INSTANT:
        raise typer.BadParameter(f"expected a number of 64 bits, at most {LAST_INSTANT}")
    return number


def engine_of(engine: str | None, command: str | None, otherwise: str) -> str:
    """The name of the engine that an option or a command stands for; of both, only one may be given."""
    if engine is not None and command is not None:
        raise typer.BadParameter(f"expected an engine or --command, got {engine!r} and {command!r}")
    return engine or (otherwise if command is None else f"command:{command}")


def print_json(document: object) -> None:
    """One document; characters are escaped only where the output cannot show them."""
    encoding = (sys.stdout.encoding or "").lower()
    typer.echo(json.dumps(document, indent=2, ensure_ascii=encoding not in ("utf-8", "utf8")))


LEAST_WIDTH: Final = 24
"""A last column that would be narrower is not wrapped."""


def print_columns(rows: Iterable[Sequence[str]]) -> None:
    """A table without lines: as wide as it needs to be in a pipe; a terminal's width wraps the last column."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in columns(rows, width):
        typer.echo(line)


def columns(rows: Iterable[Sequence[str]], width: int | None = None) -> Iterator[str]:
    """The lines of a table.

    >>> print("\\n".join(columns([("a", "one two three four five six"), ("bb", "x")], 28)))
    a   one two three four five
        six
    bb  x
    """
    from rich.cells import cell_len

    listed = [list(row) for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*listed, strict=True)]
    before = sum(widths[:-1]) + 2 * (len(widths) - 1)
    for *firsts, last in listed:
        cells = [cell + " " * (wide - cell_len(cell)) for cell, wide in zip(firsts, widths, strict=False)]
        fits = width is None or width - before < LEAST_WIDTH
        parts = [last] if fits or width is None else wrap(last, width - before, break_long_words=False) or [""]
        yield "  ".join([*cells, parts[0]]).rstrip()
        yield from (" " * before + part for part in parts[1:])


def warn(text: str) -> None:
    """A line on stderr, without anything that a terminal would obey."""
    safe = "".join(c if c == "\n" or c.isprintable() else "�" for c in text)
    typer.echo(safe, err=True)


def check_writable(*paths: Path | None) -> None:
    """Notice a report that cannot be written before the work that it would be about."""
    from physical.files.whole_file import writable

    for path in paths:
        if path is not None:
            writable(path)


def write_file(path: Path, text: str) -> None:
    """Write a text completely, or not at all."""
    from physical.files.whole_file import whole_file

    with whole_file(path) as file:
        file.write(text.encode("utf-8", errors="backslashreplace"))


def tracked(items: Sequence[T], describe: str) -> Iterator[T]:
    """The items, one after the other, with a progress bar on a terminal and a line now and then in a pipe."""
    if not sys.stderr.isatty():
        yield from counted(items, describe, warn)
        return
    with progress_bar() as progress:
        yield from progress.track(items, description=describe)


@contextmanager
def working(describe: str, *, in_a_pipe: bool = False) -> Iterator[None]:
    """A sign of life for work of unknown length: it moves on a terminal, and may be a line now and then in a pipe."""
    if not sys.stderr.isatty():  # rich takes time to import
        with ticking(describe, warn) if in_a_pipe else nullcontext():
            yield
        return
    with progress_bar() as progress:
        progress.add_task(describe, total=None)
        yield


def progress_bar() -> "Progress":
    """A bar on a terminal, and none in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
