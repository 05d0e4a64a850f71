"""How commands say where two results differ."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from equivalence.command.terminal import FALLS_SHORT, HOLDS, print_json
from semantics import Multiset
from semantics.how_many import how_many
from semantics.notation.show_expression import show_row

if TYPE_CHECKING:
    from equivalence.query_files.compare_files import ResultDifference

ROWS_PRINTED = 20
ROWS_IN_JSON = 1000
"""Of each snapshot."""


def end_with_difference(
    difference: "ResultDifference | None",
    names: tuple[str, str],
    as_json: bool,
    plans: list[str],
    show: Callable[[int], str] = str,
) -> None:
    """Print where two results differ, if they do, and end the command with the exit code for that."""
    if as_json:
        print_json(document(difference, names, plans))
    else:
        typer.echo("\n".join(lines(difference, names, show)))
    raise typer.Exit(HOLDS if difference is None else FALLS_SHORT)


def document(difference: "ResultDifference | None", names: tuple[str, str], plans: list[str]) -> dict[str, Any]:
    """The verdict as the document that the interface promises."""
    evidence = {"how": "compared", "left": names[0], "right": names[1]}
    if difference is None:
        return {"verdict": "agreed", "evidence": evidence, "counterexample": None}
    left, right = (_json_rows(side) for side in (difference.left, difference.right))
    sizes = dict(zip(("left_rows", "right_rows"), difference.sizes, strict=True))
    case = {"streams": {}, "plans": plans, "instant": difference.instant, "left": left, "right": right}
    return {"verdict": "refuted", "evidence": {**evidence, **sizes}, "counterexample": case}


def lines(difference: "ResultDifference | None", names: tuple[str, str], show: Callable[[int], str] = str) -> list[str]:
    """The verdict, the first wrong instant and both snapshots; `show` writes an instant."""
    if difference is None:
        return ["AGREED: at every instant both hold the same"]
    text = [f"REFUTED: they differ first at instant {show(difference.instant)}"]
    sides = ((difference.left, difference.right), (difference.right, difference.left))
    for name, size, (mine, theirs) in zip(names, difference.sizes, sides, strict=True):
        text.append(f"{name} holds {how_many(size, 'row')} there")
        text += [f"  {'≠' if mine[row] != theirs[row] else ' '} {line}" for row, line in _marked_rows(mine, theirs)]
    return text


def _marked_rows(mine: Multiset, theirs: Multiset) -> list[tuple[Any, str]]:
    """Rows with their counts, first those that the other side has differently often."""
    ordered = sorted(mine.items(), key=lambda item: item[1] == theirs[item[0]])
    shown = [(row, show_row(row) + (f"*{n}" if n > 1 else "")) for row, n in ordered[:ROWS_PRINTED]]
    return [*shown, *([((), f"… and {len(ordered) - ROWS_PRINTED} more")] if len(ordered) > ROWS_PRINTED else [])]


def _json_rows(rows: Multiset) -> list[list[Any]]:
    from semantics.notation.json_values import json_value

    listed: list[list[Any]] = []
    for row, n in rows.items():
        listed += [[json_value(value) for value in row]] * min(n, ROWS_IN_JSON - len(listed))
    return listed
