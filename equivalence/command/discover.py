"""`snapeq discover`: which equivalences of small plans are there?"""

from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.extras import needing_solvers
from equivalence.command.terminal import HOLDS, AsJson, print_json, tracked
from semantics import Unsupported
from semantics.how_many import how_many

if TYPE_CHECKING:
    from equivalence.discovery import Discovered
    from equivalence.discovery.basis import Equation

MOST_CANDIDATES = 10_000
"""More than there are: of plans with three operators about 4,900."""


def discover_command(
    operators: Annotated[int, typer.Option(metavar="N", min=1, max=3, help="The most operators of a plan.")] = 2,
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="The most candidates to look at, the smallest first.")
    ] = MOST_CANDIDATES,
    steps: Annotated[bool, typer.Option("--steps", help="Print the steps of each proof.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find all equivalences of small plans over σ, μ, δ, ∪, −, × and time windows, and prove them.

    Plans that random streams do not tell apart are proved equal for all streams, predicates, functions and window
    sizes, or refuted. What follows from rules already found is dropped, so that a basis is left. Among plans of two
    operators are some larger ones: an operator on both sides of a binary one, and windows of windows without
    duplicates. Among plans of three operators are about 4,900 candidates, which take three or four minutes. When it is
    interrupted, what was found until then is printed.

        snapeq discover --operators 3
    """
    with needing_solvers("discovery of rules"):
        from equivalence.discovery import discover
    try:
        found = discover(operators, most, tracked)
    except KeyboardInterrupt:
        raise Unsupported("discover: interrupted before the first candidate was looked at: nothing is found") from None
    if as_json:
        print_json(_document(found))
    else:
        _print(found, steps)
    raise typer.Exit(HOLDS)


def _document(found: "Discovered") -> dict[str, object]:
    return {
        "schemes": found.schemes,
        "basis": [{"rule": _text(equation), "steps": list(proof.steps)} for equation, proof in found.basis],
        "refuted": [_text(equation) for equation in found.refuted],
        "undecided": [_text(equation) for equation in found.undecided],
        "derived": found.derived,
        "not looked at": found.left,
        "paper": found.paper,
        "beyond the paper": [_text(equation) for equation in found.beyond_the_paper],
    }


def _print(found: "Discovered", steps: bool) -> None:
    basis = how_many(len(found.basis), "rule")
    typer.echo(f"{how_many(found.schemes, 'plan')}; a basis of {basis}, others that follow from it: {found.derived}")
    if found.left:
        typer.echo(f"({found.left} larger candidates were not looked at)")
    for equation, proof in found.basis:
        typer.echo(f"  {_text(equation)}")
        for step in proof.steps if steps else ():
            typer.echo(f"      {step}")
    _list("these look true and are refuted", found.refuted)
    _list("these are neither proved nor refuted", found.undecided)
    typer.echo(f"rules of the paper that follow: {', '.join(name for name, known in found.paper.items() if known)}")
    _list("rules about windows that do not follow from the paper's", found.beyond_the_paper)


def _list(title: str, equations: "tuple[Equation, ...] | list[Equation]") -> None:
    if equations:
        typer.echo(f"{title}:")
        for equation in equations:
            typer.echo(f"  {_text(equation)}")


def _text(equation: "Equation") -> str:
    return f"{equation[0]} ≐ {equation[1]}"
