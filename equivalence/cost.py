"""What a plan costs: from rates, validity lengths and selectivities, per instant, equal subplans once.

The estimates are rough and only meant to rank plans that mean the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Final, assert_never

from equivalence.rewrites.keys import equalities
from equivalence.rewrites.predicates import conjuncts
from semantics import Expression, Plan
from semantics.expression import And, Comparison, Constant, In, IsNull, Not, Or, Ref
from semantics.plan import (
    Aggregation,
    Antijoin,
    CountWindow,
    Difference,
    Distinct,
    Dstream,
    Filter,
    FullJoin,
    Grouping,
    Intersection,
    Istream,
    Join,
    LandmarkWindow,
    LeftJoin,
    Map,
    PartitionedWindow,
    Product,
    RightJoin,
    Rstream,
    Semijoin,
    Source,
    TimeWindow,
    Union,
)

EVER: Final = 1e6
"""How long for ever is, in instants."""
DISTINCT: Final = 10.0
"""How many values a column has of which nothing is known."""
STATE: Final = 0.01
"""What it costs to keep an element for an instant, against handling it once."""


@dataclass(frozen=True)
class Statistics:
    """What is known of a source: elements an instant, how long they hold, how many values a column has."""

    rate: float = 1.0
    length: float = 1.0
    distinct: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Flow:
    """What comes out of a node: elements an instant, how long they hold, how many values each column has."""

    rate: float
    length: float
    distinct: tuple[float, ...]

    @property
    def size(self) -> float:
        """Elements in a snapshot."""
        return self.rate * self.length

    def scaled(self, factor: float) -> "Flow":
        return Flow(self.rate * factor, self.length, self.distinct)


class Costs:
    """Flows and costs of plans over sources of which something is known; each node is estimated once."""

    def __init__(self, statistics: Mapping[str, Statistics] = {}) -> None:
        self._statistics = statistics
        self._flows: dict[Plan, Flow] = {}

    def of(self, *plans: Plan) -> float:
        """The cost of running these plans together."""
        return sum(self._work(node) for node in _once(plans))

    def flow(self, plan: Plan) -> Flow:
        if plan not in self._flows:
            self._flows[plan] = self._estimated(plan)
        return self._flows[plan]

    def _work(self, node: Plan) -> float:
        """Elements that come in and go out, pairs that are looked at, elements that are kept."""
        inputs = [self.flow(child) for child in node.inputs]
        moved = sum(flow.rate for flow in inputs) + self.flow(node).rate
        if isinstance(node, Source | Filter | Map | Union | Rstream | TimeWindow | LandmarkWindow):
            return moved
        return moved + _pairs(node, inputs) + STATE * sum(flow.size for flow in inputs)

    def _estimated(self, plan: Plan) -> Flow:
        inputs = [self.flow(child) for child in plan.inputs]
        match plan:
            case Source(name=name, schema=schema):
                known = self._statistics.get(name, Statistics())
                distinct = tuple(known.distinct.get(column, DISTINCT) for column in schema.names)
                return Flow(known.rate, known.length, distinct)
            case Filter(predicate=predicate):
                return inputs[0].scaled(selectivity(predicate, inputs[0].distinct))
            case Map(expressions=expressions):
                return Flow(inputs[0].rate, inputs[0].length, tuple(_values(e, inputs[0]) for e in expressions))
            case Rstream():
                return inputs[0]
            case Istream() | Dstream():
                return Flow(inputs[0].rate, 1.0, inputs[0].distinct)
            case TimeWindow(size=size):
                return Flow(inputs[0].size, min(size, EVER), inputs[0].distinct)
            case LandmarkWindow(reset=reset):
                return Flow(inputs[0].size, (reset or EVER) / 2, inputs[0].distinct)
            case CountWindow(rows=rows):
                return _holding(inputs[0], rows)
            case PartitionedWindow(rows=rows, keys=keys):
                return _holding(inputs[0], rows * prod(inputs[0].distinct[key] for key in keys))
            case Distinct():
                return _holding(inputs[0], min(inputs[0].size, prod(inputs[0].distinct)))
            case Aggregation(aggregates=aggregates):
                return _changing(inputs[0], 1.0, (DISTINCT,) * len(aggregates))
            case Grouping(keys=keys, aggregates=aggregates):
                distinct = tuple(inputs[0].distinct[key] for key in keys)
                groups = min(inputs[0].size, prod(distinct))
                return _changing(inputs[0], groups, distinct + (DISTINCT,) * len(aggregates))
            case Union():
                rate = inputs[0].rate + inputs[1].rate
                length = (inputs[0].size + inputs[1].size) / rate if rate else 1.0
                return Flow(rate, length, tuple(map(max, inputs[0].distinct, inputs[1].distinct)))
            case Difference() | Intersection() | Semijoin() | Antijoin():
                return inputs[0].scaled(0.5)
            case Product() | Join() | LeftJoin() | RightJoin() | FullJoin():
                return _paired(plan, inputs[0], inputs[1])
            case _:
                assert_never(plan)


def selectivity(predicate: Expression, distinct: tuple[float, ...]) -> float:
    """The share of rows for which a predicate is TRUE."""
    match predicate:
        case And(left=left, right=right):
            return selectivity(left, distinct) * selectivity(right, distinct)
        case Or(left=left, right=right):
            return 1 - (1 - selectivity(left, distinct)) * (1 - selectivity(right, distinct))
        case Not(operand=operand):
            return 1 - selectivity(operand, distinct)
        case Comparison(symbol="=", left=left, right=right):
            values = [distinct[side.index] for side in (left, right) if isinstance(side, Ref)]
            return 1 / max([*values, 1.0]) if values else 0.1
        case Comparison(symbol="<>"):
            return 0.9
        case Constant(value=value):
            return float(value is True)
        case In(options=options):
            return min(1.0, len(options) / DISTINCT)
        case IsNull():
            return 0.1
        case _:
            return 1 / 3


def _paired(join: Product | Join | LeftJoin | RightJoin | FullJoin, left: Flow, right: Flow) -> Flow:
    """Every element meets the other side's snapshot as it starts; a pair holds while both do."""
    distinct = left.distinct + right.distinct
    share = 1.0 if isinstance(join, Product) else selectivity(join.condition, distinct)
    rate = (left.rate * right.size + right.rate * left.size) * share
    length = 1 / (1 / left.length + 1 / right.length)
    alone = left.rate * isinstance(join, LeftJoin | FullJoin) + right.rate * isinstance(join, RightJoin | FullJoin)
    return Flow(rate + alone, length, distinct)


