"""What the tests of all families of rules share."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from equivalence import check_rule
from equivalence.rules.instances import conditions
from equivalence.rules.statement import Rule

MINIMAL: Final = Path(__file__).with_name("minimal")
EXAMPLES: Final = 3000
"""Enough for rules whose condition seldom holds, or whose results are often empty."""
FIRED: Final = 100


def assert_agrees(rule: Rule) -> None:
    """Both sides agree, on examples of which so many had something to differ about."""
    verdict = check_rule(rule, examples=EXAMPLES, enough=FIRED)
    assert verdict.kind == "agreed", str(verdict.counterexample)
    assert verdict.evidence["fired"] == FIRED


def siblings(rules: Iterable[Rule]) -> list[Rule]:
    """Every rule without one of its side conditions, for each of them; to find these takes many instances."""
    return [rule.without(condition) for rule in rules for condition in conditions(rule)]


def assert_needs_its_conditions(rule: Rule) -> None:
    """Without any one of its side conditions the rule is refuted."""
    kinds = {sibling.name: check_rule(sibling, examples=2000, trials=0).kind for sibling in siblings([rule])}
    assert {*kinds.values()} <= {"refuted"}, kinds


def smallest(rule: Rule) -> str:
    """The smallest counterexample, as text."""
    verdict = check_rule(rule, examples=2000)
    assert verdict.kind == "refuted", f"{rule.name}: {verdict.kind}"
    return str(verdict.counterexample)


def expected(family: str) -> dict[str, str]:
    """The smallest counterexamples of a family of false rules, each after a line with the rule's name."""
    text = (MINIMAL / f"{family}.txt").read_text(encoding="utf-8")
    parts = [part.partition("\n") for part in text.split("## ")[1:]]
    return {name: counterexample.strip() for name, _, counterexample in parts}
