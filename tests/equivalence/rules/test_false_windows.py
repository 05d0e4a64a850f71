"""Tempting claims about windows are refuted, each with a counterexample from which nothing can be left out."""

import pytest

from equivalence.rules.catalogue import false_cql, false_rows, false_windows
from equivalence.rules.statement import Rule
from tests.equivalence.rules.rule_tests import expected, smallest

FAMILIES = [false_windows.FALSE, false_cql.FALSE, false_rows.FALSE]
RULES = [rule for family in FAMILIES for rule in family]
EXPECTED = {rule.family: expected(rule.family) for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_smallest_counterexample(rule: Rule) -> None:
    assert smallest(rule) == EXPECTED[rule.family][rule.name]


def test_every_expectation_belongs_to_a_rule() -> None:
    assert {name for names in EXPECTED.values() for name in names} == {rule.name for rule in RULES}
