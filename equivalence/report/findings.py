"""What the conformance suite found, as text and for build servers."""

from typing import Final

from equivalence.conformance.matrix import CellVerdict, Conformance
from equivalence.report.junit import Judged
from equivalence.report.picture import picture
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.fault_kind import NOTES
from equivalence.verdicts.finding import Finding
from equivalence.verdicts.verdict import Kind, Verdict

_KINDS: Final[dict[CellVerdict, Kind]] = {
    "agreed": "agreed",
    "refuted": "refuted",
    "known gap": "unknown",
    "unsupported": "unknown",
    "hindered": "vacuous",
    "vacuous": "vacuous",
}


def text_of(finding: Finding) -> str:
    """A finding in words, and as a picture if there is something to draw."""
    drawn = [picture(finding.counterexample)] if isinstance(finding.counterexample, Counterexample) else []
    return "\n\n".join([str(finding), *drawn])


def judged(result: Conformance) -> list[Judged]:
    """One verdict for every operator, and one for every finding."""
    operators = [Judged(name, Verdict(_KINDS[cell], {"why": cell})) for name, cell in result.verdicts.items()]
    return operators + [_finding(finding) for finding in result.findings]


def _finding(finding: Finding) -> Judged:
    kind: Kind = "unknown" if finding.name in NOTES else "refuted"
    place = f"{finding.operator}/{finding.situation}: {finding.name}"
    if finding.counterexample is None:
        return Judged(place, Verdict(kind, {"error": str(finding)}))
    return Judged(place, Verdict(kind, {"error": finding.message}, finding.counterexample))
