"""From logical to physical plans: where intervals are split, which operators compute a node, and why."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, assert_never

from physical.planning.now_in_rows import RowOperator, changes_at_few_instants, ends_by_itself, now_in_rows
from physical.planning.semijoin_by_extreme import with_extreme
from semantics import Plan, Schema
from semantics import plan as op
from semantics.over import EdgeValue, FrameAggregate, RowPlace
from semantics.periods_of_now import sampling
from semantics.time import FOREVER

if TYPE_CHECKING:
    from physical.join_index.condition import Choice

Window = op.TimeWindow | op.CountWindow | op.PartitionedWindow | op.LandmarkWindow | op.SessionWindow | op.Over
"""What takes chronons."""
Kind = Literal["source", "split", "coalesce", "cut", "sample", "operator", "stage", "now", "intervals"]
"""A cut is a filter or a map that compares now with rows that last, and cuts their intervals; a sample is a filter that
keeps one instant of every so many. A stage is a part of a
plan over basic windows. The last two are for signed elements: `now` makes them from occurrences, `intervals` makes
intervals from them."""


@dataclass(frozen=True)
class PhysicalNode:
    """One operator of a physical plan: the logical node that it computes, its inputs, and why it was chosen."""

    kind: Kind
    logical: Plan
    inputs: tuple["PhysicalNode", ...] = ()
    reason: str = field(default="", compare=False)

    @property
    def chronons(self) -> bool:
        """Does every element of the output live for one instant only?"""
        match self.logical:
            case _ if self.kind in ("split", "coalesce", "cut", "sample", "stage", "now", "intervals"):
                return self.kind in ("split", "sample")
            case op.Source():
                return self.reason == CHRONON_SOURCE
            case op.Istream() | op.Dstream() | op.Over():
                return True
            case op.Filter() | op.Map() | op.Unnest() | op.Rstream() | op.Union():
                return all(child.chronons for child in self.inputs)
            case op.TimeWindow(size=1, slide=1):
                return True
            case _:
                return False


CHRONON_SOURCE = "a raw stream: its elements are chronons"
NOW_OF_CHRONONS = "stateless: now is the instant of each chronon"


def physical_plan(plan: Plan, chronon_sources: frozenset[str] = frozenset()) -> PhysicalNode:
    """The physical plan of a logical one; the sources named here deliver chronons."""
    if isinstance(plan, op.Source):
        raw = plan.name in chronon_sources
        return PhysicalNode("source", plan, reason=CHRONON_SOURCE if raw else "an interval stream")
    plan = with_extreme(now_in_rows(plan))
    inputs = tuple(physical_plan(child, chronon_sources) for child in plan.inputs)
    if isinstance(plan, RowOperator) and plan.mentions_now:
        return _at_instants(plan, *inputs)
    if isinstance(plan, Window):
        inputs = tuple(chronons(child) for child in inputs)
    return PhysicalNode("operator", plan, inputs, _reason(plan))


def _at_instants(plan: RowOperator, below: PhysicalNode) -> PhysicalNode:
    """Over chronons now is a column; over elements that last, intervals are cut if that is enough, or split."""
    if changes_at_few_instants(plan) and not below.chronons:
        return PhysicalNode("cut", plan, (below,), "cuts intervals where the comparisons with now change")
    if isinstance(plan, op.Filter) and sampling(plan.predicate) and not below.chronons:
        return PhysicalNode("sample", plan, (below,), "takes one instant of every period: the others are not looked at")
    return PhysicalNode("operator", plan, (chronons(below, "now"),), NOW_OF_CHRONONS)


def chronons(node: PhysicalNode, taker: str = "a window") -> PhysicalNode:
    """The node itself if its elements are chronons, else split into them (Section 8.2.2)."""
    if node.chronons:
        return node
    return PhysicalNode("split", node.logical, (node,), f"{taker} takes chronons, these elements last longer")


def _reason(plan: Plan) -> str:
    match plan:
        case op.Filter() | op.Map() | op.Unnest() | op.Rstream():
            return "stateless"
        case op.TimeWindow() | op.LandmarkWindow():
            return "stateless: sets the interval of each chronon"
        case op.Union():
            return "ordered merge"
        case op.Product():
            return "list sweep areas: there is no condition"
        case op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin() | op.Semijoin() | op.Antijoin():
            return _join_reason(plan)
        case op.Aggregation():
            return "one sweep over all elements of a slice"
        case op.Grouping():
            return "one sweep per group of a slice"
        case op.Distinct() | op.Difference() | op.Intersection() | op.Istream() | op.Dstream():
            return "hash on the whole row, one sweep per row of a slice"
        case op.Limit():
            return "one sweep per group of a slice, which counts the rows before each row"
        case op.CountWindow() | op.PartitionedWindow():
            return "ordered area of the occurrences still in a window"
        case op.SessionWindow():
            return "rows wait until their session has ended, and those that began before it"
        case op.Over():
            return "rows by group, in the order of time"
        case op.Source():
            return ""
        case _:
            assert_never(plan)


def _join_reason(plan: op.Join | op.LeftJoin | op.RightJoin | op.FullJoin | op.Semijoin | op.Antijoin) -> str:
    from physical.join_index.condition import Condition  # numpy takes time to import; a plan does not need it

    condition = Condition.of(plan.condition, plan.left.schema, plan.right.schema)
    rest = "" if condition.predicate is None else ", the whole condition tested on what is found"
    left, right = (
        _area_reason(*both) for both in zip(condition.choices, (condition.left, condition.right), strict=True)
    )
    kinds = [choice.kind for choice in condition.choices]
    if kinds == ["list", "list"]:
        return "list sweep areas: the condition compares no columns of both sides"
    if isinstance(plan, op.Join):
        return f"sweep areas left: {left}; right: {right}{rest}"
    return f"sweep area right: {right}{rest}"


def _area_reason(choice: "Choice", schema: Schema) -> str:
    names = ", ".join(dict.fromkeys(schema.names[lookup.key] for lookup in choice.lookups))
    match choice.kind:
        case "hash":
            return f"hash on {names}, which must be equal"
        case "ordered":
            return f"ordered by {names}, which must be in a range"
        case "list":
            return "list, no column to look up"
        case _:
            assert_never(choice.kind)


def explain(plan: Plan, chronon_sources: frozenset[str] = frozenset()) -> str:
    """The physical plan as an indented text, each operator with the reason for its choice.

    >>> from semantics import parse_plan
    >>> print(explain(parse_plan("S(x int) | window(range 5) | distinct")))
    distinct — hash on the whole row, one sweep per row of a slice
      window(range 5) — stateless: sets the interval of each chronon
        split(1) — a window takes chronons, these elements last longer
          S(x int) — an interval stream
    """
    return explain_node(physical_plan(plan, chronon_sources))


def explain_node(node: PhysicalNode) -> str:
    """A physical plan as an indented text."""
    return "\n".join(_lines(node, 0))


def _lines(node: PhysicalNode, depth: int) -> Iterator[str]:
    from semantics.notation.show import show_step  # a plan that runs is seldom shown

    step = {"split": "split(1)", "coalesce": "coalesce", "now": "now"}.get(node.kind) or show_step(node.logical)
    yield f"{'  ' * depth}{step} — {node.reason}"
    for child in node.inputs:
        yield from _lines(child, depth + 1)


def unbounded_state(plan: Plan) -> Plan | None:
    """A stateful operator above an unbounded window, because its state would grow for ever (Section 7.2.2); or None."""
    stateless = op.Source | op.Filter | op.Map | op.Unnest | op.Rstream | op.TimeWindow | op.LandmarkWindow
    stateful = (node for node in plan.walk(inputs_first=True) if not isinstance(node, stateless) or _splits(node))
    return next((node for node in stateful if any(map(_endless, node.inputs)) or _sees_all(node)), None)


def _sees_all(plan: Plan) -> bool:
    """Does a function look at all rows of its group so far?"""
    functions = plan.functions if isinstance(plan, op.Over) else ()
    framed = [f.frame.preceding for f in functions if isinstance(f, FrameAggregate | EdgeValue)]
    return FOREVER in framed or any(isinstance(f, RowPlace) for f in functions)


def _splits(plan: Plan) -> bool:
    """Is it a filter or a map that must see every row at every instant?"""
    return isinstance(plan, RowOperator) and not changes_at_few_instants(plan)


def _endless(plan: Plan) -> bool:
    """May elements of this plan be valid for ever, or be held back for ever?"""
    match plan:
        case op.Source() | op.Istream() | op.Dstream() | op.SessionWindow() | op.Over():
            return False
        case op.TimeWindow(size=size):
            return size == FOREVER
        case op.LandmarkWindow(reset=reset):
            return reset is None
        case op.Filter() if ends_by_itself(plan):
            return False
        case _:
            return any(_endless(child) for child in plan.inputs)
