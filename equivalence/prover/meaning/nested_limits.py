"""Limits over limits as one: of the first n rows the first m are the first min(n, m).

Soundness rests on this: all limits that are merged sort the same groups by the same keys, and so, with the total order
on rows behind them, number the rows alike. A row that is not among the first n of one side of a union is not among the
first n of the union either.
"""

from dataclasses import replace

from semantics import Plan
from semantics import plan as op
from semantics.expression import Ref


def merged(plan: op.Limit) -> op.Limit:
    """The same rows by one limit, where the input is limited in the same order.

    >>> from semantics import parse_plan, show
    >>> show(merged(parse_plan("A(x int) | limit(5 after 1; x) | limit(9 after 2; x)")))
    'A(x int) | limit(3 after 3; x)'
    """
    if not _known(plan):
        return plan
    inner = _renamed(plan.input)
    if isinstance(inner, op.Limit) and _known(inner) and _alike(plan, inner) and plan.ranking == "rows":
        return _of_both(plan, inner) or plan
    if plan.count is None:
        return plan
    return plan.with_inputs(_unlimited(plan.input, plan, plan.offset + plan.count))  # type: ignore[return-value]


def _of_both(plan: op.Limit, inner: op.Limit) -> op.Limit | None:
    """One for two; None if nothing is left, which no limit says."""
    left = None if inner.count is None else inner.count - plan.offset
    counts = [count for count in (plan.count, left) if count is not None]
    if any(count < 1 for count in counts):
        return None
    return merged(replace(inner, count=min(counts, default=None), offset=inner.offset + plan.offset))


def _unlimited(input: Plan, plan: op.Limit, most: int) -> Plan:
    """The input without limits that keep all rows that can be among the first so many."""
    match input:
        case op.Union() | op.Map() if isinstance(input, op.Union) or _takes_over(input):
            return input.with_inputs(*(_unlimited(part, plan, most) for part in input.inputs))
        case op.Map() if (inner := below(plan, input)) is not None:
            return input.with_inputs(_unlimited(input.input, inner, most))
        case op.Limit(count=count, offset=0) if _known(input) and _alike(plan, input) and count and count >= most:
            return _unlimited(input.input, plan, most)
        case _:
            return input


def below(plan: op.Limit, map: op.Map) -> op.Limit | None:
    """The limit as one of what is mapped, if that keeps sort keys alone: then rows that tie become equal rows."""
    places = [x.index for x in map.expressions if isinstance(x, Ref)]
    sorted_by = {key.column for key in plan.order}
    if plan.ranking != "rows" or len(places) < len(map.expressions) or not sorted_by >= set(range(len(places))):
        return None
    order = tuple(replace(key, column=places[key.column]) for key in plan.order)
    return replace(plan, input=map.input, order=order, keys=tuple(places[key] for key in plan.keys))


def _alike(one: op.Limit, other: op.Limit) -> bool:
    """Do they number the same groups of rows in the same way?"""
    return (one.order, one.keys, one.ranking) == (other.order, other.keys, other.ranking)


def _known(plan: op.Limit) -> bool:
    """Are its numbers given, and not left open by a rule?"""
    return type(plan.offset) is int and (plan.count is None or type(plan.count) is int)


def _renamed(plan: Plan) -> Plan:
    """What a map takes over column by column."""
    while isinstance(plan, op.Map) and _takes_over(plan):
        plan = plan.input
    return plan


def _takes_over(plan: op.Map) -> bool:
    places = [x.index if isinstance(x, Ref) else None for x in plan.expressions]
    return places == list(range(len(plan.input.schema)))
