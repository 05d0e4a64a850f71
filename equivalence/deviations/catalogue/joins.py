"""Deviations of joins: NULL keys, padding of outer joins, how many partners a row may have."""

from dataclasses import replace
from typing import Any, Final, cast

from equivalence.deviations.catalogue.plan_change import on, plan_deviation
from equivalence.deviations.deviation import Deviation, Parameter
from equivalence.deviations.odd_operators import SnapshotChange, StickyPadding, odd
from semantics import Multiset, Plan, Type
from semantics.expression import Coalesce, Comparison, Constant, Expression, IsDistinct, Not, Ref, children
from semantics.plan import Antijoin, Distinct, FullJoin, Join, LeftJoin, Map, Product, RightJoin, Semijoin, Union
from semantics.rebuild import with_children, with_expressions
from semantics.value import NULL

_JOINS: Final = (Join, LeftJoin, RightJoin, FullJoin, Semijoin, Antijoin)
_MULTIPLYING: Final = (Join, LeftJoin, RightJoin, FullJoin, Product)
_OUTER: Final = (LeftJoin, RightJoin, FullJoin)


def _nulls_match(condition: Expression) -> Expression:
    parts = [_nulls_match(part) for part in children(condition)]
    same = with_children(condition, parts)
    if isinstance(same, Comparison) and same.symbol == "=":
        return Not(IsDistinct(same.left, same.right))
    return same


def _nulls_joined(node: Plan) -> Plan:
    return with_expressions(node, _nulls_match)


def _not_in(node: Antijoin) -> Plan:
    """An unknown condition counts as a partner, as in NOT IN."""
    return replace(node, condition=Coalesce((node.condition, Constant(True, Type.BOOL))))


def _inner(node: Any) -> Plan:
    return Join(node.left, node.right, node.condition)


def _pads_everyone(node: LeftJoin) -> Plan:
    refs = tuple(Ref(i, type_) for i, type_ in enumerate(node.left.schema.types))
    nulls = tuple(Constant(NULL, type_) for type_ in node.right.schema.types)
    return Union(_inner(node), Map(node.left, (*refs, *nulls), node.schema.names))


def _semijoin_multiplies(node: Semijoin) -> Plan:
    """A left row for every partner."""
    left, right = node.left, node.right
    renamed = tuple(f"_right{i}" for i in range(len(right.schema)))
    other = Map(right, tuple(Ref(i, type_) for i, type_ in enumerate(right.schema.types)), renamed)
    refs = tuple(Ref(i, type_) for i, type_ in enumerate(left.schema.types))
    return Map(Join(left, other, node.condition), refs, left.schema.names)


def _first_partner(width: int, rows: Multiset) -> Multiset:
    """Of the rows with the same left side only the first in the order of rows."""
    seen: dict[Any, Any] = {}
    for row in rows:
        seen.setdefault(row[:width], row)
    return rows.filter(lambda row: seen[row[:width]] == row)


def _match_once(node: Any) -> Plan:
    width = len(node.left.schema)
    return odd(SnapshotChange(node, f"first partner {width}", lambda rows: _first_partner(width, rows)))


def _side_as_set(node: Any, side: Parameter) -> Plan:
    if not isinstance(node, _MULTIPLYING):
        return cast(Plan, node)
    left, right = (Distinct(child) if side == name else child for name, child in _sides(node))
    return cast(Plan, node).with_inputs(left, right)


def _sides(node: Any) -> tuple[tuple[str, Plan], ...]:
    return ("left", node.left), ("right", node.right)


def _one_side(node: FullJoin, kind: Any) -> Plan:
    made: Plan = kind(node.left, node.right, node.condition)
    return made


JOINS: Final[tuple[Deviation, ...]] = (
    plan_deviation("NULL keys joined", "NULL = NULL holds in join conditions", "NULL keys", _JOINS, on(*_JOINS)(_nulls_joined), position="at the key", synonyms=("NULL-safe equality", "IS NOT DISTINCT FROM for =")),
    plan_deviation("padding missing", "the outer join is an inner one", "padding", _OUTER, on(*_OUTER)(_inner), synonyms=("INNER for OUTER",)),
    plan_deviation("outer-join row not retracted", "a padded row stays when a partner comes", "padding", _OUTER, on(*_OUTER)(lambda node: odd(StickyPadding(node))), locality="prefix", synonyms=("padding not retracted", "spurious NULL row")),
    plan_deviation("padding for everyone", "rows with a partner are padded, too", "padding", (LeftJoin,), on(LeftJoin)(_pads_everyone)),
    plan_deviation("right padding missing", "the full join pads the left side only", "padding", (FullJoin,), on(FullJoin)(lambda node: _one_side(node, LeftJoin)), synonyms=("LEFT for FULL",)),
    plan_deviation("left padding missing", "the full join pads the right side only", "padding", (FullJoin,), on(FullJoin)(lambda node: _one_side(node, RightJoin)), synonyms=("RIGHT for FULL",)),
    plan_deviation("match once", "a row joins its first partner only", "partners", (Join, LeftJoin, Product), on(Join, LeftJoin, Product)(_match_once), synonyms=("lookup join for join",)),
    plan_deviation("join side collapsed to set", "equal rows of the {} input join once", "partners", _MULTIPLYING, _side_as_set, values=lambda *_: ("left", "right"), parameter="side", synonyms=("hash table without duplicates",)),
    plan_deviation("semi-join multiplies", "a row comes once for every partner", "partners", (Semijoin,), on(Semijoin)(_semijoin_multiplies), synonyms=("EXISTS as join", "IN as join")),
    plan_deviation("NOT IN for NOT EXISTS", "a partner for which the condition is unknown counts", "NULL keys", (Antijoin,), on(Antijoin)(_not_in), position="at the key"),
    plan_deviation("anti-join as semi-join", "rows with a partner are kept, not those without", "partners", (Antijoin,), on(Antijoin)(lambda node: Semijoin(node.left, node.right, node.condition))),
)  # fmt: skip
