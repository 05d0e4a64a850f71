"""Plans with more of something than usual: columns, sources, operators on top of each other, one input in two forms."""

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from equivalence.cases.aggregate_parameters import with_any_parameter
from equivalence.cases.plan_shapes import ManyAggregates, MeetingInputs
from equivalence.cases.random_aggregates import ALL_KINDS, takes
from equivalence.cases.random_plans import Catalogue, PlanGenerator
from semantics import Plan, Schema, Scope
from semantics.aggregate import Aggregate
from semantics.expression import IsNull, Not, Ref
from semantics.plan import Distinct, Filter, Map, Source, TimeWindow, Union

WIDTH: Final = 12
LEAST_STEPS: Final = 8
MOST_STEPS: Final = 14
SOURCES: Final = "ABCDEFGH"
_TYPES: Final = (int, str, bool, float)


def _wide(letter: str) -> Schema:
    return Schema.of(**{f"{letter}{i}": _TYPES[i % len(_TYPES)] for i in range(WIDTH)})


CATALOGUE_OF_WIDE_ROWS: Final[Catalogue] = {"A": _wide("c"), "B": _wide("d")}
CATALOGUE_OF_MANY_SOURCES: Final[Catalogue] = {name: Schema.of(x=int, s=str) for name in SOURCES}


class RelatedInputs(MeetingInputs):
    """Both inputs come from one plan, of which one of them is a part, or each row once, or twice."""

    def pair(self, depth: int) -> tuple[Plan, Plan]:
        left = self.plan(depth - 1)
        right = self._related(left)
        return (right, left) if self.choices.chance(1, 3) else (left, right)

    def alike(self, depth: int) -> tuple[Plan, Plan]:
        return self.pair(depth)

    def _related(self, plan: Plan) -> Plan:
        made: dict[type[Plan], Callable[[], Plan]] = {
            Filter: lambda: Filter(plan, self.predicate(Scope(plan.schema))),
            Distinct: lambda: Distinct(plan),
            Union: lambda: Union(plan, plan),
        }
        known: list[type[Plan]] = [kind for kind in (Filter, Filter, Distinct, Union) if kind in self.kinds]
        return made[self.choices.of(known)]() if known else plan


class WideRows(MeetingInputs):
    """Rows of many columns, and keys anywhere among them."""

    def keys(self, child: Plan) -> tuple[int, ...]:
        keys = [self.choices.below(len(child.schema)) for _ in range(self.choices.between(1, 4))]
        return tuple(dict.fromkeys(keys))

    def _narrow(self, plan: Plan) -> Plan:
        return plan


class ManySources(PlanGenerator):
    """What stands for a source is the union of several, so that a plan reads many."""

    def source(self) -> Plan:
        names = sorted(self.catalogue)
        if Union not in self.kinds:
            return super().source()
        first = self.choices.below(len(names))
        some = [names[(first + i) % len(names)] for i in range(self.choices.between(2, len(names)))]
        sources: list[Plan] = [Source(name, self.catalogue[name]) for name in some]
        return reduce(Union, sources)


class LongChains(PlanGenerator):
    """Many operators, one above the other, that leave most rows as they are."""

    def plan(self, depth: int) -> Plan:  # noqa: ARG002  # what is below is as long as it is
        plan = self.source()
        for _ in range(self.choices.between(LEAST_STEPS, MOST_STEPS)):
            plan = self._step(plan)
        return plan

    def _step(self, plan: Plan) -> Plan:
        refs = tuple(Ref(i, type_) for i, type_ in enumerate(plan.schema.types))
        made: dict[type[Plan], Callable[[], Plan]] = {
            Map: lambda: Map(plan, refs, plan.schema.names),
            Filter: lambda: Filter(plan, Not(IsNull(self.choices.of(refs)))),
            Distinct: lambda: Distinct(plan),
            TimeWindow: lambda: TimeWindow(plan, self.choices.between(1, 2)),
        }
        known: list[type[Plan]] = [kind for kind in (Map, Filter, Distinct, Map, TimeWindow) if kind in self.kinds]
        return made[self.choices.of(known)]() if known else plan


class AggregatesOfTypes(ManyAggregates):
    """Every aggregate of every column that it takes, whatever its type is."""

    def _an_aggregate(self, child: Plan, kinds: Any = None) -> Aggregate:  # noqa: ARG002  # all of them
        index = self.choices.below(len(child.schema))
        type_ = child.schema.types[index]
        make = self.choices.of([make for name, (_, make) in ALL_KINDS.items() if takes(name, type_)])
        return with_any_parameter(self.choices, make(Ref(index, type_)))
