"""What the conformance suite says of an engine: a matrix of operators and situations, and findings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, cast

from equivalence.cases.search import CaseOutcome
from equivalence.conformance.coverage import Coverage
from equivalence.verdicts.fault_kind import NO_FAILURES
from equivalence.verdicts.finding import Finding
from semantics.how_many import how_many

CellVerdict = Literal["agreed", "refuted", "known gap", "unsupported", "hindered", "vacuous", "unseen"]
"""Hindered: what was tried failed because of another operator in the plan. Vacuous: no result ever held a row.
Unseen: nothing was tried."""
MISSES_TO_CLOSE: Final = 3
GAPS_TO_SETTLE: Final = 4


@dataclass
class Cell:
    """What was seen of one operator in one situation."""

    empty_counts: bool = False
    """Is a result that is rightly empty what this situation is about?"""
    tally: dict[CaseOutcome, int] = field(default_factory=lambda: dict.fromkeys(CaseOutcome, 0))
    hindered: int = 0
    misses: int = 0
    """How often no plan was found that the engine can run."""
    failed: Literal["refuted", "known gap"] | None = None
    gaps: int = 0
    """How many cases showed a known gap."""

    @property
    def settled(self) -> bool:
        """Can nothing more be learnt? A known gap may stand before something else, so it is met several times."""
        return self.failed == "refuted" or self.gaps >= GAPS_TO_SETTLE

    def fail(self, by_known_gap: bool) -> None:
        """A case showed that the operator is wrong here."""
        self.gaps += by_known_gap
        if self.failed is None or not by_known_gap:
            self.failed = "known gap" if by_known_gap else "refuted"

    @property
    def closed(self) -> bool:
        """Is it no use to look for another plan that the engine can run?"""
        return self.misses >= MISSES_TO_CLOSE and self.misses > sum(self.tally.values())

    @property
    def verdict(self) -> CellVerdict:
        if self.failed is not None:
            return self.failed
        if self.tally[CaseOutcome.FIRED] or (self.empty_counts and self.tally[CaseOutcome.EMPTY]):
            return "agreed"
        tried = sum(self.tally.values())
        if tried == self.tally[CaseOutcome.UNSUPPORTED] and not self.hindered:
            return "unsupported" if tried or self.misses else "unseen"
        return "hindered" if self.hindered else "vacuous"


Matrix = Mapping[str, Mapping[str, Cell]]
"""Cells by operator and situation."""

_ORDER: tuple[CellVerdict, ...] = ("refuted", "agreed", "known gap", "hindered", "vacuous", "unseen", "unsupported")
"""Of an operator's cells the first of these that there is decides: with few cases, some cells get no turn, and what was
not found for others says nothing about these."""


@dataclass(frozen=True)
class Conformance:
    """The verdict on an engine, operator by operator, with what is wrong in the smallest cases that show it."""

    engine: str
    matrix: Matrix
    cases: int
    findings: tuple[Finding, ...]
    seed: int = 0
    tolerance: float | None = None
    """The relative error of floats that was allowed, if any."""
    given_up: str = ""
    """Why not all cases were tried, if so."""
    coverage: Coverage | None = None
    """Which pairs of dimension values were examined, if they were."""
    neighbours: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """By operator: how many neighbours of the plans tried the cases told from them."""

    @property
    def verdicts(self) -> dict[str, CellVerdict]:
        """One verdict per operator."""
        found = {operator: {cell.verdict for cell in cells.values()} for operator, cells in self.matrix.items()}
        return {o: next((v for v in _ORDER if v in verdicts), "vacuous") for o, verdicts in found.items()}

    @property
    def holds(self) -> bool:
        """Nothing is wrong but known gaps, and something was looked at: to support nothing is no success."""
        verdicts = set(self.verdicts.values())
        return (
            "agreed" in verdicts and not verdicts & {"refuted", "vacuous", "hindered", "unseen"} and not self.failures
        )

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The findings that are more than notes."""
        return tuple(finding for finding in self.findings if finding.name not in NO_FAILURES)

    @property
    def lines(self) -> list[tuple[str, str, str]]:
        """Operator, verdict, and what the cases would have noticed."""
        return [(operator, verdict, self._noticed(operator)) for operator, verdict in self.verdicts.items()]

    def _noticed(self, operator: str) -> str:
        measured = self.neighbours.get(operator)
        if measured is None:
            return ""
        text = f"{measured['told_apart']} of {how_many(cast(int, measured['of']), 'neighbour')} told apart"
        unnoticed = measured["open"]
        return f"{text}, no {' or '.join(unnoticed)}" if isinstance(unnoticed, list) and unnoticed else text

    def __str__(self) -> str:
        width = max(map(len, self.matrix), default=0)
        rows = [f"{operator:{width}}  {verdict}" for operator, verdict in self.verdicts.items()]
        allowed = f", floats within {self.tolerance}" if self.tolerance else ""
        head = (
            f"engine {self.engine}: {how_many(self.cases, 'case')}{allowed}; {'holds' if self.holds else 'falls short'}"
        )
        remarks = [f"\n{self.given_up}"] if self.given_up else []
        return "\n".join([head, *rows, *(f"\n{finding}" for finding in self.findings), *remarks])

    def to_json(self) -> dict[str, object]:
        cells = {o: {s: cell.verdict for s, cell in cells.items()} for o, cells in self.matrix.items()}
        return {
            "engine": self.engine,
            "matrix": self.verdicts,
            "cases": self.cases,
            "findings": [finding.to_json() for finding in self.findings],
            "situations": cells,
            "seed": self.seed,
            "tolerance": self.tolerance,
            "holds": self.holds,
            "neighbours": self.neighbours,
            **({"given_up": self.given_up} if self.given_up else {}),
            **({} if self.coverage is None else {"coverage": self.coverage.to_json()}),
        }
