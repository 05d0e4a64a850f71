"""What `snapeq verify` found, as a page: what falls short first, then how much of every part holds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from equivalence.report.html import page
from equivalence.report.junit import ReportedVerdict
from equivalence.report.plot import Bar, Plot
from equivalence.verdicts.verdict import Verdict, VerdictKind
from equivalence.verification.claim_outcome import Outcome
from semantics.how_many import how_many


def verification_page(outcomes: Sequence[Outcome]) -> str:
    """The page."""
    return page(
        "snapeq verify", map(_reported, outcomes), (_parts(outcomes), Plot("Noticed", tuple(_noticed(outcomes))))
    )


def _reported(outcome: Outcome) -> ReportedVerdict:
    """A claim that something is wrong holds if that is refuted; what falls short is shown with its text."""
    name = f"{outcome.part}: {outcome.name} ({outcome.claim})"
    if not outcome.holds:
        said = "\n".join(part for part in (outcome.verdict, outcome.text) if part)
        return ReportedVerdict(name, Verdict("refuted", {"error": said}))
    cases = outcome.evidence.get("cases")
    why = how_many(cases, "case") if isinstance(cases, int) else ""
    kinds: tuple[VerdictKind, ...] = get_args(VerdictKind)
    kind: VerdictKind = next((kind for kind in kinds if kind == outcome.verdict), "agreed")
    return ReportedVerdict(name, Verdict(kind, {"why": why}), expected=not Verdict(kind).holds)


def _parts(outcomes: Sequence[Outcome]) -> Plot:
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        claim = "golden cases" if outcome.part == "corpus" else outcome.claim
        groups.setdefault(f"{outcome.part}: {claim}", []).append(outcome)
    return Plot("Claims that hold", tuple(Bar(name, sum(o.holds for o in of), len(of)) for name, of in groups.items()))


def _noticed(outcomes: Sequence[Outcome]) -> Iterator[Bar]:
    """Neighbours that cases told apart, and machine-made mutants that were killed, by what was verified."""
    for outcome in outcomes:
        found = outcome.evidence.get("neighbours")
        if isinstance(found, Mapping):
            told, of = found.get("told_apart"), found.get("of")
            if isinstance(told, int) and isinstance(of, int) and of:
                yield Bar(f"neighbours, {outcome.name}", told, of, may_fall_short=True)
        killed, survived = outcome.evidence.get("killed"), outcome.evidence.get("survived")
        if isinstance(killed, int) and isinstance(survived, int):
            yield Bar("machine mutants", killed, killed + survived, may_fall_short=True)
