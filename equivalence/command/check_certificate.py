"""`snapeq check-certificate`: is a file a proof that two plans are equivalent?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equivalence.command.extras import needing_solvers
from equivalence.command.terminal import working
from semantics import SnapeqError
from semantics.how_many import how_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semantics.constraint import Constraint


def check_certificate_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `snapeq equiv --certificate` wrote.")],
    q1: Annotated[str | None, typer.Argument(metavar="[Q1", help="The query that the left plan must be.")] = None,
    q2: Annotated[str | None, typer.Argument(metavar="Q2]", help="The query that the right plan must be.")] = None,
    catalog: Annotated[Path | None, typer.Option(metavar="FILE", help="Streams and tables that SQL may use.")] = None,
    dialect: Annotated[str | None, typer.Option(metavar="NAME", help="Whose SQL the queries are.")] = None,
) -> None:
    """Is a file a proof that two plans are equivalent? VALID, or REFUSED with the reason.

    \b
    Example:
      snapeq equiv Q1 Q2 --by prove --certificate proof.json
      snapeq check-certificate proof.json Q1 Q2

    The checker shares nothing with the search for proofs, and asks no solver about the steps. It writes the leaves
    anew, and z3 and cvc5 must both find them unsatisfiable. Exit code 0 if valid, 1 if refused, 2 if the file or a
    query cannot be read.
    """
    from equivalence.certificates.checker.check import closed
    from equivalence.certificates.checker.terms import Refused
    from equivalence.verdicts.json.reading import read_json_file
    from semantics.notation.read_json_plans import plan_from_json
    from semantics.notation.show import show

    if (q1 is None) != (q2 is None):
        raise SnapeqError("Missing argument 'Q2': expected two queries, or none")
    written: Any = read_json_file(file)
    with needing_solvers("prover"):
        from equivalence.certificates.leaf_solvers import names, unsatisfiable
    try:
        with working("checking"):
            checked = closed(written, unsatisfiable)
            if q1 is not None and q2 is not None:
                _tie(written, q1, q2, catalog, dialect or "")
    except Refused as reason:
        typer.echo(f"REFUSED: {reason}")
        raise typer.Exit(1) from None
    solved = f"{how_many(len(checked.leaves), 'leaf')} (unsatisfiable for {' and '.join(names())})"
    typer.echo(f"VALID: {how_many(checked.lemmas, 'lemma')}, {solved if checked.leaves else 'no leaves'}")
    for name in ("left", "right"):
        typer.echo(f"{name:>5}: {show(plan_from_json(written[name]))}")
    for constraint in written["constraints"]:
        typer.echo(f"assumed: {_words(constraint)}")


def _words(constraint: dict[str, Any]) -> str:
    parts = [f"{name} {', '.join(v) if isinstance(v, list) else v}" for name, v in constraint.items() if name != "kind"]
    return f"{constraint['kind']} ({'; '.join(parts)})"


def _tie(written: dict[str, Any], q1: str, q2: str, catalog: Path | None, dialect: str) -> None:
    """Refused if the certificate is about other plans, or assumes what is not declared."""
    from equivalence.certificates.checker.terms import Refused
    from equivalence.certificates.write import constraint_to_json
    from equivalence.command.equiv import Effort, read_question
    from semantics.notation.json_plans import plan_to_json

    question = read_question(q1, q2, catalog, dialect, Effort(None, 0, 0, None))
    for name, plan in (("left", question.left), ("right", question.right)):
        if written[name] != plan_to_json(plan):
            raise Refused(f"the {name} plan is not that of the query")
    allowed = [constraint_to_json(c) for c in _following(question.constraints)]
    for constraint in written["constraints"]:
        if constraint not in allowed:
            raise Refused(f"it assumes what is not declared: {_words(constraint)}")


def _following(declared: "Sequence[Constraint]") -> "list[Constraint]":
    """What is declared, and that columns of a key are not NULL."""
    from semantics.constraint import Key, NotNull, Once

    return [*declared, *(NotNull(c.source, c.columns) for c in declared if isinstance(c, Key | Once))]
