"""`snapeq protocol-check`: does an engine speak the protocol?"""

from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.terminal import FALLS_SHORT, HOLDS, AsJson, print_columns, print_json, working

if TYPE_CHECKING:
    from equivalence.protocol.step import ProtocolReport


def protocol_check_command(
    command: Annotated[str, typer.Option("--command", metavar="COMMAND", help="What starts the engine.")],
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.01, help="Seconds for one answer.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Does an engine in any language speak the protocol of docs/protocol.md? For its author, step by step.

    \b
    Example:
      snapeq protocol-check --command 'node my_engine.js'

    Each step that goes wrong is shown with the line that was sent, the line that came, and what was expected. Whether
    the engine's results are right is another question, for `snapeq conform --command`. Exit code 0 if all steps that
    apply are right, 1 if not, 2 if the command cannot be started.
    """
    from equivalence.conformance.subject.by_command.command_subject import COMMAND_TIME_LIMIT
    from equivalence.protocol.check_protocol import check_protocol

    with working("asking"):
        report = check_protocol(command, COMMAND_TIME_LIMIT if time_limit is None else time_limit)
    if as_json:
        print_json(report.to_json())
    else:
        _print(report)
    raise typer.Exit(HOLDS if report.holds else FALLS_SHORT)


def _print(report: "ProtocolReport") -> None:
    print_columns((step.name, step.outcome, step.why if step.outcome == "skipped" else "") for step in report.steps)
    for step in report.wrong:
        shown = [("expected", step.expected), ("sent", step.sent), ("got", step.got), ("wrong", step.why)]
        typer.echo(f"\n{step.name}")
        typer.echo("\n".join(f"  {label}: {text}" for label, text in shown if text))
    asked = [step for step in report.steps if step.outcome != "skipped"]
    right = len(asked) - len(report.wrong)
    typer.echo(f"\n{report.engine}: {right} of {len(asked)} steps are right")
