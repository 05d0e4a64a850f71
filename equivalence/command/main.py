"""The command `snapeq`."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from threading import current_thread, main_thread
from typing import Annotated

import typer

from equivalence.command.commands import add_commands, new_app
from equivalence.command.terminal import BAD_INPUT, UNSUPPORTED, warn
from semantics.errors import SnapeqError, Unsupported

app = new_app()
add_commands(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"snapeq {version('snapeq')}")
        raise typer.Exit


_Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version, and end.")
]


@app.callback()
def about(_: _Version = False) -> None:
    """Ground truth for continuous queries over data streams, and the checks of everything else against it.

    Exit codes: 0 it holds, 1 it is refuted or falls short, 2 the input is bad, 3 unknown or not supported.
    """


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let SIGTERM end the command as Ctrl-C does: by default it ends the process at once, in the middle of a file."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command; bad input ends with one line on stderr, never with a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # half a character in someone's data must not end us
    try:
        with _ending_in_order():
            app()
    except Unsupported as error:
        warn(f"snapeq: {error}")
        raise SystemExit(UNSUPPORTED) from None
    except SnapeqError as error:
        warn(f"snapeq: {error}")
        raise SystemExit(BAD_INPUT) from None
    except OSError as error:
        warn(f"snapeq: {error.filename or 'input or output'}: {error.strerror or error}")
        raise SystemExit(BAD_INPUT) from None


if __name__ == "__main__":
    main()
