"""Where two lists differ although a rule says that they are equivalent."""

from collections.abc import Mapping
from dataclasses import dataclass

from equivalence.lists.equivalences import Equivalence, first_difference, rows_at
from equivalence.lists.list_expression import Listing, show_listing
from equivalence.lists.list_operators import ElementList, show_elements
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from semantics import Instant
from semantics.notation.json_values import json_element
from semantics.notation.show_expression import show_row


@dataclass(frozen=True)
class ListCounterexample:
    """Two expressions, the lists they were evaluated on, and their results, which are not equivalent."""

    sides: tuple[Listing, Listing]
    lists: Mapping[str, ElementList]
    equivalence: Equivalence
    left: ElementList
    right: ElementList

    @property
    def instant(self) -> Instant | None:
        """The first instant at which the rows differ, if it is these that are compared."""
        if not self.equivalence.startswith("snapshot"):
            return None
        return first_difference(self.left, self.right, self.equivalence)

    def __str__(self) -> str:
        lets = [f"let {name} = {show_elements(elements)}" for name, elements in sorted(self.lists.items())]
        sides = [f"list {show_listing(side)}" for side in self.sides]
        left, right = (self._shown(elements) for elements in (self.left, self.right))
        where = f"as {self.equivalence}" if self.instant is None else f"as {self.equivalence} at instant {self.instant}"
        return "\n".join([*lets, *sides, f"{where} the left is  {left}", f"{' ' * len(where)} the right is {right}"])

    def to_json(self) -> dict[str, object]:
        return {
            "streams": {name: [json_element(*e) for e in elements] for name, elements in sorted(self.lists.items())},
            "plans": [show_listing(side) for side in self.sides],
            "instant": self.instant,
            "left": [json_element(*e) for e in self.left],
            "right": [json_element(*e) for e in self.right],
        }

    def _shown(self, elements: ElementList) -> str:
        if self.instant is None:
            return show_elements(elements)
        return " ".join(show_row(row) for row in rows_at(elements, self.instant)) or "nothing"


AnyCounterexample = Counterexample | ListCounterexample | EngineFault
