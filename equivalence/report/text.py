"""Verdicts as text for people."""

from collections.abc import Mapping
from typing import Final

from equivalence.report.picture import picture
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.list_counterexample import AnyCounterexample
from equivalence.verdicts.verdict import Verdict

_HOW: Final = {"sampled": "by samples", "exhaustive": "on all small cases", "replayed": "when run again"}


def headline(verdict: Verdict) -> str:
    """The verdict in capitals and, in brackets, its evidence.

    >>> headline(Verdict("agreed", {"how": "sampled", "cases": 1000, "fired": 970, "seed": 0}))
    'AGREED (by samples; cases 1000, fired 970, seed 0)'
    >>> headline(Verdict("proved"))
    'PROVED'
    """
    how = str(verdict.evidence.get("how", ""))
    numbers = [f"{_plain(key)} {value}" for key, value in verdict.evidence.items() if _tells(key, value)]
    brackets = "; ".join(part for part in (_HOW.get(how, how), ", ".join(numbers)) if part)
    return verdict.kind.upper() + (f" ({brackets})" if brackets else "")


def explained(verdict: Verdict) -> str:
    """The counterexample with its timeline; without one the error or the reason; without these the kind of verdict."""
    if verdict.counterexample is not None:
        return f"{explain(verdict.counterexample)}{_remark(verdict.evidence)}"
    return str(verdict.evidence.get("error") or verdict.evidence.get("why") or verdict.kind)


def explain(found: AnyCounterexample) -> str:
    """A counterexample in words and as a picture; lists in words only, since a timeline does not show their order."""
    return f"{found}\n\n{picture(found)}" if isinstance(found, Counterexample) else str(found)


def _remark(evidence: Mapping[str, object]) -> str:
    return f"\n\n{evidence['error']}" if "error" in evidence else ""


def _tells(key: str, value: object) -> bool:
    return (
        key != "how" and isinstance(value, int | float | str) and len(str(value)) <= 60 and key not in ("error", "why")
    )


def _plain(key: str) -> str:
    return key.replace("_", " ")
