"""A fault of an engine, with the smallest case that shows it."""

from dataclasses import dataclass

from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import FaultKind
from semantics import show


@dataclass(frozen=True)
class Finding:
    """A fault, the operator and the situation in which it shows, and the case that shows it."""

    name: FaultKind
    message: str
    operator: str = "*"
    """The operator that is blamed: the root of the blamed node."""
    situation: str = "*"
    counterexample: Counterexample | EngineFault | None = None
    """For a wrong result: the left side is the reference, the right one the engine."""

    def __str__(self) -> str:
        head = f"{self.name} in {self.operator}, situation {self.situation}: {self.message}"
        match self.counterexample:
            case None:
                return head
            case EngineFault(setting=setting):
                return f"{head}\n{setting}"
            case Counterexample():
                return f"{head}\n{self.counterexample}"

    def to_json(self) -> dict[str, object]:
        found = self.counterexample
        return {
            "name": str(self.name),
            "operator": self.operator,
            "situation": self.situation,
            "message": self.message,
            "plan": None if found is None else show(found.plans[0]),
            "streams": {} if found is None else {name: show(s) for name, s in sorted(found.streams.items())},
            "blamed": None if found is None or found.blamed is None else show(found.blamed),
            "counterexample": None if found is None else found.to_json(),
        }
