"""By which columns the sources of a plan can be partitioned so that every part runs by itself for ever."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from physical.planning.partition_keys import Keys, pushed, ways_apart
from semantics import Plan
from semantics import plan as nodes

SourceKeys = dict[str, Keys]
"""The key of each source."""

WAYS_PER_SUBPLAN: Final = 64
"""The ways to partition a subplan that are tried: a union of many inputs would have too many."""

ElementWise = nodes.Filter | nodes.Map | nodes.Rstream | nodes.TimeWindow | nodes.LandmarkWindow


def source_keys(plan: Plan) -> SourceKeys | None:
    """The key of each source, with as many columns as possible; None if some operator needs all rows."""
    return max(_free(plan), key=lambda ways: min(map(len, ways.values())), default=None)


def _free(plan: Plan) -> Iterator[SourceKeys]:
    """The ways in which the sources may be partitioned, whatever the partition of the result is."""
    match plan:
        case nodes.Source(name=name, schema=schema):
            columns = range(len(schema))
            yield from ({name: keys} for keys in [tuple(columns), *((k,) for k in columns)] if keys)
        case _ if isinstance(plan, ElementWise):
            yield from _free(plan.input)
        case nodes.Union():
            for both in product(*(islice(_free(child), WAYS_PER_SUBPLAN) for child in plan.inputs)):
                yield from _agreed(both)
        case _:
            for way in ways_apart(plan):
                yield from _agreed([_below(child, keys) for child, keys in zip(plan.inputs, way, strict=True)])


def _below(plan: Plan, keys: Keys) -> SourceKeys | None:
    """How the sources must be partitioned for the plan to be partitioned by these keys."""
    if isinstance(plan, nodes.Source):
        return {plan.name: keys}
    ways = pushed(plan, keys)
    if ways is None:
        return None
    found = [_below(child, own) for child, own in zip(plan.inputs, ways, strict=True)]
    return next(_agreed(found), None)


def _agreed(found: Sequence[SourceKeys | None]) -> Iterator[SourceKeys]:
    """All keys together, unless two of them want different keys for one source."""
    known = [ways for ways in found if ways is not None]
    together = {name: keys for ways in known for name, keys in ways.items()}
    if len(known) == len(found) and all(together[name] == keys for ways in known for name, keys in ways.items()):
        yield together
