"""`snapeq conform`: is an engine right?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from equivalence.commands.terminal import (
    FALLS_SHORT,
    HOLDS,
    AsJson,
    HtmlFile,
    JUnitFile,
    Seed,
    needed,
    print_columns,
    print_json,
    working,
    write_file,
)


def conform_command(
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="A name, or package.module:object.")],
    cases: Annotated[int, typer.Option(min=1, help="How many cases for every operator.")] = 200,
    seed: Seed = 0,
    gaps: Annotated[Path | None, typer.Option(metavar="FILE", help="Known gaps of the engine, which you own.")] = None,
    junit: JUnitFile = None,
    html: HtmlFile = None,
    as_json: AsJson = False,
) -> None:
    """Is an engine right? The conformance suite: a matrix operator × verdict, and the smallest case of each fault.

    \b
    Examples:
      snapeq conform interval
      snapeq conform mypackage.engine:Engine --cases 500 --junit report.xml

    An engine is any object with name, supports(plan) and run(plan, sources); of a class, one is made. Exit code 0 if
    it is right wherever it was tried, 1 if not.
    """
    from equivalence.engines import load_engine

    loaded = load_engine(engine)
    suite = needed("equivalence.conform", "conform", "conformance suite")
    if gaps is not None:
        gaps.read_bytes()  # a file that cannot be read is bad input, however late the suite would look at it
    with working(f"checking {loaded.name}"):
        result = suite(loaded, cases=cases, seed=seed, gaps=gaps)
    print_json(result.to_json()) if as_json else _print(result)
    _write(result, engine, junit, html)
    raise typer.Exit(HOLDS if result.holds else FALLS_SHORT)


def _print(result: Any) -> None:
    from equivalence.report.text import explain

    print_columns((operator, str(verdict)) for operator, verdict in result.matrix.items())
    for finding in result.findings:
        typer.echo(f"\n{finding.name}\n{finding.text}")
        if finding.counterexample is not None:
            typer.echo(explain(finding.counterexample))
    typer.echo("\nit conforms" if result.holds else "\nit does not conform")


def _write(result: Any, engine: str, junit: Path | None, html: Path | None) -> None:
    from equivalence.report.html import page
    from equivalence.report.junit import Judged
    from equivalence.report.junit import junit as as_junit
    from equivalence.verdict import Verdict

    found = [Judged(f.name, Verdict("refuted", {}, f.counterexample), f.text) for f in result.findings]
    held = [Judged(name, Verdict(kind)) for name, kind in result.matrix.items() if kind in ("agreed", "proved")]
    if junit is not None:
        write_file(junit, as_junit(f"conform {engine}", held + found))
    if html is not None:
        write_file(html, page(f"snapeq conform {engine}", held + found))
