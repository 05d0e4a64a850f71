"""No side condition of a true rule can be dropped: the smallest streams that show it, for each of them."""

import pytest

from equivalence.rules.catalogue import CATALOGUE
from tests.equivalence.rules.rule_tests import expected, siblings, smallest

RULES = {rule.name: rule for rule in CATALOGUE}
EXPECTED = expected("siblings")


@pytest.mark.parametrize("sibling", EXPECTED)
def test_the_smallest_counterexample(sibling: str) -> None:
    name, _, condition = sibling.partition(" without: ")
    assert smallest(RULES[name].without(condition)) == EXPECTED[sibling]


def test_every_side_condition_has_its_expectation_and_no_other() -> None:
    assert set(EXPECTED) == {rule.name for rule in siblings(CATALOGUE)}
