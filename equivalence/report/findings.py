"""Findings of the conformance suite, as text and for build servers."""

from typing import Final

from equivalence.conformance.matrix import CellVerdict, Conformance
from equivalence.report.junit import ReportedVerdict
from equivalence.report.picture import picture
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


def _operator(result: Conformance, name: str, cell: CellVerdict) -> ReportedVerdict:
    why = f"engine {result.engine} does not support {name}" if cell == "unsupported" else cell
    measured = {"neighbours": dict(result.neighbours[name])} if name in result.neighbours else {}
    return ReportedVerdict(name, Verdict(_KINDS[cell], {"why": why, **measured}))


def _finding(finding: Finding) -> ReportedVerdict:
    kind: VerdictKind = "unknown" if finding.name in NO_FAILURES else "refuted"
    place = f"{finding.operator}/{finding.situation}: {finding.name}"
    if finding.counterexample is None:
        return ReportedVerdict(place, Verdict(kind, {"error": str(finding)}))
    return ReportedVerdict(place, Verdict(kind, {"error": finding.message}, finding.counterexample))
