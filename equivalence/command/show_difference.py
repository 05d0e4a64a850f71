"""How commands say where two results differ."""

from typing import TYPE_CHECKING, Any

import typer

from equivalence.command.terminal import FALLS_SHORT, HOLDS, print_json
from semantics import Multiset
from semantics.notation.show_expression import show_row

if TYPE_CHECKING:
    from equivalence.command.query_files.comparison import Difference

MOST_ROWS = 20
"""Rows of a snapshot that are printed."""


def end_with(found: "Difference | None", names: tuple[str, str], as_json: bool, plans: list[str]) -> None:
    """Print what was found, and end with the exit code that says it."""
    if as_json:
        print_json(document(found, names, plans))
    else:
        typer.echo("\n".join(lines(found, names)))
    raise typer.Exit(HOLDS if found is None else FALLS_SHORT)


def document(found: "Difference | None", names: tuple[str, str], plans: list[str]) -> dict[str, Any]:
    """A verdict as promised: of the snapshots as many rows as are printed."""
    evidence = {"how": "compared", "left": names[0], "right": names[1]}
    if found is None:
        return {"verdict": "agreed", "evidence": evidence, "counterexample": None}
    left, right = (_listed(side) for side in (found.left, found.right))
    sizes = dict(zip(("left_rows", "right_rows"), found.sizes, strict=True))
    case = {"streams": {}, "plans": plans, "instant": found.instant, "left": left, "right": right}
    return {"verdict": "refuted", "evidence": {**evidence, **sizes}, "counterexample": case}


def lines(found: "Difference | None", names: tuple[str, str]) -> list[str]:
    """The verdict, the first wrong instant and both snapshots."""
    if found is None:
        return ["AGREED: at every instant both hold the same"]
    text = [f"REFUTED: they differ first at instant {found.instant}"]
    sides = ((found.left, found.right), (found.right, found.left))
    for name, size, (mine, theirs) in zip(names, found.sizes, sides, strict=True):
        text.append(f"{name} holds {size} rows there")
        text += [f"  {'≠' if mine[row] != theirs[row] else ' '} {line}" for row, line in _shown(mine, theirs)]
    return text


def _shown(mine: Multiset, theirs: Multiset) -> list[tuple[Any, str]]:
    """Rows with their counts, first those that the other side has differently often."""
    ordered = sorted(mine.items(), key=lambda item: item[1] == theirs[item[0]])
    shown = [(row, show_row(row) + (f"*{n}" if n > 1 else "")) for row, n in ordered[:MOST_ROWS]]
    return [*shown, *([((), f"… and {len(ordered) - MOST_ROWS} more")] if len(ordered) > MOST_ROWS else [])]


def _listed(rows: Multiset) -> list[list[Any]]:
    from semantics.notation.json_values import json_value

    found: list[list[Any]] = []
    for row, n in rows.items():
        found += [[json_value(value) for value in row]] * min(n, 1000 - len(found))
    return found
