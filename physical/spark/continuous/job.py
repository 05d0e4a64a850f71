"""What every part of a continuous query computes."""

from dataclasses import dataclass

from semantics import Plan, Schema


@dataclass(frozen=True)
class Job:
    """A plan over named sources; a source's place is its tag."""

    plan: Plan
    sources: tuple[tuple[str, Schema], ...]
    allow_unbounded: bool = False
