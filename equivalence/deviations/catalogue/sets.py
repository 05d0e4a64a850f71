"""Deviations of multisets: duplicates that are lost or kept, differences and intersections by another rule."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from equivalence.deviations.catalogue.plan_change import matching, on, plan_deviation, rewritten
from equivalence.deviations.deviation import Clue, Deviation, Parameter
from equivalence.deviations.odd_operators import SnapshotChange, odd
from equivalence.deviations.situation import Situation
from semantics import Multiset, Plan
from semantics.plan import (
    Antijoin,
    Difference,
    Distinct,
    Filter,
    Intersection,
    Join,
    LeftJoin,
    Map,
    Product,
    Semijoin,
    SetOperation,
    TimeWindow,
    Union,
)

_BAGS: Final = (Map, Union, Join, LeftJoin, Product, Filter, TimeWindow)


def _bags(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """The operators of the query whose output may be a bag; what is a set already does not count."""
    return sorted({node.operator for node in situation.plan.walk() if isinstance(node, _BAGS)})


def _collapsed(node: Plan, operator: Parameter) -> Plan:
    return Distinct(node) if node.operator == operator else node


def _antijoin(node: Any) -> Plan:
    return Antijoin(node.left, node.right, matching(node.left, node.right))


def _semijoin(node: Any) -> Plan:
    return Semijoin(node.left, node.right, matching(node.left, node.right))


def _of_sets(node: SetOperation) -> Plan:
    return node.with_inputs(Distinct(node.left), Distinct(node.right))


def _nulls_apart(node: Distinct) -> Plan:
    """Rows with a NULL equal no other row, so each stays as often as it is there."""

    def change(rows: Multiset) -> Multiset:
        return Multiset({row: n if None in row else 1 for row, n in rows.pairs()})

    return odd(SnapshotChange(node.input, "NULLs apart", change))


def _without_distinct(situation: Situation, value: Parameter) -> Situation:
    def change(node: Plan) -> Plan:
        return node.input if isinstance(node, Distinct) else node

    return replace(situation, plan=rewritten(situation.plan, change))


SETS: Final[tuple[Deviation, ...]] = (
    plan_deviation("bag collapsed to set", "equal rows of the {} output count once", "bag", _BAGS, _collapsed, values=_bags, parameter="operator", synonyms=("duplicates lost", "UNION for UNION ALL", "implicit DISTINCT")),
    Deviation("duplicates kept", "DISTINCT is ignored", "distinct", "plan", "after the window", lambda s, c: (None,), _without_distinct, (Distinct,), synonyms=("UNION ALL for UNION",)),
    plan_deviation("NULLs kept apart", "DISTINCT takes no two NULLs for equal", "distinct", (Distinct,), on(Distinct)(_nulls_apart), synonyms=("NULL is never equal",)),
    plan_deviation("difference as anti-join", "EXCEPT ALL takes away every copy of a row that the right side has", "difference", (Difference,), on(Difference)(_antijoin), synonyms=("EXCEPT ALL by NOT EXISTS",)),
    plan_deviation("difference of sets", "EXCEPT instead of EXCEPT ALL: every row at most once", "difference", (Difference,), on(Difference)(_of_sets), synonyms=("EXCEPT for EXCEPT ALL",)),
    plan_deviation("difference takes one", "however often the right side has a row, only one copy is taken away", "difference", (Difference,), on(Difference)(lambda node: Difference(node.left, Distinct(node.right)))),
    plan_deviation("difference ignored", "nothing is taken away", "difference", (Difference,), on(Difference)(lambda node: node.left)),
    plan_deviation("intersection as semi-join", "INTERSECT ALL keeps every copy of a row that the right side has", "intersection", (Intersection,), on(Intersection)(_semijoin), synonyms=("INTERSECT ALL by EXISTS",)),
    plan_deviation("intersection of sets", "INTERSECT instead of INTERSECT ALL: every row at most once", "intersection", (Intersection,), on(Intersection)(_of_sets)),
    plan_deviation("right side of the union lost", "only the left input of UNION ALL arrives", "union", (Union,), on(Union)(lambda node: node.left)),
)  # fmt: skip
