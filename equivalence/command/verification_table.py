"""The table of `snapeq verify`: what was claimed, how much of it holds, and how well the checkers bite."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

import typer

from equivalence.command.terminal import print_columns
from semantics.how_many import how_many

if TYPE_CHECKING:
    from equivalence.verification import Outcome

Line = tuple[str, str, str, str, str]


def _fired(times: object) -> str:
    return f", fired {how_many(times, 'time')}" if isinstance(times, int) else ""


def print_outcomes(outcomes: "Sequence[Outcome]") -> None:
    """All that a person reads: the table, everything that falls short, and a last line."""
    print_columns([("part", "claim", "verified", "hold", "cases"), *_claims(outcomes), *_measures(outcomes)])
    for outcome in outcomes:
        if not outcome.holds:
            fired = _fired(outcome.evidence.get("fired"))
            typer.echo(f"\n{outcome.part} {outcome.name} ({outcome.claim}): {outcome.verdict}{fired}\n{outcome.text}")
    summary = bite(outcomes)
    if summary["total"]:
        median_cases = f"median {summary['median_cases']:g} cases"
        typer.echo(f"wrong things caught: {summary['killed']} of {summary['total']}, {median_cases}")
    typer.echo("everything holds" if all(outcome.holds for outcome in outcomes) else "something falls short")


def bite(outcomes: "Sequence[Outcome]") -> dict[str, object]:
    """How many wrong things there were, false rules among them, how many were caught, and how soon."""
    wrong = [outcome for outcome in outcomes if outcome.part == "mutants" or outcome.claim == "false"]
    cases = [n for outcome in wrong if isinstance(n := outcome.evidence["cases"], int)]
    return {
        "total": len(wrong),
        "killed": sum(outcome.holds for outcome in wrong),
        "median_cases": median(cases) if cases else None,
        "kinds": dict(sorted(Counter(o.claim if o.part == "mutants" else "rule" for o in wrong).items())),
        "survivors": [outcome.name for outcome in wrong if not outcome.holds],
    }


def _claims(outcomes: "Sequence[Outcome]") -> Iterator[Line]:
    """A line for every kind of claim; what measures a checker has a line of its own below."""
    named = [outcome for outcome in outcomes if outcome.part not in ("corpus", "machine mutants")]
    for part, claim in dict.fromkeys((outcome.part, outcome.claim) for outcome in named):
        group = [outcome for outcome in named if (outcome.part, outcome.claim) == (part, claim)]
        yield part, claim, str(len(group)), str(sum(o.holds for o in group)), str(_sum(group, "cases"))
    golden = [outcome for outcome in outcomes if outcome.part == "corpus"]
    if golden:
        yield "corpus", "golden cases", str(len(golden)), str(sum(o.holds for o in golden)), str(len(golden))


def _measures(outcomes: "Sequence[Outcome]") -> Iterator[Line]:
    """How much the checks would have noticed: neighbours, pairs of dimension values, machine-made mutants."""
    measured = [found for outcome in outcomes if isinstance(found := outcome.evidence.get("neighbours"), Mapping)]
    if measured:
        of, told_apart = (sum(found[key] for found in measured) for key in ("of", "told_apart"))
        yield "neighbours", "told apart", str(of), str(told_apart), ""
    covered = [outcome for outcome in outcomes if "pairs" in outcome.evidence]
    if covered:
        pairs = _sum(covered, "pairs")
        yield "coverage", "pairs examined", str(pairs), str(pairs - _sum(covered, "empty")), str(_sum(covered, "rows"))
    for outcome in outcomes:
        if outcome.part == "machine mutants":
            killed, reached = _sum([outcome], "killed"), _sum([outcome], "killed") + _sum([outcome], "survived")
            yield "machine mutants", "killed", str(reached), str(killed), ""


def _sum(group: "Sequence[Outcome]", key: str) -> int:
    return sum(n for outcome in group if isinstance(n := outcome.evidence.get(key), int))
