"""What an engine was given when it did something else than give a wrong result: raised, hung, crashed, …"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equivalence.verdicts.counterexample import json_circumstances, json_inputs, show_blamed, show_inputs
from semantics import Plan, Stream

if TYPE_CHECKING:
    from equivalence.cases.delivery import Delivery


@dataclass(frozen=True)
class EngineFault:
    """A plan, streams and how they were delivered; the name of what went wrong then, and a message."""

    plan: Plan
    streams: Mapping[str, Stream]
    horizon: int
    fault: str
    message: str
    blamed: Plan | None = None
    """The lowest node at which something is wrong with the engine."""
    delivery: "Delivery | None" = None

    @property
    def plans(self) -> tuple[Plan, ...]:
        return (self.plan,)

    @property
    def setting(self) -> str:
        """What the engine was given, and whom to blame."""
        return "\n".join([*show_inputs(self.streams, self.plan), *show_blamed(self.blamed)])

    def __str__(self) -> str:
        return f"{self.fault}: {self.message}\n{self.setting}"

    def to_json(self) -> dict[str, object]:
        """The document of a counterexample, which here has no instant and no snapshots but the name of the fault."""
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
