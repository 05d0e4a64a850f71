"""A case: streams for all sources of a plan."""

from collections.abc import Mapping
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from equivalence.generate.streams import HORIZON, streams
from semantics import Schema, Stream
from semantics.evaluate import Planned
from semantics.plan import Plan, Source

Case = Mapping[str, Stream]
CASE_HORIZON: Final = HORIZON + 4
"""Far enough to see most windows run empty."""


def sources(plan: Plan) -> dict[str, Schema]:
    """The sources that a plan reads, by name."""
    if isinstance(plan, Source):
        return {plan.name: plan.schema}
    return {name: schema for child in plan.inputs for name, schema in sources(child).items()}


def cases(plan: Planned, *, max_size: int = 8, awkward: bool = True) -> SearchStrategy[Case]:
    """Streams for every source of a plan."""
    schemas = sources(plan.plan)
    return st.fixed_dictionaries(
        {name: streams(schemas[name], max_size=max_size, awkward=awkward) for name in sorted(schemas)}
    )
