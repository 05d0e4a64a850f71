"""GROUP BY, aggregates and HAVING: what expressions can see once rows are grouped."""

from dataclasses import dataclass

from sqlglot import exp

from semantics.aggregate import COUNTS, Aggregate, CountRows
from semantics.expression import Coalesce, Constant, Expression, Ref
from semantics.plan import Aggregation, Grouping, LeftJoin, Map, Plan
from semantics.sql.constants import whole_number
from semantics.sql.errors import blaming, one_of, wrong
from semantics.sql.grammar.nodes import Block
from semantics.sql.to_plan.aggregate_calls import aggregate_calls, called
from semantics.sql.to_plan.called_aggregate import aggregate
from semantics.sql.to_plan.column_names import item_of, output_names
from semantics.sql.to_plan.conjunctions import conjunction
from semantics.sql.to_plan.expressions import Expressions, unwrapped
from semantics.sql.to_plan.part import Part, apart, fresh
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.subqueries.as_joins import links
from semantics.sql.to_plan.visible_columns import Outer, Rows, Stage
from semantics.value import NULL, Type


@dataclass(frozen=True)
class GroupKey:
    """What rows are grouped by: the expression as written, and its column before."""

    node: exp.Expr
    position: int


class Groups(Stage):
    """Groups of rows: outer values first, then the keys, then the aggregates."""

    def __init__(
        self, rows: Rows, plan: Plan, keys: list[GroupKey], calls: dict[int, int], absent: list[GroupKey]
    ) -> None:
        super().__init__(plan, rows.context, rows.outer)
        self.rows = rows
        self.carried = rows.outer.width if rows.outer else 0
        self.keys = keys
        self.calls = calls
        """The column of each call of an aggregate, by the call's identity."""
        self.absent = absent
        """Keys of other grouping sets: they are NULL here."""

    def known(self, node: exp.Expr) -> Expression | None:
        if id(node) in self.calls:
            return self._ref(self.carried + len(self.keys) + self.calls[id(node)])
        for i, key in enumerate(self.keys):
            if self._is_computed(key.node) and _form(key.node, self.rows) == _form(node, self.rows):
                return self._ref(self.carried + i)
        for key in self.absent:
            if self._is_computed(key.node) and _form(key.node, self.rows) == _form(node, self.rows):
                return Constant(NULL, self.rows.plan.schema.types[key.position])
        return self._grouping(node)

    def _is_computed(self, node: exp.Expr) -> bool:
        """Is it no column? What is written as one may be a field of a row."""
        return not isinstance(node, exp.Column) or self.rows.own(node) is None

    def _grouping(self, node: exp.Expr) -> Expression | None:
        """GROUPING(key, …): a bit for each key, 1 where it is not grouped by."""
        if not (isinstance(node, exp.Anonymous) and called(node).upper() in ("GROUPING", "GROUPING_ID")):
            return None
        bits = 0
        for argument in node.expressions:
            bits = 2 * bits + isinstance(Expressions(self, value_of).of(argument), Constant)
        return Constant(bits, Type.INT)

    def own(self, node: exp.Column) -> Expression | None:
        found = self.rows.own(node)
        if not isinstance(found, Ref):
            return None
        for i, key in enumerate(self.keys):
            if key.position == found.index:
                return self._ref(self.carried + i)
        if any(key.position == found.index for key in self.absent):
            return Constant(NULL, found.type)
        keys = [key.node.name or "the grouped expression" for key in self.keys]
        expected = one_of([*keys, f"an aggregate such as MAX({node.name})"])
        raise wrong(node, f"column {node.name} is neither grouped nor aggregated", expected)

    def visible(self) -> list[str]:
        return self.rows.visible()

    def _ref(self, position: int) -> Ref:
        return Ref(position, self.plan.schema.types[position])


def grouped(block: Block, rows: Rows, *, total: bool, chosen: list[int] | None = None) -> Groups:
    """The groups of a block's rows, with all aggregates that its SELECT and HAVING ask for.

    Of several grouping sets, one is chosen by the positions of its keys. The other keys are NULL in it.
    """
    clause = block.args.get("grouped")
    nodes = [_meant(node, block) for node in clause.expressions] if clause else []
    every = _keys(nodes, rows)
    picked = every if chosen is None else [every[i] for i in chosen]
    keys = list({key.position: key for key in reversed(picked)}.values())[::-1]
    calls, aggregates, names = _aggregates(block, rows, keys)
    always = total or (clause is not None and not keys)
    with blaming(block, "groups and aggregates with names that differ"):
        plan = _plan(rows, keys, aggregates, names, always)
    return Groups(rows, plan, keys, calls, [key for key in every if key.position not in {one.position for one in keys}])


