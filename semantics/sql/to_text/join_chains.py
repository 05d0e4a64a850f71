"""Chains of joins as text: which parts they have, and what these and their columns are called there."""

from collections.abc import Sequence

from semantics import plan as op
from semantics.plan import Plan
from semantics.sql.names import name_text
from semantics.sql.to_text.windows import Window

Joined = op.Product | op.Join | op.LeftJoin | op.RightJoin | op.FullJoin | op.Semijoin | op.Antijoin


def joins(plan: Plan) -> list[Joined]:
    """The joins of a chain, the innermost first."""
    return [*joins(plan.left), plan] if isinstance(plan, Joined) else []


def chain_of(plan: Plan) -> list[Plan]:
    return [*chain_of(plan.left), plan.right] if isinstance(plan, Joined) else [plan]


def aliases(chain: Sequence[Plan]) -> list[str]:
    """A name for each part of a chain: a stream's own if it stands there first, else a new one."""
    if len(chain) == 1:
        return [""]
    streams = [_stream_name(part) for part in chain]
    own = {name: i for i, name in reversed(list(enumerate(streams))) if name}
    free = (f"q{n}" for n in range(1, 2 * len(chain) + 1) if f"q{n}" not in {name.lower() for name in streams})
    return [name if name and _first(own, name) == i else next(free) for i, name in enumerate(streams)]


def _first(own: dict[str, int], name: str) -> int:
    return min(i for other, i in own.items() if other.lower() == name.lower())


def _stream_name(plan: Plan) -> str:
    """The name of the stream that stands in FROM by its name, as it is or under a window."""
    if isinstance(plan, Window):
        plan = plan.input
    return plan.name if isinstance(plan, op.Source) else ""


def columns(plan: Plan, alias: str) -> list[tuple[str, str]]:
    return [(alias, name) for name in plan.schema.names]


def unambiguous(columns: Sequence[tuple[str, str]]) -> list[str]:
    """Every column's name, with its stream's before it where another one has the same."""
    names = [name.lower() for _, name in columns]
    return [
        name_text(name) if names.count(name.lower()) == 1 else f"{name_text(alias)}.{name_text(name)}"
        for alias, name in columns
    ]
