"""What the columns of a SELECT are called."""

from collections import Counter
from collections.abc import Sequence

from sqlglot import exp

from semantics.sql.errors import wrong
from semantics.sql.grammar.nodes import OverCall
from semantics.sql.to_plan.aggregate_calls import called
from semantics.sql.to_plan.expressions import unwrapped


def item_of(node: exp.Expr) -> exp.Expr:
    """An item of SELECT without its alias."""
    found: exp.Expr = node.this if isinstance(node, exp.Alias) else node
    return found


def output_names(items: Sequence[exp.Expr]) -> list[str]:
    """Names that are given stay, and columns keep theirs; a call is named after its function, the rest is numbered.

    Of columns with one name, all but the first are numbered, as in x, x_1. Names nobody gave are numbered further
    where they would clash.
    """
    aliases = {str(node.alias) for node in items if isinstance(node, exp.Alias)}
    columns = {name for node in items if (name := _given(node))}
    taken: set[str] = set()
    names = []
    for i, node in enumerate(items, 1):
        name = _given(node)
        if not name:
            base = _implied(node, i)
            others = (base, *(f"{base}_{k}" for k in range(2, len(items) + 3)))
            name = next(n for n in others if n not in columns | taken)
        elif name not in aliases:
            numbered = (name, *(f"{name}_{k}" for k in range(1, 2 * len(items) + 2)))
            name = next(n for n in numbered if n not in taken and (n == name or n not in columns))
        taken.add(name)
        names.append(name)
    return names


def check_names(items: Sequence[exp.Expr], names: Sequence[str]) -> None:
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        node = [item for item, name in zip(items, names, strict=True) if name == twice[0]][-1]
        raise wrong(node, f"two columns are called {twice[0]}", "another name, given by AS")


def _given(node: exp.Expr) -> str:
    """The alias of an item, or the name of the column that it is."""
    if isinstance(node, exp.Alias):
        return str(node.alias)
    node = unwrapped(node)
    if isinstance(node, exp.Dot):
        return str(node.expression.name)
    return str(node.name) if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star) else ""


def _implied(node: exp.Expr, number: int) -> str:
    node = unwrapped(node)
    node = node.this if isinstance(node, OverCall) else node
    return called(node).lower() if isinstance(node, exp.Anonymous) else f"column_{number}"
