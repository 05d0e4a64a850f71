"""One step of a check of the protocol, and all of them."""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["right", "wrong", "skipped"]


@dataclass(frozen=True)
class Step:
    """What was expected of an engine, and what it did."""

    name: str
    expected: str
    outcome: Outcome
    why: str = ""
    """What is wrong, or why it was skipped."""
    sent: str = ""
    got: str = ""

    def to_json(self) -> dict[str, object]:
        return {"step": self.name, **{k: v for k, v in vars(self).items() if k != "name" and v}}


@dataclass(frozen=True)
class ProtocolReport:
    """What an engine got right and wrong."""

    engine: str
    steps: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        """Nothing is wrong, and it could be asked something."""
        return not self.wrong and any(step.outcome == "right" for step in self.steps)

    @property
    def wrong(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.outcome == "wrong")

    def to_json(self) -> dict[str, object]:
        return {"engine": self.engine, "holds": self.holds, "steps": [step.to_json() for step in self.steps]}
