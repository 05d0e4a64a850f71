"""A toy engine in forty lines: filters, time windows, distinct and difference over intervals. Two bugs are planted."""

from collections.abc import Mapping
from typing import Any

from physical import PhysicalStream
from semantics import FOREVER, Interval, Plan
from semantics.expression import evaluate
from semantics.plan import Difference, Distinct, Filter, Source, TimeWindow

Elements = list[tuple[Any, Interval]]


class ToyEngine:
    """Evaluates a plan bottom-up, one list of elements per node."""

    name = "toy"

    def supports(self, plan: Plan) -> bool:
        known = isinstance(plan, Source | Filter | Distinct | Difference)
        window = isinstance(plan, TimeWindow) and plan.size != FOREVER and plan.slide == 1
        return (known or window) and all(self.supports(child) for child in plan.inputs)

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> Elements:
        inputs = [self.run(child, sources, horizon) for child in plan.inputs]
        match plan:
            case Source(name=name):
                return list(PhysicalStream.of(sources[name]).to_interval().elements)
            case Filter(predicate=predicate):  # planted: a predicate that is unknown counts as true
                return [(row, i) for row, i in inputs[0] if evaluate(predicate, row) is not False]
            case TimeWindow(size=size):
                return [(row, Interval(t, t + int(size))) for row, t in _chronons(inputs[0], horizon)]
            case Distinct():
                return [(row, Interval(t, t + 1)) for row, t in dict.fromkeys(_chronons(inputs[0], horizon))]
            case Difference():  # planted: one element on the right takes away all equal ones on the left
                gone = set(_chronons(inputs[1], horizon))
                return [(row, Interval(t, t + 1)) for row, t in _chronons(inputs[0], horizon) if (row, t) not in gone]
            case _:
                raise NotImplementedError(plan.operator)


def _chronons(elements: Elements, horizon: int) -> list[tuple[Any, int]]:
    """Every row at every instant at which it is valid, by time."""
    spans = ((row, range(i.start, int(min(i.end, horizon)))) for row, i in elements)
    return sorted(((row, t) for row, span in spans for t in span), key=lambda pair: pair[1])


engine = ToyEngine()
