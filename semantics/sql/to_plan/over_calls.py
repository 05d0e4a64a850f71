"""f(…) OVER (PARTITION BY … ORDER BY time, … frame): columns computed from the rows of a group in the order of time."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from semantics.expression import Expression, Now, Ref
from semantics.ordering import SortKey
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Filter, Map, Over, Plan
from semantics.sql.constants import whole_number
from semantics.sql.errors import blaming, wrong
from semantics.sql.grammar.nodes import OverCall
from semantics.sql.to_plan.aggregate_calls import called, is_aggregate
from semantics.sql.to_plan.called_aggregate import aggregate
from semantics.sql.to_plan.expressions import Expressions, unwrapped
from semantics.sql.to_plan.limits import FUNCTIONS, column_of, sort_keys
from semantics.sql.to_plan.part import fresh
from semantics.sql.to_plan.subqueries.as_columns import value_of
from semantics.sql.to_plan.visible_columns import Rows
from semantics.sql.to_plan.windows import units
from semantics.time import FOREVER


def over_calls(node: exp.Expr) -> Iterator[OverCall]:
    """The calls with OVER in an expression, not those inside its subqueries."""
    if isinstance(node, OverCall):
        yield node
    elif not isinstance(node, exp.Query):
        for child in node.iter_expressions():
            yield from over_calls(child)


def with_over(rows: Rows, items: Sequence[exp.Expr]) -> None:
    """Each call becomes a column; calls with the same groups and order are computed together."""
    named = {id(item.this): str(item.alias) for item in items if isinstance(item, exp.Alias)}
    together: dict[tuple[tuple[int, ...], tuple[SortKey, ...]], list[OverCall]] = {}
    for call in (call for item in items for call in over_calls(item)):
        together.setdefault(_groups_and_order(rows, call), []).append(call)
    for (keys, order), calls in together.items():
        taken, names = set(rows.plan.schema.names), list[str]()
        for call in calls:
            names.append(fresh(named.get(id(call), called(call.this).lower()), taken))
            taken.add(names[-1])
        functions = tuple(_function(rows, call) for call in calls)
        rows.computed |= {id(call): rows.width + i for i, call in enumerate(calls)}
        with blaming(calls[0], "functions over rows"):
            rows.plan = Over(rows.plan, functions, tuple(names), keys, order)


def _groups_and_order(rows: Rows, call: OverCall) -> tuple[tuple[int, ...], tuple[SortKey, ...]]:
    carried = range(rows.outer.width if rows.outer else 0)
    keys = tuple(dict.fromkeys([*carried, *(column_of(rows, node) for node in call.args["partition"])]))
    if not call.expressions or not _is_time(rows.plan, Expressions(rows, value_of).of(call.expressions[0].this)):
        raise wrong(call, "OVER goes through rows in the order of time", "ORDER BY NOW() or the time column first")
    if call.expressions[0].args.get("descending"):
        raise wrong(call.expressions[0], "OVER goes forward in time", "ORDER BY time without DESC")
    rest = call.expressions[1:]
    return keys, sort_keys(zip(rest, [column_of(rows, item.this) for item in rest], strict=True))


def _is_time(plan: Plan, value: Expression) -> bool:
    """Is this the instant of the row, by itself or as a column?"""
    if isinstance(value, Now):
        return True
    if not isinstance(value, Ref):
        return False
    match plan:
        case Map(input=below, expressions=expressions):
            return isinstance(expressions[value.index], Now) or _is_time(below, expressions[value.index])
        case Filter(input=below) | Over(input=below) if value.index < len(below.schema):
            return _is_time(below, value)
        case _:
            return False


def _function(rows: Rows, call: OverCall) -> OverFunction:
    name, arguments = called(call.this).upper(), call.this.expressions
    values = Expressions(rows, value_of)
    if name in FUNCTIONS and not arguments:
        return RowPlace(FUNCTIONS[name])
    if name in ("LAG", "LEAD") and len(arguments) in (1, 2):
        distance = _whole(arguments[1]) if len(arguments) == 2 else 1
        with blaming(call, f"{name}(expression, number ≥ 1)"):
            return NeighbourValue(values.of(arguments[0]), -distance if name == "LAG" else distance)
    frame = _frame(rows, call)
    if name in ("FIRST_VALUE", "LAST_VALUE") and len(arguments) == 1:
        return EdgeValue("first" if name == "FIRST_VALUE" else "last", values.of(arguments[0]), frame)
    if not is_aggregate(call.this, rows.context.catalogue):
        expected = "an aggregate, LAG, LEAD, FIRST_VALUE, LAST_VALUE, ROW_NUMBER, RANK or DENSE_RANK"
        raise wrong(call, f"{name} is no function over rows", expected)
    return FrameAggregate(aggregate(call.this, values.of, rows.context.catalogue), frame)


def _frame(rows: Rows, call: OverCall) -> Frame:
    """The frame; all rows up to the instant, if none is given."""
    unit, preceding = call.args.get("unit"), call.args.get("preceding")
    if preceding is None:
        return Frame("rows" if unit == "ROWS" else "range", FOREVER)
    if unit == "ROWS":
        return Frame("rows", _whole(preceding.this))
    return Frame("range", units(preceding, rows.context.catalogue))


def _whole(node: exp.Expr) -> int:
    node = unwrapped(node)
    if not (isinstance(node, exp.Literal) and node.is_int):
        raise wrong(node, "a number of rows is written as a number", "a whole number")
    return whole_number(node, node.name)
