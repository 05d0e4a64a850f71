"""Rules of the catalogue with their evidence: as a JSON document, on one line, in full."""

from contextlib import suppress
from typing import cast

from equivalence.cases.choices import SeededChoices
from equivalence.lists.list_expression import Listing, show_listing
from equivalence.report.junit import ReportedVerdict
from equivalence.report.text import explained, headline
from equivalence.rules.instances import INSTANCES_TRIED, ConditionNotMet, conditions, instance_of
from equivalence.rules.statement import Rule
from equivalence.verdicts.verdict import Verdict, VerdictKind
from semantics import Plan, show
from semantics.how_many import how_many
from semantics.plan import Node


def document(rule: Rule, verdict: Verdict | None) -> dict[str, object]:
    """The JSON document of a rule; its names are a promise to users."""
    return {
        "name": rule.name,
        "family": rule.family,
        "valid": rule.valid,
        "equivalence": rule.equivalence,
        "source": rule.source,
        "conditions": list(conditions(rule)),
        "evidence": None if verdict is None else verdict.to_json(),
    }


def as_claimed(rule: Rule, verdict: Verdict | None) -> bool:
    """Does a true rule hold, and is a false one refuted?"""
    if verdict is None:
        return True
    return verdict.holds if rule.valid else verdict.kind == "refuted"


def judged(rule: Rule, verdict: Verdict) -> ReportedVerdict:
    """For a build server, a false rule that is refuted is a success, and one that is not is a failure."""
    if rule.valid or verdict.kind == "unknown":
        return ReportedVerdict(rule.name, verdict, rule.statement)
    kind: VerdictKind = "agreed" if as_claimed(rule, verdict) else "refuted"
    return ReportedVerdict(rule.name, Verdict(kind, verdict.evidence), f"{rule.statement}\nfalse, but not refuted")


def brief(rule: Rule, verdict: Verdict | None) -> str:
    claim = "true" if rule.valid else "false"
    if verdict is None:
        return claim
    cases = cast(int, verdict.evidence.get("cases", 0))
    return f"{claim}: {verdict.kind} ({how_many(cases, 'case')})"


def in_full(rule: Rule, verdict: Verdict | None) -> str:
    lines = [rule.name, f"  {rule.statement}", f"  family {rule.family}, {rule.equivalence}, source: {rule.source}"]
    lines += [f"  where {condition}" for condition in conditions(rule)]
    lines += [f"  {text}" for text in _instance(rule)]
    lines += [] if verdict is None else [f"  said to be {'true' if rule.valid else 'false'}: {headline(verdict)}"]
    if verdict is not None and verdict.counterexample is not None:
        lines += [f"  {line}" for line in explained(verdict).splitlines()]
    return "\n".join(lines)


def _instance(rule: Rule) -> list[str]:
    """Both sides of the first instance that keeps the side conditions."""
    for seed in range(INSTANCES_TRIED):
        with suppress(ConditionNotMet):
            instance = instance_of(SeededChoices(seed), rule, awkward=False)
            left, right = (_side(side) for side in (instance.left, instance.right))
            return [f"for instance {left}", f"         and {right}"]
    return []


def _side(side: Plan | Listing) -> str:
    return show(side) if isinstance(side, Node) else show_listing(side)
