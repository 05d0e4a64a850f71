"""Verdicts as text for people."""

from collections.abc import Mapping
from typing import Final

from equivalence.report.picture import picture
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import AnyCounterexample
from equivalence.verdicts.verdict import Verdict
from semantics.how_many import how_many

_HOW: Final = {"sampled": "by samples", "exhaustive": "on all small cases", "replayed": "when run again"}

REASONS: Final = ("error", "why", "reason")
"""Where evidence says why there is no success: on a line of its own, since it may be long."""


def headline(verdict: Verdict) -> str:
    """The verdict in capitals and, in brackets, its evidence.

    >>> headline(Verdict("agreed", {"how": "sampled", "cases": 1000, "fired": 970, "seed": 0}))
    'AGREED (by samples; cases 1000, fired 970, seed 0)'
    >>> headline(Verdict("proved"))
    'PROVED'
    """
    how = str(verdict.evidence.get("how", ""))
    numbers = [f"{_plain(key)} {value}" for key, value in verdict.evidence.items() if _tells(key, value)]
    parts = (_HOW.get(how, how), ", ".join(numbers), _neighbours(verdict.evidence.get("neighbours")))
    brackets = "; ".join(part for part in parts if part)
    return verdict.kind.upper() + (f" ({brackets})" if brackets else "")


def reason(verdict: Verdict) -> str | None:
    """Why it could not be decided, or what went wrong, if the evidence says so."""
    for key in REASONS:
        if key in verdict.evidence:
            return str(verdict.evidence[key])
    return "no reason is known" if verdict.kind == "unknown" else None


def explained(verdict: Verdict) -> str:
    """The counterexample with its timeline; without one the error or the reason; without these the kind of verdict."""
    if verdict.counterexample is not None:
        return f"{explain(verdict.counterexample)}{_remark(verdict.evidence)}"
    return reason(verdict) or verdict.kind


def hints(verdict: Verdict) -> list[str]:
    """What would help: the parts of two plans that are not proved equal, and assumptions from which they are.

    >>> hints(Verdict("unknown", {"proved_if": [["k is a key of E"], ["x of E is not NULL", "y of E is not NULL"]]}))
    ['PROVED if k is a key of E', 'PROVED if x of E is not NULL and y of E is not NULL']
    """
    stopped, proved_if = (verdict.evidence.get(key) for key in ("stopped_at", "proved_if"))
    parts = [f"not proved: {part}" for part in stopped] if isinstance(stopped, list) else []
    conditions = [f"PROVED if {' and '.join(several)}" for several in proved_if] if isinstance(proved_if, list) else []
    return [*parts, *conditions]


def exhausted(verdict: Verdict) -> list[str]:
    """What was exhausted, a line for each kind of cases; nothing for verdicts of another kind."""
    lines = verdict.evidence.get("exhausted")
    return [str(line) for line in lines] if isinstance(lines, list) else []


def explain(found: AnyCounterexample) -> str:
    """A counterexample in words and as a picture; lists in words only, since a timeline does not show their order."""
    return f"{found}\n\n{picture(found)}" if isinstance(found, Counterexample) else str(found)


def _remark(evidence: Mapping[str, object]) -> str:
    return f"\n\n{evidence['error']}" if "error" in evidence else ""


def _neighbours(measured: object) -> str:
    """How many neighbours the cases would have noticed: `31 neighbours: 28 told apart, 3 proved the same`.

    >>> _neighbours({"told_apart": 28, "of": 31, "proved": 2, "open": ["RANGE 601 instead of 600"]})
    '31 neighbours: 28 told apart, 2 proved the same, 1 open'
    """
    if not isinstance(measured, Mapping) or not measured.get("of"):
        return ""
    of, told_apart, proved = (int(measured.get(key, 0)) for key in ("of", "told_apart", "proved"))
    counts = [(told_apart, "told apart"), (proved, "proved the same"), (of - told_apart - proved, "open")]
    listed = ", ".join(f"{n} {what}" for n, what in counts if n)
    return f"{how_many(of, 'neighbour')}: {listed}"


def _tells(key: str, value: object) -> bool:
    return key not in ("how", *REASONS) and isinstance(value, int | float | str) and len(str(value)) <= 60


def _plain(key: str) -> str:
    return key.replace("_", " ")
