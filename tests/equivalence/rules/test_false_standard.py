"""Tempting claims about the standard operators are refuted, each with the smallest counterexample."""

import pytest

from equivalence.rules.catalogue import false_aggregation, false_joins, false_keys, false_selection, false_sets
from equivalence.rules.statement import Rule
from tests.equivalence.rules.rule_tests import expected, smallest

FAMILIES = [family.FALSE for family in (false_selection, false_joins, false_sets, false_aggregation, false_keys)]
RULES = [rule for family in FAMILIES for rule in family]
EXPECTED = {rule.family: expected(rule.family) for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_smallest_counterexample(rule: Rule) -> None:
    assert smallest(rule) == EXPECTED[rule.family][rule.name]


def test_every_expectation_belongs_to_a_rule() -> None:
    assert {name for names in EXPECTED.values() for name in names} == {rule.name for rule in RULES}
