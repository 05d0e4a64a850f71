"""A case: streams for all sources of a plan."""

from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from equivalence.cases.choices import Drawn
from equivalence.cases.constrained_cases import Case, a_case
from equivalence.cases.streams import HORIZON
from semantics.evaluate import Planned

CASE_HORIZON: Final = HORIZON + 4
"""Far enough to see most windows run empty."""


@st.composite
def cases(draw: DrawFn, plan: Planned, *, max_size: int = 8, awkward: bool = True) -> Case:
    """Streams for every source of a plan."""
    return a_case(Drawn(draw), plan.plan.sources(), max_size=max_size, awkward=awkward)
