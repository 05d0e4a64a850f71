"""What can be said about a plan by looking at it: how far it looks back, which columns carry a key, what is larger."""

from dataclasses import replace

from equivalence.cases.choices import Choices
from semantics import FOREVER, Plan, Type
from semantics import plan as op
from semantics.expression import Constant, Ref

_MONOTONE = (op.Filter, op.Map, op.Distinct, op.Rstream, op.Union, op.Intersection, op.Product, op.Join, op.Semijoin)


def reach(plan: Plan) -> int | None:
    """How many instants before t the output at t depends on; None if there is no bound, or none that is simple."""
    match plan:
        case op.TimeWindow(size=size, slide=1) if size != FOREVER:
            own = int(size) - 1
        case op.Istream() | op.Dstream():
            own = 1
        case _ if plan.computable:
            own = 0
        case _:
            return None
    below = [reach(child) for child in plan.inputs]
    known = [back for back in below if back is not None]
    return own + max(known, default=0) if len(known) == len(below) else None


def keyed(plan: Plan) -> frozenset[int]:
    """The columns that hold what column 0 of the sources holds, if rows that differ in it never meet; else none."""
    match plan:
        case op.Source():
            return frozenset([0])
        case op.Map(expressions=expressions):
            below = keyed(plan.input)
            return frozenset(i for i, e in enumerate(expressions) if isinstance(e, Ref) and e.index in below)
        case op.Grouping(keys=keys):
            return frozenset(i for i, key in enumerate(keys) if key in keyed(plan.input))
        case op.PartitionedWindow(keys=keys) | op.Limit(keys=keys) | op.SessionWindow(keys=keys) | op.Over(keys=keys):
            return keyed(plan.input) if set(keys) & keyed(plan.input) else frozenset()
        case (
            op.Filter()
            | op.Distinct()
            | op.TimeWindow()
            | op.LandmarkWindow()
            | op.Istream()
            | op.Dstream()
            | op.Rstream()
        ):
            return keyed(plan.input)
        case op.SetOperation():
            return keyed(plan.left) & keyed(plan.right)
        case _:
            return frozenset()


def larger(plan: Plan, by: int) -> Plan | None:
    """The plan with its topmost windows larger, if all above them can only grow with them; None if there is none."""
    match plan:
        case op.TimeWindow(size=size) if size != FOREVER:
            return replace(plan, size=size + by)
        case op.CountWindow() | op.PartitionedWindow():
            return replace(plan, rows=plan.rows + by)
        case _ if not isinstance(plan, _MONOTONE):
            return None
        case _:
            grown = [larger(child, by) for child in plan.inputs]
            return (
                None
                if grown == [None] * len(grown)
                else plan.with_inputs(*(g or c for g, c in zip(grown, plan.inputs, strict=True)))
            )


def twin(choices: Choices, plan: Plan) -> Plan:
    """An equivalent plan that is not the same."""
    refs = tuple(Ref(i, type_) for i, type_ in enumerate(plan.schema.types))
    twins: tuple[Plan, ...] = (
        op.Rstream(plan),
        op.Filter(plan, Constant(True, Type.BOOL)),
        op.Map(plan, refs, plan.schema.names),
    )
    return choices.of(twins)
