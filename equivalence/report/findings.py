"""Findings of the conformance suite, as text and for build servers."""

from typing import Final

from equivalence.conformance.matrix import CellVerdict, Conformance
from equivalence.report.junit import ReportedVerdict
from equivalence.report.picture import picture
from equivalence.report.plot import Bar, Plot, amounts
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.fault_kind import NO_FAILURES
from equivalence.verdicts.finding import Finding
from equivalence.verdicts.verdict import Verdict, VerdictKind

_KINDS: Final[dict[CellVerdict, VerdictKind]] = {
    "agreed": "agreed",
    "refuted": "refuted",
    "known gap": "unknown",
    "unsupported": "unknown",
    "hindered": "vacuous",
    "vacuous": "vacuous",
    "unseen": "vacuous",
}


def text_of(finding: Finding) -> str:
    """A finding in words and, if it is a wrong result, as a picture."""
    drawn = [picture(finding.counterexample)] if isinstance(finding.counterexample, Counterexample) else []
    return "\n\n".join([str(finding), *drawn])


def judged(result: Conformance) -> list[ReportedVerdict]:
    """One verdict for every operator, and one for every finding."""
    return [_operator(result, name, cell) for name, cell in result.verdicts.items()] + [
        _finding(finding) for finding in result.findings
    ]


def plots(result: Conformance) -> list[Plot]:
    """Which operators the cases reached, and how many small changes of the plans they would have noticed."""
    tried = [(name, sum(sum(cell.tally.values()) for cell in cells.values())) for name, cells in result.matrix.items()]
    noticed = [(name, found.get("told_apart"), found.get("of")) for name, found in result.neighbours.items()]
    bars = [Bar(name, n, of) for name, n, of in noticed if isinstance(n, int) and isinstance(of, int) and of]
    return [amounts("Cases by operator", tried), Plot("Neighbours told apart by operator", tuple(bars))]


def _operator(result: Conformance, name: str, cell: CellVerdict) -> ReportedVerdict:
    why = f"engine {result.engine} does not support {name}" if cell == "unsupported" else cell
    unsupported = {"unsupported": True} if cell == "unsupported" else {}
    measured = {"neighbours": dict(result.neighbours[name])} if name in result.neighbours else {}
    return ReportedVerdict(name, Verdict(_KINDS[cell], {"why": why, **unsupported, **measured}))


def _finding(finding: Finding) -> ReportedVerdict:
    kind: VerdictKind = "unknown" if finding.name in NO_FAILURES else "refuted"
    place = f"{finding.operator}/{finding.situation}: {finding.name}"
    if finding.counterexample is None:
        return ReportedVerdict(place, Verdict(kind, {"error": str(finding)}))
    return ReportedVerdict(place, Verdict(kind, {"error": finding.message}, finding.counterexample))