def _meant(node: exp.Expr, block: Block) -> exp.Expr:
    """A key of GROUP BY: a whole number is the place of an item of SELECT."""
    plain = unwrapped(node)
    if not (isinstance(plain, exp.Literal) and plain.is_int):
        return node
    place, last = whole_number(plain, plain.name), len(block.expressions)
    if not 1 <= place <= last:
        raise wrong(node, f"SELECT has no column {place}", f"a number from 1 to {last}, or an expression")
    return item_of(block.expressions[place - 1])


def _keys(nodes: list[exp.Expr], rows: Rows) -> list[GroupKey]:
    """The keys as columns; those that are computed become new columns of the rows."""
    keys: list[GroupKey] = []
    for node in nodes:
        found = Expressions(rows, value_of).of(node)
        if isinstance(found, Ref):
            position = found.index
        else:
            position = rows.width
            rows.plan = _with_column(rows.plan, found)
        keys.append(GroupKey(unwrapped(node), position))
    return keys


def _form(node: exp.Expr, rows: Rows) -> exp.Expr:
    """An expression with positions for its columns, so that it does not matter how these are written."""

    def positioned(part: exp.Expr) -> exp.Expr:
        if isinstance(part, exp.Dot):
            row = part.this.transform(positioned)  # what has changed is not looked into
            return exp.Dot(this=row, expression=exp.Identifier(this=part.expression.name.lower()))
        if not isinstance(part, exp.Column):
            return part
        found, table = rows.own(part), part.args.get("table")
        if found is None and table is not None:  # a field of a row
            return positioned(exp.Dot(this=positioned(exp.Column(this=table)), expression=part.this))
        return exp.Placeholder(this=str(found.index)) if isinstance(found, Ref) else part

    return node.transform(positioned)


def _with_column(plan: Plan, expression: Expression) -> Plan:
    refs = tuple(Ref(i, type_) for i, type_ in enumerate(plan.schema.types))
    name = fresh("key", set(plan.schema.names))
    return Map(plan, (*refs, expression), (*plan.schema.names, name))


def _aggregates(block: Block, rows: Rows, keys: list[GroupKey]) -> tuple[dict[int, int], list[Aggregate], list[str]]:
    """Aggregates that stand alone in SELECT, one by one and with their names; then those inside expressions."""
    catalogue = rows.context.catalogue
    taken = {rows.plan.schema.names[key.position] for key in keys}
    calls: dict[int, int] = {}
    aggregates: list[Aggregate] = []
    names: list[str] = []

    def add(call: exp.Anonymous, made: Aggregate, name: str) -> None:
        calls[id(call)] = len(aggregates)
        aggregates.append(made)
        names.append(fresh(name, taken))
        taken.add(names[-1])

    def meaning(call: exp.Anonymous) -> Aggregate:
        return aggregate(call, Expressions(rows, value_of).of, catalogue)

    later = [clause for clause in (block.args.get("having"), block.args.get("qualify")) if clause]
    inside: list[exp.Anonymous] = []
    for node, name in zip(block.expressions, output_names(block.expressions), strict=True):
        found = list(aggregate_calls(node, catalogue))
        if found and found[0] is unwrapped(item_of(node)):
            add(found[0], meaning(found[0]), name)
        else:
            inside += found
    for call in [*inside, *(call for clause in later for call in aggregate_calls(clause, catalogue))]:
        made = meaning(call)
        if made in aggregates:
            calls[id(call)] = aggregates.index(made)
        else:
            add(call, made, called(call).lower())
    return calls, aggregates, names


def _plan(rows: Rows, keys: list[GroupKey], aggregates: list[Aggregate], names: list[str], always: bool) -> Plan:
    """γ over outer values and keys; α where there is nothing to group by."""
    outer = rows.outer
    positions = (*range(outer.width if outer else 0), *(key.position for key in keys))
    if not positions:
        made = aggregates or [CountRows()]  # an aggregation without aggregates would have no columns
        return Aggregation(rows.plan, tuple(made), tuple(names) or ("rows",), on_empty=always)
    plan = Grouping(rows.plan, positions, tuple(aggregates), tuple(names))
    return _total(plan, outer) if always and not keys and outer and outer.domain else plan


def _total(plan: Grouping, outer: Outer) -> Plan:
    """A row for every combination of outer values, also for those without any row: there COUNT is 0."""
    domain, width = outer.domain, outer.width
    assert domain is not None
    refs = [Ref(i, type_) for i, type_ in enumerate(domain.schema.types)]
    other = apart(domain.schema.names, Part(plan, []))
    joined = LeftJoin(domain, other.plan, conjunction(links(width, refs)))
    values = [_on_empty(one, Ref(2 * width + i, one.type)) for i, one in enumerate(plan.aggregates)]
    return Map(joined, (*refs, *values), plan.schema.names)


def _on_empty(aggregate: Aggregate, ref: Ref) -> Expression:
    return Coalesce((ref, Constant(0, Type.INT))) if isinstance(aggregate, COUNTS) else ref
