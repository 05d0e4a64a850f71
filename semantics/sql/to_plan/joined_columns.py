"""NATURAL and USING: joins on columns of the same name, which are one column behind the join.

A column that is merged can be named without a stream. With one, `A.k` and `B.k` are what they are on their side. In
`SELECT *` the merged columns come first and once, then the others of the left side, then those of the right.
"""

from collections.abc import Sequence

from sqlglot import exp

from semantics.expression import Coalesce, Comparison, Expression, Ref
from semantics.plan import Map, Plan
from semantics.sql.errors import blaming, one_of, wrong
from semantics.sql.grammar.nodes import Joining
from semantics.sql.to_plan.part import Part, fresh
from semantics.sql.to_plan.visible_columns import Entry, matching, unqualified


def shared_columns(left: Part, right: Part, node: Joining) -> list[tuple[Entry, Entry]]:
    """The pairs of columns that a join with NATURAL or USING is on; USING needs each name once on either side."""
    names = node.args.get("using") or []
    if node.args.get("natural"):
        theirs = {entry.name.lower() for entry in unqualified(right.entries) if entry.starred}
        mine = [entry.name for entry in unqualified(left.entries) if entry.starred]
        common = [name for name in mine if name.lower() in theirs]
        names = [_identifier(name, node) for name in dict.fromkeys(common)]
    return [(_only(left, name, "left"), _only(right, name, "right")) for name in names]


def equations(pairs: Sequence[tuple[Entry, Entry]], width: int, node: exp.Expr) -> list[Expression]:
    """Both columns of each pair are equal; the right side begins at this width."""
    with blaming(node, "columns of one type; INT and FLOAT go together"):
        return [Comparison("=", mine.ref, theirs.shifted(width).ref) for mine, theirs in pairs]


def merged(plan: Plan, entries: list[Entry], pairs: Sequence[tuple[Entry, Entry]], width: int, kind: str) -> Part:
    """The joined plan with one column for each pair; a full join takes whichever side there is."""
    theirs = [right.shifted(width) for _, right in pairs]
    own = [left for left, _ in pairs]
    chosen = theirs if kind == "RIGHT" else own
    if kind == "FULL":
        plan, chosen = _coalesced(plan, own, theirs)
    first = [Entry("", left.name, one.position, one.type) for left, one in zip(own, chosen, strict=True)]
    hidden = {entry.position for entry in (*own, *theirs)}
    return Part(plan, [*first, *(entry.behind() if entry.position in hidden else entry for entry in entries)])


def _coalesced(plan: Plan, own: list[Entry], theirs: list[Entry]) -> tuple[Plan, list[Entry]]:
    refs = [Ref(i, type_) for i, type_ in enumerate(plan.schema.types)]
    values = [Coalesce((mine.ref, other.ref)) for mine, other in zip(own, theirs, strict=True)]
    names = list(plan.schema.names)
    for entry in own:
        names.append(fresh(entry.name, set(names)))
    made = Map(plan, (*refs, *values), tuple(names))
    return made, [Entry("", entry.name, len(refs) + i, values[i].type) for i, entry in enumerate(own)]


def _only(part: Part, name: exp.Identifier, side: str) -> Entry:
    found = matching(part.entries, exp.Column(this=name))
    if len(found) == 1:
        return found[0]
    if found:
        raise wrong(name, f"column {name.name} stands several times on the {side}", "ON, with the streams' names")
    there = dict.fromkeys(entry.name for entry in unqualified(part.entries))
    raise wrong(name, f"there is no column {name.name} on the {side}", one_of(there))


def _identifier(name: str, at: exp.Expr) -> exp.Identifier:
    made = exp.Identifier(this=name, quoted=True)
    made.meta.update(at.meta)
    return made
