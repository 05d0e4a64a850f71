"""UNNEST in FROM: the elements of an array of the row before it, as rows."""

from sqlglot import exp

from semantics.expression import Constant, Expression, Ref
from semantics.fold import TRUE
from semantics.functions.table import call_of
from semantics.plan import Filter, Map, Plan, Unnest
from semantics.sql.errors import wrong, wrong_names
from semantics.sql.grammar.nodes import Item, Joining, Unnested
from semantics.sql.to_plan.constant_rows import one_row
from semantics.sql.to_plan.expressions import Expressions
from semantics.sql.to_plan.part import Part, first_columns, fresh
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.visible_columns import Context, Entry, Rows
from semantics.sql.type_names import sql_type
from semantics.types import Type


def unnested_join(left: Part, node: Joining, context: Context) -> Part:
    """The rows of the left side, each once for every element; LEFT JOIN keeps those without any."""
    kind, on = node.args["kind"], node.args.get("on")
    if kind not in ("INNER", "CROSS", "LEFT") or node.args.get("using") or node.args.get("natural"):
        raise wrong(node, "this join cannot have UNNEST on its right", "CROSS JOIN, or LEFT JOIN … ON TRUE")
    made = _beside(left, node.this, context, outer=kind == "LEFT")
    if on is None:
        return made
    condition = Expressions(Rows(made.plan, made.entries, context, None), value_of).predicate(on)
    if condition == TRUE:
        return made
    if kind == "LEFT":
        raise wrong(on, "a condition on elements that LEFT JOIN keeps rows without", "ON TRUE")
    return Part(Filter(made.plan, condition), made.entries)


def unnested_alone(node: Item, context: Context) -> Part:
    """The elements of an array that is made of constants; they are there at every instant."""
    made = _beside(Part(one_row(context, node), []), node, context, outer=False)
    schema, own = made.plan.schema, range(1, len(made.plan.schema))
    refs = tuple(Ref(i, schema.types[i]) for i in own)
    return Part(Map(made.plan, refs, schema.names[1:]), [entry.shifted(-1) for entry in made.entries])


def _beside(left: Part, item: Item, context: Context, *, outer: bool) -> Part:
    origin: Unnested = item.this
    array = Expressions(Rows(left.plan, left.entries, context, None), value_of).of(origin.this)
    if array.type.element is None:
        raise wrong(origin.this, f"UNNEST of {sql_type(array.type)}", "an ARRAY")
    if item.args.get("window"):
        raise wrong(item.args["window"], "elements have no window of their own", "a window on the stream")
    parts = () if origin.args.get("whole") else array.type.element.fields or ()
    alias = item.args.get("alias")
    table = alias.name if alias else ""
    fields = [name for name, _ in parts] or [table or "unnest"]
    visible = _names(item, [*fields, *(["ordinality"] if origin.args.get("numbered") else [])])
    taken = set(left.plan.schema.names)
    hidden: list[str] = []
    for name in visible if not parts else [fresh("element", {*taken, *visible}), *visible[len(parts) :]]:
        hidden.append(fresh(name, taken | set(hidden)))
    plan: Plan = Unnest(left.plan, array, tuple(hidden), outer)
    width = len(left.plan.schema)
    if parts:
        plan = _with_fields(plan, width, visible[: len(parts)])
    own = plan.schema.types[width:]
    entries = [Entry(table, name, width + i, type_) for i, (name, type_) in enumerate(zip(visible, own, strict=True))]
    return Part(plan, [*left.entries, *entries])


def _names(item: Item, usual: list[str]) -> list[str]:
    columns = item.args.get("columns")
    if columns is not None and len(columns) != len(usual):
        raise wrong_names(columns[0], len(columns), len(usual))
    return [column.name for column in columns] if columns else usual


def _with_fields(plan: Plan, width: int, names: list[str]) -> Plan:
    """The fields of a row in the place of the row."""
    schema = plan.schema
    element = Ref(width, schema.types[width])
    fields: list[Expression] = []
    for name, _ in element.type.fields or ():
        made = call_of("field", [element, Constant(name, Type.STR)])
        assert made is not None
        fields.append(made)
    kept = first_columns(plan, len(schema))
    taken = {*schema.names[:width], *schema.names[width + 1 :]}
    named: list[str] = []
    for name in names:
        named.append(fresh(name, taken | set(named)))
    every = (*schema.names[:width], *named, *schema.names[width + 1 :])
    return Map(plan, (*kept[:width], *fields, *kept[width + 1 :]), every)


def is_unnested(node: exp.Expr) -> bool:
    return isinstance(node.this, Unnested)
