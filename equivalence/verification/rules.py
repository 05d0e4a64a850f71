"""Rules: true ones agree and fire often enough, false ones and those without a side condition are refuted."""

from collections.abc import Iterator
from typing import Final

from equivalence.rules.catalogue import CATALOGUE, FALSE
from equivalence.rules.instances import conditions
from equivalence.rules.statement import Rule
from equivalence.sampling.sample import check_rule
from equivalence.verification.claim_outcome import Outcome, outcome_of
from equivalence.verification.effort import Effort

RULES: Final = {rule.name: rule for rule in (*CATALOGUE, *FALSE)}


def verify_rule(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """A rule of the catalogue, and all its false siblings."""
    rule = RULES[name]
    if not rule.valid:
        yield refuted("rules", rule, effort, seed)
        return
    verdict = check_rule(rule, examples=effort.rule_cases, seed=seed, enough=effort.firings)
    fired = verdict.evidence["fired"]
    often = isinstance(fired, int) and fired >= effort.firings
    yield outcome_of("rules", name, "true", verdict, verdict.holds and often)
    for condition in conditions(rule):
        yield refuted("rules", rule.without(condition), effort, seed)


def refuted(part: str, rule: Rule, effort: Effort, seed: int) -> Outcome:
    """A claim that is false holds if it is refuted; small counterexamples are the business of tests."""
    verdict = check_rule(rule, examples=effort.rule_cases, seed=seed, trials=0)
    return outcome_of(part, rule.name, "false", verdict, verdict.kind == "refuted")
