"""The recorded answers of the oracle that is extracted from the Coq proofs."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from semantics import Interval, IntervalStream, LogicalStream, Multiset, Plan, Schema, Stream, parse_plan, to_logical
from tests.paths import ROOT

COQ: Final = ROOT / "proofs" / "coq"

Element = tuple[int, int, int]
"""Value, start, end."""
Evaluate = Callable[[Plan, Mapping[str, Stream], int], LogicalStream]


@dataclass(frozen=True)
class Vector:
    """One plan on recorded inputs, its snapshots, and what the proved algorithm puts out, if there is one."""

    operator: str
    parameters: tuple[int, ...]
    plan: Plan
    inputs: Mapping[str, list[Element]]
    expected: LogicalStream
    elements: list[Element] | None

    @property
    def streams(self) -> dict[str, Stream]:
        schemas = self.plan.sources()
        return {name: physical(schemas[name], elements) for name, elements in self.inputs.items()}

    def agrees(self, evaluate: Evaluate) -> bool:
        return evaluate(self.plan, self.streams, self.expected.horizon) == self.expected

    def is_meant_by(self, elements: Iterable[Element]) -> bool:
        """Do these elements, of one column, have the expected snapshots?"""
        return to_logical(physical(self.plan.schema, elements), self.expected.horizon) == self.expected


def physical(schema: Schema, elements: Iterable[Element]) -> IntervalStream:
    return IntervalStream(schema, [((value,), Interval(start, end)) for value, start, end in elements])


def read(case: dict[str, Any]) -> Vector:
    """A case of the file."""
    plan = parse_plan(case["plan"])
    snapshots = [Multiset({tuple(row): n for row, n in snapshot}) for snapshot in case["snapshots"]]
    expected = LogicalStream(plan.schema, tuple(snapshots))
    inputs = {name: [(x, s, f) for x, s, f in elements] for name, elements in case["inputs"].items()}
    return Vector(case["operator"], tuple(case["parameters"]), plan, inputs, expected, case["elements"])


def cases() -> list[dict[str, Any]]:
    """All cases of the file, as they stand there."""
    document = json.loads((COQ / "vectors.json").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = document["cases"]
    return found
