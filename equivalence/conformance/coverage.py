"""Which pairs of dimension values an engine was examined with, for every operator."""

from collections import defaultdict
from dataclasses import dataclass, field

from equivalence.cases.dimensions.covering import Pair, pairs_of, possible_pairs
from equivalence.cases.dimensions.dimension import Row
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.search import CaseOutcome
from equivalence.verdicts.finding import Finding
from semantics import Plan

EXAMINED = frozenset({CaseOutcome.FIRED, CaseOutcome.OVERFLOW})
"""An empty result does not tell much of an engine, and a case that could not be run tells nothing."""


@dataclass
class Coverage:
    """The pairs that were examined, and those of plans that the engine says it cannot run."""

    sessions: bool
    """Only engines with sessions can be given elements step by step."""
    rows: int = 0
    seen: dict[str, set[Pair]] = field(default_factory=lambda: defaultdict(set))
    unsupported: dict[str, set[Pair]] = field(default_factory=lambda: defaultdict(set))

    def note(self, operator: type[Plan], row: Row, outcome: Finding | CaseOutcome) -> None:
        self.rows += 1
        if outcome is CaseOutcome.UNSUPPORTED:
            self.unsupported[operator.__name__] |= set(pairs_of(row))
        elif isinstance(outcome, Finding) or outcome in EXAMINED:
            self.seen[operator.__name__] |= set(pairs_of(row))

    def leave_out(self, operator: type[Plan]) -> None:
        """The engine does not know the operator, with whatever values."""
        self.unsupported[operator.__name__] |= possible_pairs(operator, self.sessions)

    def missing(self, operator: type[Plan]) -> list[Pair]:
        """The empty cells: pairs that can occur with an operator, and were not examined."""
        noted = self.seen[operator.__name__] | self.unsupported[operator.__name__]
        return sorted(possible_pairs(operator, self.sessions) - noted)

    @property
    def empty_cells(self) -> dict[str, list[Pair]]:
        """By operator, where there are any."""
        missing = {operator.__name__: self.missing(operator) for operator in OPERATORS}
        return {name: pairs for name, pairs in missing.items() if pairs}

    @property
    def pairs(self) -> int:
        """How many cells there are, of all operators together."""
        return sum(len(possible_pairs(operator, self.sessions)) for operator in OPERATORS)

    @property
    def complete(self) -> bool:
        return not self.empty_cells

    def lines(self) -> list[tuple[str, str]]:
        """For each operator, how many pairs were examined, of how many; and one line for each empty cell."""
        lines = []
        for operator in OPERATORS:
            pairs = possible_pairs(operator, self.sessions)
            unsupported = len(self.unsupported[operator.__name__] - self.seen[operator.__name__])
            note = f", {unsupported} unsupported" if unsupported else ""
            lines.append((operator.__name__, f"{len(self.seen[operator.__name__])} of {len(pairs)} pairs{note}"))
            lines += [("", f"empty: {show_pair(pair)}") for pair in self.missing(operator)]
        return lines

    def to_json(self) -> dict[str, object]:
        return {
            "rows": self.rows,
            "pairs": {o.__name__: len(possible_pairs(o, self.sessions)) for o in OPERATORS},
            "examined": {o.__name__: len(self.seen[o.__name__]) for o in OPERATORS},
            "empty": {name: [show_pair(pair) for pair in pairs] for name, pairs in self.empty_cells.items()},
        }


def show_pair(pair: Pair) -> str:
    return " × ".join(f"{name}: {value}" for name, value in pair)
