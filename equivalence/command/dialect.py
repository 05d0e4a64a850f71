"""`snapeq dialect`: what does an engine mean by its queries?"""

from typing import Annotated

import typer

from equivalence.command.on_spark import SparkTarget, engine_at
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


def dialect_command(
    engine: Annotated[str | None, typer.Argument(metavar="ENGINE", help="A name, or package.module:object.")] = None,
    command: Command = None,
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

    Every property has named alternatives, each of which predicts the answers to probes, computed on the reference. The
    probe that tells most among what is still possible is asked next. What is not standard is marked `!` and shown with
    the query and the rows that prove it; what the engine cannot be asked is marked `?`.

    To differ from the standard is no fault: `snapeq conform` judges. Exit code 0 if all that the engine supports has a
    name, 1 if some answer fits no known alternative, 3 if the engine supports none of the probes.
    """
    if engine is None and command is None:
        raise typer.BadParameter("Missing argument 'ENGINE': expected an engine or --command")
    from equivalence.conformance.subject.choose_subject import subject_of
    from equivalence.dialects.infer import infer_dialect
    from equivalence.dialects.profile import page

    name = engine_of(engine, command, otherwise="")
    chosen = engine_at(name, SparkTarget())
    with (
        working(f"asking {name}", in_a_pipe=True),
        subject_of(chosen, time_limit=time_limit, isolated=not in_process) as subject,
    ):
        found = infer_dialect(subject)
    if as_json:
        print_json(found.to_json())
    else:
        typer.echo(page(found, proofs))
    if not found.asked:
        raise typer.Exit(UNSUPPORTED)
    raise typer.Exit(FALLS_SHORT if found.unforeseen else HOLDS)
