"""A toy engine in forty lines: filters, maps, time windows, distinct and difference. Two bugs are planted."""

from collections.abc import Mapping
from typing import Any

from physical import PhysicalStream
from semantics import FOREVER, Plan
from semantics.expression import evaluate
from semantics.plan import Difference, Distinct, Filter, Map, Source, TimeWindow


class ToyEngine:
    """Evaluates a plan bottom-up: every node gives its rows, each with every instant at which it is valid."""

    name = "toy"
    latest = 10_000
    """The latest horizon that it takes: it looks at every instant."""

    def supports(self, plan: Plan) -> bool:
        known = isinstance(plan, Source | Filter | Map | Distinct | Difference)
        window = isinstance(plan, TimeWindow) and plan.size != FOREVER and plan.slide == 1
        return (known or window) and all(map(self.supports, plan.inputs))

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> list[tuple[Any, int, int]]:
        return sorted(((row, t, t + 1) for row, t in self.rows(plan, sources, horizon)), key=lambda found: found[1])

    def rows(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> list[tuple[Any, int]]:
        inputs = [self.rows(child, sources, horizon) for child in plan.inputs]
        match plan:
            case Source(name=name):
                elements = PhysicalStream.of(sources[name]).to_interval().elements
                return [(row, t) for row, i in elements for t in range(i.start, int(min(i.end, horizon)))]
            case Filter(predicate=predicate):  # planted: a predicate that is unknown counts as true
                return [(row, t) for row, t in inputs[0] if evaluate(predicate, row) is not False]
            case Map(expressions=expressions):
                return [(tuple(evaluate(e, row) for e in expressions), t) for row, t in inputs[0]]
            case TimeWindow(size=size):
                return [(row, u) for row, t in inputs[0] for u in range(t, t + int(size))]
            case Distinct():
                return list(dict.fromkeys(inputs[0]))
            case Difference():  # planted: one element on the right takes away all equal ones on the left
                gone = set(inputs[1])
                return [found for found in inputs[0] if found not in gone]
        raise NotImplementedError(plan.operator)


engine = ToyEngine()
