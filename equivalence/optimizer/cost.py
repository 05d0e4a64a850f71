"""What a plan costs: from rates, validity lengths and selectivities, per instant, equal subplans once.

The estimates are rough and only meant to rank plans that mean the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Final, assert_never

from equivalence.optimizer.rewrites.known_keys import equalities
from equivalence.optimizer.samples import Samples
from semantics import Expression, Plan
from semantics import plan as op
from semantics.expression import And, Comparison, Constant, In, IsNull, Not, Or, Ref, conjuncts

if TYPE_CHECKING:
    from physical.columns.stream import PhysicalStream

INSTANTS_OF_FOREVER: Final = 1e6
VALUES_IF_UNKNOWN: Final = 10.0
"""How many values a column has of which nothing is known."""
ELEMENTS_IF_UNKNOWN: Final = 3.0
"""How many elements an array has."""
COST_OF_STORING: Final = 0.01
"""An element for one instant, where treating it once costs 1."""


@dataclass(frozen=True)
class Statistics:
    """What is known of a source: elements an instant, how long they hold, how many values a column has."""

    rate: float = 1.0
    length: float = 1.0
    distinct: Mapping[str, float] = field(default_factory=dict)
    sample: "PhysicalStream | None" = field(default=None, repr=False)
    """Some of its elements, to try predicates on."""


@dataclass(frozen=True)
class Values:
    """How many values a column can have, and how many of them are there in a snapshot."""

    possible: float = VALUES_IF_UNKNOWN
    present: float = VALUES_IF_UNKNOWN

    def among(self, size: float) -> "Values":
        """The same in a snapshot of this size, which has no more values than elements."""
        return Values(self.possible, min(self.present, size))


@dataclass(frozen=True)
class FlowEstimate:
    """What comes out of a node: elements an instant, how long they hold, which values each column has."""

    rate: float
    length: float
    columns: tuple[Values, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(column.among(self.size) for column in self.columns))

    @property
    def size(self) -> float:
        """Elements in a snapshot."""
        return self.rate * self.length

    def present(self, keys: Iterable[int]) -> float:
        """How many groups of these columns there are in a snapshot."""
        return min(self.size, prod(max(self.columns[key].present, 1.0) for key in keys))


class Costs:
    """Flows and costs of plans over sources of which something is known; each node is estimated once."""

    def __init__(self, statistics: Mapping[str, Statistics] = {}) -> None:
        self._statistics = statistics
        self._flows: dict[Plan, FlowEstimate] = {}
        self._samples = Samples({name: found.sample for name, found in statistics.items()})

    def of(self, *plans: Plan) -> float:
        """The cost of running these plans together."""
        return sum(self._work(node) for node in _once(plans))

    def flow(self, plan: Plan) -> FlowEstimate:
        if plan not in self._flows:
            self._flows[plan] = self._estimated(plan)
        return self._flows[plan]

    def _work(self, node: Plan) -> float:
        """Elements that come in and go out, pairs that are looked at, elements that are kept."""
        inputs = [self.flow(child) for child in node.inputs]
        moved = sum(flow.rate for flow in inputs) + self.flow(node).rate
        if isinstance(node, op.Source | op.Filter | op.Map | op.Union | op.Rstream | op.TimeWindow | op.LandmarkWindow):
            return moved
        return moved + _pairs(node, inputs) + COST_OF_STORING * sum(flow.size for flow in inputs)

    def _estimated(self, plan: Plan) -> FlowEstimate:
        inputs = [self.flow(child) for child in plan.inputs]
        match plan:
            case op.Source(name=name, schema=schema):
                known = self._statistics.get(name, Statistics())
                possible = [known.distinct.get(column, VALUES_IF_UNKNOWN) for column in schema.names]
                return FlowEstimate(known.rate, known.length, tuple(Values(n, n) for n in possible))
            case op.Filter(predicate=predicate):
                seen = self._samples.share(plan)
                return _scaled(inputs[0], selectivity(predicate, inputs[0].columns) if seen is None else seen)
            case op.Map(expressions=expressions):
                return FlowEstimate(inputs[0].rate, inputs[0].length, tuple(_values(e, inputs[0]) for e in expressions))
            case op.Rstream():
                return inputs[0]
            case op.Istream() | op.Dstream():
                return FlowEstimate(inputs[0].rate, 1.0, inputs[0].columns)
            case op.TimeWindow(size=size):
                return FlowEstimate(inputs[0].size, min(size, INSTANTS_OF_FOREVER), _since(inputs[0]))
            case op.LandmarkWindow(reset=reset):
                return FlowEstimate(inputs[0].size, (reset or INSTANTS_OF_FOREVER) / 2, _since(inputs[0]))
            case op.CountWindow(rows=rows):
                return _holding(inputs[0], rows)
            case op.PartitionedWindow(rows=rows, keys=keys):
                return _holding(inputs[0], rows * prod(inputs[0].columns[key].possible for key in keys))
            case op.SessionWindow(gap=gap):
                return FlowEstimate(inputs[0].size, 2.0 * gap, (*_since(inputs[0]), Values(), Values()))
            case op.Unnest():
                added = (Values(),) * len(plan.names)
                return FlowEstimate(
                    ELEMENTS_IF_UNKNOWN * inputs[0].rate, inputs[0].length, (*inputs[0].columns, *added)
                )
            case op.Over(functions=functions):
                return FlowEstimate(inputs[0].size, 1.0, (*inputs[0].columns, *(Values() for _ in functions)))
            case op.Distinct():
                return _holding(inputs[0], inputs[0].present(range(len(inputs[0].columns))))
            case op.Aggregation(aggregates=aggregates):
                return _changing(inputs[0], 1.0, (Values(),) * len(aggregates))
            case op.Grouping(keys=keys, aggregates=aggregates):
                columns = tuple(inputs[0].columns[key] for key in keys)
                return _changing(inputs[0], inputs[0].present(keys), columns + (Values(),) * len(aggregates))
            case op.Limit(count=count, keys=keys):
                held = inputs[0].size if count is None else min(inputs[0].size, count * inputs[0].present(keys))
                return _holding(inputs[0], held)
            case op.Union():
                rate = inputs[0].rate + inputs[1].rate
                length = (inputs[0].size + inputs[1].size) / rate if rate else 1.0
                return FlowEstimate(rate, length, tuple(map(_both, inputs[0].columns, inputs[1].columns)))
            case op.Difference() | op.Intersection():
                return _scaled(inputs[0], 0.5)
            case op.Semijoin(condition=condition):
                return _scaled(inputs[0], _met(condition, *inputs))
            case op.Antijoin(condition=condition):
                return _scaled(inputs[0], 1 - _met(condition, *inputs))
            case op.Product() | op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
                return _paired(plan, inputs[0], inputs[1])
            case _:
                assert_never(plan)


def selectivity(predicate: Expression, columns: Sequence[Values]) -> float:
    """The share of rows for which a predicate is TRUE."""
    match predicate:
        case And(left=left, right=right):
            return selectivity(left, columns) * selectivity(right, columns)
        case Or(left=left, right=right):
            return 1 - (1 - selectivity(left, columns)) * (1 - selectivity(right, columns))
        case Not(operand=operand):
            return 1 - selectivity(operand, columns)
        case Comparison(symbol="=", left=left, right=right):
            values = [columns[side.index].possible for side in (left, right) if isinstance(side, Ref)]
            return 1 / max([*values, 1.0]) if values else 0.1
        case Comparison(symbol="<>"):
            return 0.9
        case Constant(value=value):
            return float(value is True)
        case In(options=options):
            return min(1.0, len(options) / VALUES_IF_UNKNOWN)
        case IsNull():
            return 0.1
        case _:
            return 1 / 3


def _paired(
    join: op.Product | op.Join | op.LeftJoin | op.RightJoin | op.FullJoin, left: FlowEstimate, right: FlowEstimate
) -> FlowEstimate:
    """Every element meets the other side's snapshot as it starts; a pair holds while both do."""
    columns = [*left.columns, *right.columns]
    share = 1.0
    if not isinstance(join, op.Product):
        share = _share_of_pairs(join.condition, left, right)
        for i, j in equalities(join.condition, len(left.columns)):
            columns[i] = columns[j + len(left.columns)] = _common(left.columns[i], right.columns[j])
    rate = (left.rate * right.size + right.rate * left.size) * share
    length = 1 / (1 / left.length + 1 / right.length)
    alone = left.rate * isinstance(join, op.LeftJoin | op.FullJoin) + right.rate * isinstance(
        join, op.RightJoin | op.FullJoin
    )
    return FlowEstimate(rate + alone, length, tuple(columns))


