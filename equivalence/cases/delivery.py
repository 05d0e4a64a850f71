"""How a case reaches an engine: as whole streams of rows, as whole streams in columns, or step by step."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from equivalence.cases.schedules import Heartbeat, Schedule, Step
from semantics.notation.json_values import json_element


@dataclass(frozen=True)
class Delivery:
    """Rows, columns or a schedule. A schedule drives a session, whose inputs may be late by the slack."""

    columns: bool = False
    schedule: Schedule | None = None
    slack: int = 0

    def __str__(self) -> str:
        if self.schedule is not None:
            return f"pushed in {len(self.schedule)} steps" + (f" with slack {self.slack}" if self.slack else "")
        return "handed over in columns" if self.columns else "handed over as whole streams"

    def only(self, names: Collection[str]) -> "Delivery":
        """The same delivery without the steps of other sources."""
        if self.schedule is None:
            return self
        kept = tuple(step for step in self.schedule if step.source is None or step.source in names)
        return replace(self, schedule=kept)

    def to_json(self) -> dict[str, object]:
        if self.schedule is not None:
            return {"schedule": [_step(step) for step in self.schedule], "slack": self.slack}
        return {"columns": True} if self.columns else {}


WHOLE: Final = Delivery()


def _step(step: Step) -> dict[str, object]:
    if isinstance(step, Heartbeat):
        return {"heartbeat": step.instant, **({} if step.source is None else {"source": step.source})}
    return {"push": [json_element(row, valid) for row, valid in step.elements], "source": step.source}
