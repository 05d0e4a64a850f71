"""Which columns of a result are a key of every snapshot, as far as the plan shows it: those that it groups by."""

from semantics import Plan
from semantics.expression import Ref
from semantics.plan import Aggregation, Distinct, Filter, Grouping, Limit, Map, Rstream


def output_key(plan: Plan) -> tuple[str, ...] | None:
    """The names of a key; empty if there is at most one row, None if no key is seen.

    >>> from semantics import count, source
    >>> bids = source("Bid", item=int, price=float)
    >>> output_key(bids.group_by("item").aggregate(n=count()).plan), output_key(bids.plan)
    (('item',), None)
    """
    positions = _positions(plan)
    return None if positions is None else tuple(plan.schema.names[i] for i in positions)


def key_within_panes(plan: Plan) -> tuple[str, ...] | None:
    """The same where the bounds of windows are counted in the result: a pane is known by them, the rest is its key."""
    bounds = 2
    if not isinstance(plan, Map) or not isinstance(plan.input, Grouping):
        return output_key(plan)
    keys = len(plan.input.keys)
    kept = {e.index: i for i, e in reversed(list(enumerate(plan.expressions))) if isinstance(e, Ref) and e.index < keys}
    return None if len(kept) < keys - bounds else tuple(plan.schema.names[i] for i in sorted(kept.values()))


def _positions(plan: Plan) -> tuple[int, ...] | None:
    match plan:
        case Aggregation():
            return ()
        case Grouping():
            return tuple(range(len(plan.keys)))
        case Filter() | Limit() | Distinct() | Rstream():
            return _positions(plan.input)
        case Map():
            return _mapped(plan, _positions(plan.input))
        case _:
            return None


def _mapped(plan: Map, below: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """A key is kept if all of its columns are."""
    kept = {e.index: i for i, e in reversed(list(enumerate(plan.expressions))) if isinstance(e, Ref)}
    return None if below is None or not set(below) <= kept.keys() else tuple(kept[i] for i in below)
