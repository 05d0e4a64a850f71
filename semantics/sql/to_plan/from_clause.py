"""FROM: streams with their windows, joins, and comma joins that take their conditions from WHERE."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlglot import exp

from semantics import plan as op
from semantics.expression import Expression, Now, Ref, refs
from semantics.plan import Plan
from semantics.sql.errors import wrong
from semantics.sql.grammar.nodes import Chain, Item, Joining
from semantics.sql.to_plan.conjunctions import conjunction
from semantics.sql.to_plan.expressions import Expressions
from semantics.sql.to_plan.named_streams import stream, time_column
from semantics.sql.to_plan.visible_columns import Context, Entry, Outer, Rows, same
from semantics.sql.to_plan.windows import windowed
from semantics.value import Type

JOINS: Final[dict[str, Callable[[Plan, Plan, Expression], Plan]]] = {
    "INNER": op.Join,
    "LEFT": op.LeftJoin,
    "RIGHT": op.RightJoin,
    "FULL": op.FullJoin,
    "SEMI": op.Semijoin,
    "ANTI": op.Antijoin,
}


@dataclass(frozen=True)
class Part:
    """A plan and what its columns are called."""

    plan: Plan
    entries: list[Entry]

    def beside(self, other: "Part") -> list[Entry]:
        """The columns of both, side by side."""
        return [*self.entries, *(entry.shifted(len(self.plan.schema)) for entry in other.entries)]


def item(node: Item, context: Context) -> Part:
    """One stream or query with its window; the window is the topmost operator (Section 5.1)."""
    plan, name = stream(node, context)
    alias = node.args.get("alias")
    table = alias.name if alias else name
    entries = [Entry(table, c.name, i, c.type) for i, c in enumerate(plan.schema.columns)]
    time = time_column(node, table, context)
    if time is not None:
        plan = _with_time(plan, time)
        entries.append(Entry(table, time, len(entries), Type.INT, starred=False))
    window = node.args.get("window")
    return Part(windowed(plan, window, entries, context.catalogue) if window else plan, entries)


def _with_time(plan: Plan, name: str) -> Plan:
    """μ_{…, now}: over a raw stream now is the value of the time column."""
    return op.Map(plan, (*_columns(plan), Now()), (*plan.schema.names, name))


def chain(node: Chain, context: Context) -> Part:
    """An item and what is joined to it, from left to right."""
    made = item(node.this, context)
    aliases = [made.entries[0].table]
    for joining in node.expressions:
        right = item(joining.this, context)
        check_alias(aliases, right.entries[0].table, joining.this)
        made = _joined(made, right, joining, context)
        aliases.append(right.entries[0].table)
    return made


def _joined(left: Part, right: Part, node: Joining, context: Context) -> Part:
    kind = node.args["kind"]
    if kind in ("SEMI", "ANTI"):
        condition = _on(left, right, node, context)
        return Part(JOINS[kind](left.plan, right.plan, condition), left.entries)
    right = apart(left.plan.schema.names, right)
    if kind == "CROSS":
        return Part(op.Product(left.plan, right.plan), left.beside(right))
    return Part(JOINS[kind](left.plan, right.plan, _on(left, right, node, context)), left.beside(right))


def _on(left: Part, right: Part, node: Joining, context: Context) -> Expression:
    def refused(nested: exp.Expr, _: object) -> Expression:
        raise wrong(nested, "a subquery cannot stand in ON of an outer join", "subqueries in WHERE, HAVING or SELECT")

    seen = Rows(left.plan, left.beside(right), context, None)
    return Expressions(seen, refused).predicate(node.args["on"])


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


def renamed(plan: Plan, names: list[str]) -> Plan:
    return op.Map(plan, _columns(plan), tuple(names))


def _columns(plan: Plan) -> tuple[Ref, ...]:
    return tuple(Ref(i, t) for i, t in enumerate(plan.schema.types))


def fresh(name: str, taken: set[str]) -> str:
    """A name that is not taken, as close to this one as can be.

    >>> fresh("x", {"x", "x_2"})
    'x_3'
    """
    numbered = (f"{name}_{i}" for i in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def check_alias(aliases: list[str], alias: str, node: exp.Expr) -> None:
    if alias and any(same(other, exp.Identifier(this=alias, quoted=False)) for other in aliases):
        raise wrong(node, f"{alias} stands twice in FROM", "an alias that differs from the others")


def product_of(parts: list[Part], conditions: list[Expression]) -> tuple[Plan, list[Expression]]:
    """Parts joined from left to right, each condition at the first join that has its columns; the others are left."""
    plan, rest = parts[0].plan, list(conditions)
    for part in parts[1:]:
        here = len(plan.schema)
        width = here + len(part.plan.schema)
        links = [condition for condition in rest if _links(condition, here, width)]
        rest = [condition for condition in rest if condition not in links]
        plan = op.Join(plan, part.plan, conjunction(links)) if links else op.Product(plan, part.plan)
    return plan, rest


def _links(condition: Expression, here: int, width: int) -> bool:
    """Does a condition need the columns from here on, some before them, and none beyond the width?"""
    positions = [ref.index for ref in refs(condition)]
    return bool(positions) and min(positions) < here <= max(positions) < width


def parts_of(chains: list[Chain], context: Context, outer: Outer | None) -> list[Part]:
    """What FROM multiplies: the outer values that are needed, if any, and what stands between the commas."""
    parts = [Part(outer.domain, [])] if outer and outer.domain else []
    aliases: list[str] = []
    taken = [name for part in parts for name in part.plan.schema.names]
    for node in chains:
        made = chain(node, replace(context, beyond=outer.stage) if outer else context)
        for alias in dict.fromkeys(entry.table for entry in made.entries):
            check_alias(aliases, alias, node)
            aliases.append(alias)
        parts.append(apart(taken, made))
        taken += parts[-1].plan.schema.names
    return parts
