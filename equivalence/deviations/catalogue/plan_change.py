"""Deviations that are another plan: one kind of operator replaced wherever it stands."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from equivalence.deviations.deviation import Deviation, Locality, Parameter, Position, Values, once
from equivalence.deviations.situation import Situation
from semantics import Plan
from semantics.expression import And, Expression, IsDistinct, IsNull, Not, Ref
from semantics.fold import TRUE
from semantics.plan import Filter

NodeChange = Callable[[Plan], Plan]


def rewritten(plan: Plan, change: NodeChange) -> Plan:
    """The change made to every node, the innermost first."""
    return change(plan.with_inputs(*(rewritten(child, change) for child in plan.inputs)))


def with_plan(situation: Situation, change: NodeChange) -> Situation:
    return replace(situation, plan=rewritten(situation.plan, change))


def plan_deviation(
    name: str,
    sentence: str,
    knob: str,
    shapes: tuple[type[Plan], ...],
    change: Callable[[Plan, Parameter], Plan],
    *,
    values: Values = once,
    position: Position = "after the window",
    locality: Locality = "window",
    parameter: str = "parameter",
    synonyms: tuple[str, ...] = (),
    bits: float = 0.0,
) -> Deviation:
    """A deviation that changes nodes of some kinds."""

    def apply(situation: Situation, value: Parameter) -> Situation:
        return with_plan(situation, lambda node: change(node, value))

    return Deviation(
        name, sentence, knob, "plan", position, values, apply, shapes, locality, parameter, synonyms, bits=bits
    )


def on(*kinds: type[Plan]) -> Callable[[Callable[..., Plan]], Callable[[Plan, Parameter], Plan]]:
    """The change, made to nodes of these kinds only."""

    def only(change: Callable[..., Plan]) -> Callable[[Plan, Parameter], Plan]:
        return lambda node, value: change(node) if isinstance(node, kinds) else node

    return only


def some(kinds: type[Plan] | tuple[type[Plan], ...], where: Callable[[Any], bool]) -> Values:
    """Only where a node of these kinds is of this sort."""
    return lambda situation, clue: (
        (None,) if any(where(node) for node in situation.plan.walk() if isinstance(node, kinds)) else ()
    )


def without_null(plan: Plan, columns: Iterable[int]) -> Plan:
    """Only the rows that have no NULL in these columns."""
    for column in columns:
        plan = Filter(plan, Not(IsNull(Ref(column, plan.schema.types[column]))))
    return plan


def matching(left: Plan, right: Plan) -> Expression:
    """All columns are the same, NULLs too."""
    width = len(left.schema)
    same: Expression = TRUE
    for i, type_ in enumerate(left.schema.types):
        equal = Not(IsDistinct(Ref(i, type_), Ref(width + i, type_)))
        same = equal if same == TRUE else And(same, equal)
    return same
