"""What an engine was given when it raised, hung, crashed or otherwise gave no valid result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equivalence.verdicts.counterexample import json_circumstances, json_inputs, show_blamed, show_inputs
from semantics import Plan, Stream

if TYPE_CHECKING:
    from equivalence.cases.delivery import Delivery


@dataclass(frozen=True)
class EngineFault:
    """A plan, streams and their delivery; the kind of fault that they led to, and a message."""

    plan: Plan
    streams: Mapping[str, Stream]
    horizon: int
    fault: str
    message: str
    blamed: Plan | None = None
    """The lowest node at which the engine has a fault."""
    delivery: "Delivery | None" = None

    @property
    def plans(self) -> tuple[Plan, ...]:
        return (self.plan,)

    @property
    def setting(self) -> str:
        """What the engine was given, and the blamed node."""
        return "\n".join([*show_inputs(self.streams, self.plan), *show_blamed(self.blamed)])

    def __str__(self) -> str:
        return f"{self.fault}: {self.message}\n{self.setting}"

    def to_json(self) -> dict[str, object]:
        """The document of a counterexample, with the kind of fault instead of an instant and snapshots."""
        return {
            **json_inputs(self.streams, self.plan),
            "instant": None,
            "left": None,
            "right": None,
            "fault": self.fault,
            "message": self.message,
            "horizon": self.horizon,
            **json_circumstances(self.blamed, self.delivery),
        }
