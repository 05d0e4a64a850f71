"""`snapeq replay`: run a saved counterexample again."""

from pathlib import Path
from typing import Annotated

import typer

from equivalence.command.show_verdict import exit_code, save_counterexample, show_verdict
from equivalence.command.terminal import AsJson, Command, InProcess, TestFile, check_writable, engine_of, working


def replay_command(
    case: Annotated[Path, typer.Argument(metavar="CASE.json", help="What `snapeq equiv --save` wrote.")],
    engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="The engine to run; a name or package.module:object.")
    ] = None,
    command: Command = None,
    in_process: InProcess = False,
    as_json: AsJson = False,
    test: TestFile = None,
) -> None:
    """Run a saved counterexample again: two plans by the reference, or the reference and an engine.

    \b
    Example:
      snapeq equiv 'S(x int) | distinct' 'S(x int)' --save case.json
      snapeq replay case.json

    Exit code 1 if the sides still differ, 0 if they no longer do, 2 if the file cannot be read. A file may name one of
    the built-in engines; any other has to be named here, because naming it means running it.
    """
    from equivalence.conformance.subject.load import EngineError
    from equivalence.report.replay import replay
    from equivalence.verdicts.json.document import read_case
    from equivalence.verdicts.json.reading import read_json_file
    from physical.engine import ENGINES

    check_writable(test)
    saved = read_case(read_json_file(case))
    engine = engine_of(engine, command, otherwise="") or None
    if engine is None and saved.engine is not None and saved.engine not in ENGINES:
        raise EngineError(
            f"{case}: it is about the engine {saved.engine!r}; name it with --engine or --command to run it"
        )
    name = engine or saved.engine
    with working("running"):
        verdict = replay(saved, name, isolated=not in_process)
    show_verdict(verdict, as_json)
    save_counterexample(verdict, None, test, name)
    raise typer.Exit(exit_code(verdict))
