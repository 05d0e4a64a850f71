"""Filters and maps that ask for now in the place of other operators: rows carry the instant to where it is used.

Every step keeps all snapshots: at an instant t, a column `now` of all rows of the snapshot is t.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import assert_never

from semantics import Plan, Type
from semantics import plan as op
from semantics.expression import (
    And,
    Arithmetic,
    Comparison,
    Constant,
    Expression,
    Now,
    Ref,
    conjuncts,
    mentions_now,
    refs,
)
from semantics.fold import TRUE
from semantics.now_in_expressions import now_as_column, thresholds
from semantics.rebuild import over
from semantics.substitute import shifted

OuterJoin = op.LeftJoin | op.RightJoin | op.FullJoin
RowOperator = op.Filter | op.Map


def now_in_rows(plan: Plan) -> Plan:
    """The same plan; its last operator asks for now only if it is a filter or a map.

    >>> from semantics import parse_plan, show
    >>> show(now_in_rows(parse_plan("join(A(x int), B(y int); x = y and now < x + 5)")))
    'join(A(x int), B(y int); x = y) | filter(now < x + 5)'
    >>> show(now_in_rows(parse_plan("A(x int) | aggregate(sum(now - x) as s)")))
    'A(x int) | map(x as x, now - x as "now") | aggregate(sum("now") as s)'
    """
    if not plan.mentions_now:
        return plan
    match plan:
        case op.Filter() | op.Map():
            return plan
        case op.Unnest():
            return _unnested(plan)
        case op.Aggregation() | op.Grouping():
            return _aggregated(plan)
        case op.Join():
            return _filtered(plan)
        case op.LeftJoin() | op.RightJoin() | op.FullJoin() | op.Semijoin() | op.Antijoin():
            return _with_filtered_side(plan)
        case (
            op.Source()
            | op.Distinct()
            | op.Limit()
            | op.Union()
            | op.Difference()
            | op.Intersection()
            | op.Product()
            | op.TimeWindow()
            | op.CountWindow()
            | op.PartitionedWindow()
            | op.LandmarkWindow()
            | op.SessionWindow()
            | op.Over()
            | op.Istream()
            | op.Dstream()
            | op.Rstream()
        ):
            raise AssertionError("it has no expressions")
        case _:
            assert_never(plan)


def changes_at_few_instants(plan: RowOperator) -> bool:
    """Does it only compare now with sums over the row, so that a row that lasts need not be split into instants?"""
    return thresholds(plan.own_expressions) is not None


def ends_by_itself(plan: op.Filter) -> bool:
    """Does some condition end every row, because now becomes too large for it?"""
    borders = [border for part in conjuncts(plan.predicate) if _alone(part) for border in thresholds((part,)) or ()]
    return any(border.symbol in ("<", "<=", "=") for border in borders)


def _alone(part: Expression) -> bool:
    return isinstance(part, Comparison) and mentions_now(part)


def _aggregated(plan: op.Aggregation | op.Grouping) -> Plan:
    """What is aggregated becomes a column below."""
    schema = plan.input.schema
    asked = [argument for argument in plan.own_expressions if mentions_now(argument)]
    columns = dict(zip(asked, range(len(schema), len(schema) + len(asked)), strict=True))
    names = unused("now", schema.names, len(asked))
    below = op.Map(plan.input, (*_all_columns(plan.input), *asked), (*schema.names, *names))

    def as_column(argument: Expression) -> Expression:
        return Ref(columns[argument], argument.type) if argument in columns else argument

    return replace(plan, input=below, aggregates=tuple(over(a, as_column) for a in plan.aggregates))


def _unnested(plan: op.Unnest) -> Plan:
    """The array becomes a column below, and is left out above."""
    schema = plan.input.schema
    (name,) = unused("now", plan.schema.names, 1)
    below = op.Map(plan.input, (*_all_columns(plan.input), plan.array), (*schema.names, name))
    made = replace(plan, input=below, array=Ref(len(schema), plan.array.type))
    kept = [ref for ref in _all_columns(made) if ref.index != len(schema)]
    return op.Map(made, tuple(kept), plan.schema.names)


def _filtered(plan: op.Join) -> Plan:
    """Conditions on now filter the pairs that the rest of the condition finds."""
    timed, rest = _apart(plan.condition)
    pairs = op.Join(plan.left, plan.right, _all_of(rest)) if rest else op.Product(plan.left, plan.right)
    return op.Filter(pairs, _all_of(timed))


def _with_filtered_side(plan: OuterJoin | op.Semijoin | op.Antijoin) -> Plan:
    """A condition on now and the rows of the side that is not kept filters that side; others take now from a column."""
    asked, rest = _apart(plan.condition)
    timed = [safe for part in asked if (safe := without_failure(part)) is not None]
    width = len(plan.left.schema)
    if isinstance(plan, op.FullJoin) or len(timed) < len(asked):
        return _with_stamps(plan)
    positions = [ref.index for part in timed for ref in refs(part)]
    if isinstance(plan, op.RightJoin) and all(position < width for position in positions):
        return replace(plan, left=op.Filter(plan.left, _all_of(timed)), condition=_all_of(rest))
    if not isinstance(plan, op.RightJoin) and all(position >= width for position in positions):
        right = op.Filter(plan.right, shifted(_all_of(timed), -width))
        return replace(plan, right=right, condition=_all_of(rest))
    return _with_stamps(plan)


def without_failure(part: Expression) -> Expression | None:
    """A comparison of now with one column, the constants on the side of now, where nothing overflows; or None.

    A filter below a join sees rows that have no partner. For them the condition is never evaluated, so it cannot fail.

    >>> from semantics import parse, show_expression
    >>> show_expression(without_failure(parse("$0:int + 5 > now")))
    'now - 5 < $0:int'
    """
    borders = thresholds((part,)) if isinstance(part, Comparison) else None
    if not borders:
        return None
    ((symbol, terms, factor),) = [(border.symbol, border.terms, border.factor) for border in borders]
    if factor != 1 or any(term.type is not Type.INT for _, term in terms):
        return None
    columns = [term for sign, term in terms if isinstance(term, Ref) and sign == 1]
    constants = [
        sign * term.value for sign, term in terms if isinstance(term, Constant) and isinstance(term.value, int)
    ]
    if len(columns) + len(constants) < len(terms) or len(columns) > 1:
        return None
    border = columns[0] if columns else Constant(0, Type.INT)
    return Comparison(symbol, Arithmetic("-", Now(), Constant(sum(constants), Type.INT)), border)


def _with_stamps(plan: OuterJoin | op.Semijoin | op.Antijoin) -> Plan:
    """The right rows carry the instant; whoever has a partner at an instant has one that carries it."""
    schema, width = plan.right.schema, len(plan.left.schema) + len(plan.right.schema)
    (name,) = unused("now", (*plan.left.schema.names, *schema.names), 1)
    right = op.Map(plan.right, (*_all_columns(plan.right), Now()), (*schema.names, name))
    joined = replace(plan, right=right, condition=now_as_column(plan.condition, width))
    if isinstance(plan, op.Semijoin | op.Antijoin):
        return joined
    return op.Map(joined, _all_columns(plan), plan.schema.names)


def _apart(condition: Expression) -> tuple[list[Expression], list[Expression]]:
    """The parts of a condition that ask for now, and the others."""
    parts = list(conjuncts(condition))
    return [part for part in parts if mentions_now(part)], [part for part in parts if not mentions_now(part)]


def _all_of(parts: Sequence[Expression]) -> Expression:
    return reduce(And, parts) if parts else TRUE


def _all_columns(plan: Plan) -> tuple[Ref, ...]:
    return tuple(Ref(i, type_) for i, type_ in enumerate(plan.schema.types))


def unused(name: str, taken: Sequence[str], count: int) -> tuple[str, ...]:
    """So many names that are not taken, as close to this one as can be."""
    numbered = [name, *(f"{name}_{i}" for i in range(2, len(taken) + count + 2))]
    return tuple([other for other in numbered if other not in taken][:count])
