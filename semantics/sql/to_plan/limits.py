"""ORDER BY … LIMIT and QUALIFY: the first rows of each snapshot, or of each of its groups."""

from collections.abc import Callable, Iterable
from typing import Final

from sqlglot import exp

from semantics.expression import Constant, Ref
from semantics.ordering import Ranking, SortKey
from semantics.plan import Filter, Limit, Map, Plan
from semantics.sql.constants import whole_number
from semantics.sql.errors import blaming, one_of, wrong
from semantics.sql.grammar.nodes import Block, Limited, Ranked, Sorted
from semantics.sql.to_plan.called_aggregate import sort_key
from semantics.sql.to_plan.expressions import Expressions, unwrapped
from semantics.sql.to_plan.part import fresh
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.visible_columns import Stage, same
from semantics.value import Type

FUNCTIONS: Final[dict[str, Ranking]] = {"ROW_NUMBER": "rows", "RANK": "rank", "DENSE_RANK": "dense"}


def limited_plan(node: Limited, plan_of: Callable[[exp.Expr], Plan], carried: int) -> Plan:
    """λ over a whole query. An order without a number of rows says nothing about which rows there are."""
    plan = plan_of(node.this)
    names = plan.schema.names[carried:]
    hidden = [item for item in node.expressions if _output_column(item.this, names) is None]
    wider = plan_of(_with_items(node.this, hidden, names)) if hidden else plan
    if node.args.get("count") is None and node.args.get("offset") is None:
        return plan
    columns = _numbered(node.expressions, names, carried)
    order = sort_keys(zip(node.expressions, columns, strict=True))
    ranking: Ranking = "rank" if node.args.get("ties") else "rows"
    first, stop = _whole(node.args.get("offset")) or 0, _whole(node.args.get("count"))
    with blaming(node, "LIMIT and OFFSET below 2⁶³"):
        kept = _kept(wider, first, stop, order, tuple(range(carried)), ranking)
    return _first_columns(kept, len(plan.schema)) if hidden else kept


def qualified(stage: Stage, ranked: Ranked) -> None:
    """λ over the rows or groups of a block, before SELECT picks columns."""
    carried = range(stage.outer.width if stage.outer else 0)
    keys = tuple(dict.fromkeys([*carried, *(column_of(stage, node) for node in ranked.args["partition"])]))
    columns = [column_of(stage, item.this) for item in ranked.expressions]
    order = sort_keys(zip(ranked.expressions, columns, strict=True))
    first, last = max(ranked.args["first"], 1), ranked.args["last"]
    count = None if last is None else last - first + 1
    with blaming(ranked, "places below 2⁶³"):
        stage.plan = _kept(stage.plan, first - 1, count, order, keys, FUNCTIONS[ranked.args["function"]])


def _kept(
    plan: Plan, offset: int, count: int | None, order: tuple[SortKey, ...], keys: tuple[int, ...], ranking: Ranking
) -> Plan:
    """λ, or nothing at all where no place is kept."""
    if count is not None and count < 1:
        return Filter(plan, Constant(False, Type.BOOL))
    return Limit(plan, count, order, keys, offset, ranking)


def column_of(stage: Stage, node: exp.Expr) -> int:
    """The column that holds an expression; one that is computed becomes a new column."""
    found = Expressions(stage, value_of).of(node)
    if isinstance(found, Ref):
        return found.index
    refs = tuple(Ref(i, type_) for i, type_ in enumerate(stage.plan.schema.types))
    names = stage.plan.schema.names
    stage.plan = Map(stage.plan, (*refs, found), (*names, fresh("sort", set(names))))
    return len(refs)


def _output_column(node: exp.Expr, names: tuple[str, ...]) -> int | None:
    """The column of the output that an item of ORDER BY names, by its number from 1 or by its name."""
    node = unwrapped(node)
    if isinstance(node, exp.Literal):
        place = whole_number(node, node.this) if node.this.isdigit() else 0
        if not 1 <= place <= len(names):
            raise wrong(node, f"there is no column number {node.this}", f"a number from 1 to {len(names)}")
        return place - 1
    if not isinstance(node, exp.Column) or node.args.get("table"):
        return None
    exact = [i for i, name in enumerate(names) if name == node.name]
    return next(iter(exact or [i for i, name in enumerate(names) if same(name, node.this)]), None)


def _with_items(query: exp.Expr, hidden: list[Sorted], names: tuple[str, ...]) -> exp.Expr:
    """The block with what it is sorted by as further columns."""
    if not isinstance(query, Block) or query.args.get("distinct"):
        raise wrong(hidden[0], "this ORDER BY sees the columns of the result only", one_of(names))
    taken, query = set(names), query.copy()
    for item in hidden:
        name = fresh("sort", taken)
        taken.add(name)
        query.append("expressions", exp.Alias(this=item.this.copy(), alias=exp.to_identifier(name, quoted=True)))
    return query


def _numbered(items: list[Sorted], names: tuple[str, ...], carried: int) -> list[int]:
    """The column of each item: hidden ones stand behind all others."""
    columns, behind = [], carried + len(names)
    for item in items:
        found = _output_column(item.this, names)
        columns.append(behind if found is None else carried + found)
        behind += found is None
    return columns


def sort_keys(items: Iterable[tuple[Sorted, int]]) -> tuple[SortKey, ...]:
    """A column that comes again decides nothing."""
    keys: dict[int, SortKey] = {}
    for item, column in items:
        keys.setdefault(column, sort_key(column, item))
    return tuple(keys.values())


def _first_columns(plan: Plan, width: int) -> Plan:
    refs = tuple(Ref(i, type_) for i, type_ in enumerate(plan.schema.types[:width]))
    return Map(plan, refs, plan.schema.names[:width])


def _whole(node: exp.Literal | None) -> int | None:
    if node is None:
        return None
    if not node.this.isdigit():
        raise wrong(node, f"{node.this} is no number of rows", "a whole number")
    return whole_number(node, node.this)
