"""Which kinds of result can tell the result of a plan."""

from typing import Final

from equivalence.conformance.subject.by_command.capabilities import Capabilities, ResultKind
from equivalence.conformance.subject.by_command.panes import panes_of
from semantics import Plan
from semantics.plan import Distinct, Grouping

PANES: Final = ("panes", "updates")
"""Kinds that tell what is in windows."""


def kind_for(capabilities: Capabilities, plan: Plan) -> ResultKind | None:
    """The first kind that the engine gives and that can tell this plan's result."""
    return next((kind for kind in capabilities.results if tells(kind, plan)), None)


def tells(kind: ResultKind, plan: Plan) -> bool:
    """Panes need windows with panes; upserts and updates need a key, so that no row is there twice."""
    if kind in ("upsert", "updates") and not isinstance(plan, Grouping | Distinct):
        return False
    return kind not in PANES or panes_of(plan) is not None
