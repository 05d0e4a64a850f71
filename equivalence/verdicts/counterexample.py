"""Where two sides differ: as data, from which text and JSON are made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from semantics import Instant, Multiset, Plan, Stream, show
from semantics.constraint import elements_of
from semantics.notation.json_values import json_element, json_value
from semantics.notation.show import show_multiset, show_step
from semantics.notation.show_expression import show_name

if TYPE_CHECKING:
    from equivalence.cases.delivery import Delivery


@dataclass(frozen=True)
class Counterexample:
    """Plans, the streams they were run on, and the first instant at which left and right differ."""

    plans: tuple[Plan, ...]
    streams: Mapping[str, Stream]
    instant: Instant
    left: Multiset
    right: Multiset
    blamed: Plan | None = None
    """The lowest node whose output from the engine differs from what the operator makes of the node's own inputs."""
    delivery: "Delivery | None" = None
    """How the streams reached the engine, if not as whole streams."""

    def __str__(self) -> str:
        lets = show_inputs(self.streams, *self.plans)
        ends = [f"at instant {self.instant} the left holds  {show_multiset(self.left)}"]
        ends += [f"{' ' * len(f'at instant {self.instant}')} the right holds {show_multiset(self.right)}"]
        return "\n".join([*lets, *ends, *show_blamed(self.blamed)])

    def to_json(self) -> dict[str, object]:
        """The JSON document; the blamed node and the delivery are in it only if there is something to say."""
        return {
            **json_inputs(self.streams, *self.plans),
            "instant": self.instant,
            "left": [[json_value(value) for value in row] for row in self.left],
            "right": [[json_value(value) for value in row] for row in self.right],
            **json_circumstances(self.blamed, self.delivery),
        }


def show_inputs(streams: Mapping[str, Stream], *plans: Plan) -> list[str]:
    """One line for each stream, and one for each plan."""
    lets = [f"let {show_name(name)} = {show(stream)}" for name, stream in sorted(streams.items())]
    return [*lets, *(f"plan {show(plan)}" for plan in plans)]


def show_blamed(blamed: Plan | None) -> list[str]:
    return [] if blamed is None else [f"to blame is {show_step(blamed)} in {show(blamed)}"]


def json_inputs(streams: Mapping[str, Stream], *plans: Plan) -> dict[str, object]:
    """The streams, element by element, and the plans."""
    return {
        "streams": {name: [json_element(*e) for e in elements_of(stream)] for name, stream in sorted(streams.items())},
        "plans": [show(plan) for plan in plans],
    }


def json_circumstances(blamed: Plan | None, delivery: "Delivery | None") -> dict[str, object]:
    """The blamed node and the delivery, each only if there is something to say."""
    delivered = {} if delivery is None else delivery.to_json()
    return {**({} if blamed is None else {"blamed": show(blamed)}), **({"way": delivered} if delivered else {})}
