"""What every part of a continuous query computes."""

from dataclasses import dataclass

from physical.engines.spark.continuous.ahead import AheadBound
from semantics import Plan, Schema


@dataclass(frozen=True)
class PartTask:
    """A plan over streams, whose position is their tag, and over tables, which are known from the start."""

    plan: Plan
    streams: tuple[tuple[str, Schema], ...]
    tables: tuple[tuple[str, Schema], ...] = ()
    allow_unbounded: bool = False
    changelog: bool = False
    """Is the output a log of changes and not intervals?"""
    bounds: tuple[tuple[str, AheadBound], ...] = ()
    """How far elements of each stream may be in the future; others may be anywhere."""
