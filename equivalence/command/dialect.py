"""`snapeq dialect`: what does an engine mean by its queries?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.dialect_option import Dialect as QueryDialect
from equivalence.command.on_spark import SparkTarget, engine_at
from equivalence.command.recorded_output import Kind
from equivalence.command.terminal import (
    FALLS_SHORT,
    HOLDS,
    UNSUPPORTED,
    AsJson,
    Command,
    InProcess,
    engine_of,
    print_json,
    working,
)

if TYPE_CHECKING:
    from equivalence.dialects.profile import Dialect


def dialect_command(
    engine: Annotated[str | None, typer.Argument(metavar="ENGINE", help="A name, or package.module:object.")] = None,
    command: Command = None,
    recordings: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="What an engine wrote that cannot be asked.")
    ] = None,
    kind: Kind = None,
    dialect: QueryDialect = None,
    proofs: Annotated[bool, typer.Option("--proofs", help="Show the probes of standard properties, too.")] = False,
    in_process: InProcess = False,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.01, help="Seconds for one probe.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What do an engine's windows, NULLs, ties and numbers mean? Inferred from few, chosen probes.

    \b
    Examples:
      snapeq dialect duckdb
      snapeq dialect --command 'node my_engine.js' --proofs
      snapeq dialect --recordings theirs

    Every property has named alternatives, each of which predicts the answers to probes, computed on the reference. The
    probe that tells most among what is still possible is asked next. What is not standard is marked `!` and shown with
    the query and the rows that prove it; what the engine cannot be asked is marked `?`.

    With --recordings, nobody is asked: every folder in FOLDER is a recording, with `query.sql`, a file for each stream
    by its name, such as Bid.csv, and the output, such as output.jsonl, as `snapeq check` reads them; --as and --dialect
    say more of all of them. Told are the properties that they can show.

    To differ from the standard is no fault: `snapeq conform` judges. Exit code 0 if all that the engine supports has a
    name, 1 if some answer fits no known alternative, 3 if the engine supports none of the probes, or the
    recordings show none of the properties.
    """
    if recordings is not None or kind is not None or dialect is not None:
        found = _by_recordings(recordings, engine or command, kind, dialect)
    else:
        found = _asked(engine, command, time_limit, in_process)
    if as_json:
        print_json(found.to_json())
    else:
        from equivalence.dialects.profile import page

        typer.echo(page(found, proofs))
    if not found.asked or not found.meanings:
        raise typer.Exit(UNSUPPORTED)
    raise typer.Exit(FALLS_SHORT if found.unforeseen else HOLDS)


def _asked(engine: str | None, command: str | None, time_limit: float | None, in_process: bool) -> "Dialect":
    if engine is None and command is None:
        raise typer.BadParameter("Missing argument 'ENGINE': expected an engine, --command or --recordings")
    from equivalence.conformance.subject.choose_subject import subject_of
    from equivalence.dialects.infer import infer_dialect

    name = engine_of(engine, command, otherwise="")
    chosen = engine_at(name, SparkTarget())
    with (
        working(f"asking {name}", in_a_pipe=True),
        subject_of(chosen, time_limit=time_limit, isolated=not in_process) as subject,
    ):
        return infer_dialect(subject)


def _by_recordings(folder: Path | None, engine: str | None, kind: str | None, dialect: str | None) -> "Dialect":
    if folder is None:
        raise typer.BadParameter("--as and --dialect are only for --recordings")
    if engine is not None:
        raise typer.BadParameter(f"expected an engine or --recordings, got both: {engine}, {folder}")
    from equivalence.command.dialect_of_recordings import dialect_by_recordings

    with working(f"reading {folder}"):
        return dialect_by_recordings(folder, kind, dialect)
