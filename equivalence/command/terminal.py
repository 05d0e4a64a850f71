"""What all commands share: exit codes, options, and how they print."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
HOLDS, FALLS_SHORT, BAD_INPUT, UNSUPPORTED = 0, 1, 2, 3

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Seed = Annotated[int, typer.Option(help="Seed of the samples; the same seed gives the same result.")]
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


def engine_of(engine: str | None, command: str | None, otherwise: str) -> str:
    """The name of the engine that an option or a command stands for; of both, only one may be given."""
    if engine is not None and command is not None:
        raise typer.BadParameter(f"expected an engine or --command, got {engine!r} and {command!r}")
    return engine or (otherwise if command is None else f"command:{command}")


def print_json(document: object) -> None:
    """One document; characters are escaped only where the output cannot show them."""
    encoding = (sys.stdout.encoding or "").lower()
    typer.echo(json.dumps(document, indent=2, ensure_ascii=encoding not in ("utf-8", "utf8")))


def print_columns(rows: Iterable[Sequence[str]]) -> None:
    """A table without lines, as wide as it needs to be: the same in a pipe and on any terminal."""
    from rich.cells import cell_len

    listed = [list(row) for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        typer.echo("  ".join(cells).rstrip())


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
    """The items, one after the other, with a progress bar on a terminal and none in a pipe."""
    with progress_bar() as progress:
        yield from progress.track(items, description=describe)


@contextmanager
def working(describe: str) -> Iterator[None]:
    """A sign of life on a terminal for work of unknown length, and none in a pipe."""
    if not sys.stderr.isatty():  # rich takes time to import
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
