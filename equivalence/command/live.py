"""`snapeq live`: queries that run, over files that grow, ports and pipes."""

import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.run import Functions
from equivalence.command.terminal import BAD_INPUT, instants, warn
from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.command.live_system import LiveRun
    from physical.live.ports import Address

LISTEN = "127.0.0.1:0"
TOKEN = re.compile(r"[\w.~+/=-]+", re.ASCII)
"""What goes through headers, cookies and addresses as it is."""


def live_command(
    catalog: Annotated[Path, typer.Argument(metavar="CATALOG", help="A .sql file of CREATE STREAM statements.")],
    query: Annotated[
        list[str] | None,
        typer.Option("--query", "-q", metavar="NAME=SQL", help="A query, as text or .sql file; repeat it."),
    ] = None,
    stream: Annotated[
        list[str] | None,
        typer.Option(
            "--stream", "-s", metavar="NAME=SOURCE", help="A file that grows, - (stdin), tcp:PORT, or http (default)."
        ),
    ] = None,
    out: Annotated[
        list[str] | None,
        typer.Option("--out", "-o", metavar="NAME=SINK", help="Where results go: a file, - (stdout), or tcp:PORT."),
    ] = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Every query without --out writes NAME.csv here.")
    ] = None,
    listen: Annotated[str, typer.Option(metavar="[HOST:]PORT", help="The HTTP API; 0 takes any free port.")] = LISTEN,
    token: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What clients must show; made up if others can connect.")
    ] = None,
    ui: Annotated[bool, typer.Option("--ui", help="Serve a page to watch the system.")] = False,
    engine: Annotated[str, typer.Option(metavar="NAME", help="interval, delta or dataflow.")] = "interval",
    strategy: Annotated[
        str | None, typer.Option(metavar="NAME", help="Windows slide by slide: incremental or reevaluate.")
    ] = None,
    slack: Annotated[
        int, typer.Option(min=0, metavar="N", callback=instants, help="How many units an element may come late.")
    ] = 0,
    idle: Annotated[
        float | None,
        typer.Option(min=0.1, metavar="SECONDS", help="A stream that is silent for so long follows the others."),
    ] = None,
    batch: Annotated[int, typer.Option(min=1, metavar="N", help="Push at most N elements at once.")] = 4096,
    optimize: Annotated[bool, typer.Option("--optimize/--no-optimize", help="Run the cheapest plan found.")] = True,
    state: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep a log and checkpoints here, and go on from them.")
    ] = None,
    checkpoint: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="Time between two checkpoints.")] = 10.0,
    sync: Annotated[
        bool, typer.Option("--sync", help="Wait for the disk before input is acknowledged: for power failures.")
    ] = False,
    finish: Annotated[
        bool, typer.Option("--finish", help="Read the files up to their present end, end all streams, and stop.")
    ] = False,
    bad: Annotated[Path | None, typer.Option(metavar="FILE", help="Where bad lines go, with the reason.")] = None,
    prompt: Annotated[
        bool | None, typer.Option("--prompt/--no-prompt", help="Take commands from the terminal.")
    ] = None,
    connections: Annotated[int, typer.Option(min=1, metavar="N", help="Most clients at the same time.")] = 64,
    line_bytes: Annotated[int, typer.Option(min=16, metavar="N", help="The longest line.")] = 1 << 20,
    memory: Annotated[int, typer.Option(min=1, metavar="MB", help="Take no more while queries hold this.")] = 1024,
    replay: Annotated[
        int, typer.Option(min=1, metavar="N", help="Results of each query that late clients still get.")
    ] = 10_000,
    functions: Functions = None,
) -> None:
    """Run queries over streams as they come, until Ctrl-C.

    \b
    A file that grows, one query, its results in a file, and a page to watch:
      snapeq live shop.sql -s Bid=bids.csv -q 'busy=SELECT item, COUNT(*) AS n
        FROM Bid WINDOW(RANGE 1 MINUTE) GROUP BY item' -o busy=busy.csv --ui
    \b
    From one pipe into another:
      tail -f bids.csv | snapeq live shop.sql -s Bid=- \\
        -q 'dear=SELECT * FROM Bid WHERE price > 9' -o dear=-
    \b
    With a state it can be killed at any time, and the same command goes on:
      snapeq live shop.sql -s Bid=tcp:7001 --results out --state state

    Lines are CSV whose first line names the columns, or JSON objects. Streams without --stream are posted to
    /api/streams/NAME. Queries come and go by the API or at the prompt. A bad line is counted and set aside. Only this
    machine can connect, unless --listen names another address; then a token is needed. See docs/live.md.
    """
    from equivalence.command.live_system import LiveOptions, start_live
    from physical.live.ports import Address
    from physical.live.settings import Limits, Settings

    address = Address.of(listen, "--listen")
    options = LiveOptions(
        catalog, tuple(query or ()), tuple(stream or ()), tuple(out or ()), results, address,
        _token(token, address), ui, Settings(engine, strategy, slack, batch),
        Limits(line_bytes, connections, memory << 20, replay), optimize, state, checkpoint, sync, finish, bad,
        tuple(functions or ()), idle,
    )  # fmt: skip
    with start_live(options) as run:
        _describe(run, options.ui, ui_token=options.token)
        _wait(run, _prompt_wanted(prompt, run))
    _report(run)


def _token(given: str | None, address: "Address") -> str:
    """The token that was given, or one that is made up where others can connect."""
    if given is None:
        return "" if address.is_local else secrets.token_urlsafe(16)
    if (given or not address.is_local) and not TOKEN.fullmatch(given):
        raise SnapeqError(f"--token {given!r}: expected letters, digits, and any of - _ . ~ + / =")
    return given


def _describe(run: "LiveRun", ui: bool, ui_token: str) -> None:
    """Where everything is, on stderr: stdout may carry results."""
    for line in run.description():
        warn(f"snapeq: {line}")
    if ui_token:
        warn(f"snapeq: token {ui_token}")
    if ui:
        suffix = f"/?token={ui_token}" if ui_token else "/"
        warn(f"snapeq: watch at http://{run.server.address}{suffix}")


def _prompt_wanted(prompt: bool | None, run: "LiveRun") -> bool:
    if prompt and run.uses_stdin:
        raise SnapeqError("--prompt: stdin carries a stream; expected no --stream NAME=-")
    return sys.stdin.isatty() and not run.uses_stdin if prompt is None else prompt


def _wait(run: "LiveRun", prompt: bool) -> None:
    if prompt:
        from equivalence.command.live_prompt import Prompt

        Prompt(run.api, run.stopping).start()
    with _signals(run.stopping):
        run.wait()


@contextmanager
def _signals(stopping: Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the system in order."""
    import signal
    from threading import current_thread, main_thread

    if current_thread() is not main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stopping.set()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _report(run: "LiveRun") -> None:
    """What came and went; an error of the system is the command's."""
    for line in run.summary():
        warn(f"snapeq: {line}")
    if run.broken_pipe:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if run.error is not None:
        warn(f"snapeq: {run.error}")
    if run.error is not None or (run.options.finish and run.watch.problems):  # a source that is wrong was reported
        raise typer.Exit(BAD_INPUT)
