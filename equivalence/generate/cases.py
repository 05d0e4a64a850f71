"""A case: streams for all sources of a plan."""

from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from equivalence.generate.catalogue import Case, a_case
from equivalence.generate.choices import Drawn
from equivalence.generate.streams import HORIZON
from semantics import Schema
from semantics.evaluate import Planned
from semantics.plan import Plan, Source

CASE_HORIZON: Final = HORIZON + 4
"""Far enough to see most windows run empty."""


def sources(plan: Plan) -> dict[str, Schema]:
    """The sources that a plan reads, by name."""
    if isinstance(plan, Source):
        return {plan.name: plan.schema}
    return {name: schema for child in plan.inputs for name, schema in sources(child).items()}


@st.composite
def cases(draw: DrawFn, plan: Planned, *, max_size: int = 8, awkward: bool = True) -> Case:
    """Streams for every source of a plan."""
    return a_case(Drawn(draw), sources(plan.plan), max_size=max_size, awkward=awkward)