def _pairs(node: Plan, inputs: list[FlowEstimate]) -> float:
    """How many pairs a join looks at: those that agree in the equated columns, or all of them."""
    if not isinstance(node, op.Product | op.Joined | op.Filtering):
        return 0.0
    left, right = inputs
    condition = () if isinstance(node, op.Product) else tuple(conjuncts(node.condition))
    equated = [part for part in condition if any(equalities(part, len(left.columns)))]
    share = prod(_share_of_pairs(part, left, right) for part in equated)
    return (left.rate * right.size + right.rate * left.size) * share


def _share_of_pairs(condition: Expression, left: FlowEstimate, right: FlowEstimate) -> float:
    """The share of pairs that a condition keeps; rows that are there together are taken to have the same values."""
    width, share = len(left.columns), 1.0
    for part in conjuncts(condition):
        pair = next(equalities(part, width), None)
        if pair is None:
            share *= selectivity(part, [*left.columns, *right.columns])
        else:
            share /= max(left.columns[pair[0]].present, right.columns[pair[1]].present, 1.0)
    return share


def _met(condition: Expression, left: FlowEstimate, right: FlowEstimate) -> float:
    """The share of left rows that find a partner: by the values of both sides, where the condition equates columns."""
    pairs = list(equalities(condition, len(left.columns)))
    if not pairs:
        return 0.5
    share = prod(right.columns[j].present / max(left.columns[i].present, 1e-9) for i, j in pairs)
    return min(max(share, 0.01), 0.99)


def _scaled(flow: FlowEstimate, factor: float) -> FlowEstimate:
    return FlowEstimate(flow.rate * factor, flow.length, flow.columns)


def _since(flow: FlowEstimate) -> tuple[Values, ...]:
    """Over some time, all values that are possible come by."""
    return tuple(Values(column.possible, column.possible) for column in flow.columns)


def _both(left: Values, right: Values) -> Values:
    return Values(max(left.possible, right.possible), left.present + right.present)


def _common(left: Values, right: Values) -> Values:
    return Values(min(left.possible, right.possible), min(left.present, right.present))


def _holding(flow: FlowEstimate, size: float) -> FlowEstimate:
    """The same elements, as many of them at a time."""
    return FlowEstimate(flow.rate, max(size / flow.rate, 1.0) if flow.rate else 1.0, flow.columns)


def _changing(flow: FlowEstimate, size: float, columns: tuple[Values, ...]) -> FlowEstimate:
    """A new result whenever an element comes or goes, but at most one for each group and instant."""
    rate = min(2 * flow.rate, size)
    return FlowEstimate(rate, size / rate if rate else 1.0, columns)


def _values(expression: Expression, flow: FlowEstimate) -> Values:
    return flow.columns[expression.index] if isinstance(expression, Ref) else Values()


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
