"""A part of FROM: a plan and what its columns are called, and names that do not clash."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from semantics.expression import Ref
from semantics.plan import Map, Plan
from semantics.sql.errors import wrong_names
from semantics.sql.grammar.nodes import Item
from semantics.sql.to_plan.visible_columns import Entry


@dataclass(frozen=True)
class Part:
    """A plan and what its columns are called."""

    plan: Plan
    entries: list[Entry]

    def beside(self, other: "Part") -> list[Entry]:
        """The columns of both, side by side."""
        return [*self.entries, *(entry.shifted(len(self.plan.schema)) for entry in other.entries)]


def named_columns(node: Item, plan: Plan, name: str, first: int = 0) -> list[Entry]:
    """The columns of an item of FROM from one on, called as its alias says, or as they are."""
    alias, columns = node.args.get("alias"), node.args.get("columns")
    own = plan.schema.columns[first:]
    if columns is not None and len(columns) != len(own):
        raise wrong_names(columns[0], len(columns), len(own))
    names = [one.name for one in columns] if columns else [column.name for column in own]
    table = alias.name if alias else name
    return [Entry(table, names[i], first + i, column.type) for i, column in enumerate(own)]


def apart(left: Sequence[str], right: Part) -> Part:
    """The right side with other names where the left has them too; people still call them what they were."""
    names = list(right.plan.schema.names)
    if not set(left) & set(names):
        return right
    taken = {*left, *names}
    for i, name in enumerate(names):
        if name in left:
            table = next((entry.table for entry in right.entries if entry.position == i), "")
            names[i] = fresh(f"{table}_{name}" if table else name, taken)
            taken.add(names[i])
    return replace(right, plan=renamed(right.plan, names))


def renamed(plan: Plan, names: Sequence[str]) -> Plan:
    """The same rows with other names."""
    return Map(plan, first_columns(plan, len(plan.schema)), tuple(names))


def first_columns(plan: Plan, number: int) -> tuple[Ref, ...]:
    """So many columns of a plan, as they are."""
    return tuple(Ref(i, plan.schema.types[i]) for i in range(number))


def fresh(name: str, taken: set[str]) -> str:
    """A name that is not taken, as close to this one as can be.

    >>> fresh("x", {"x", "x_2"})
    'x_3'
    """
    numbered = (f"{name}_{i}" for i in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