def _pairs(node: Plan, inputs: list[Flow]) -> float:
    """How many pairs a join looks at: those that agree in the equated columns, or all of them."""
    if len(inputs) < 2 or isinstance(node, Difference | Intersection | Union):
        return 0.0
    left, right = inputs
    share = 1.0
    if not isinstance(node, Product):
        parts = [part for part in conjuncts(node.condition) if list(equalities(part, len(left.distinct)))]  # type: ignore[union-attr]
        share = prod(selectivity(part, left.distinct + right.distinct) for part in parts)
    return (left.rate * right.size + right.rate * left.size) * share


def _holding(flow: Flow, size: float) -> Flow:
    """The same elements, as many of them at a time."""
    return Flow(flow.rate, max(size / flow.rate, 1.0) if flow.rate else 1.0, flow.distinct)


def _changing(flow: Flow, size: float, distinct: tuple[float, ...]) -> Flow:
    """A new result whenever an element comes or goes, but at most one for each group and instant."""
    rate = min(2 * flow.rate, size)
    return Flow(rate, size / rate if rate else 1.0, distinct)


def _values(expression: Expression, flow: Flow) -> float:
    return flow.distinct[expression.index] if isinstance(expression, Ref) else DISTINCT


def _once(plans: Iterable[Plan]) -> Iterable[Plan]:
    """All nodes of the plans, shared ones once."""
    seen: dict[Plan, None] = {}
    stack = list(plans)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            stack += node.inputs
    return seen
