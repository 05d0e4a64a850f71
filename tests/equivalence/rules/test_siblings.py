"""No side condition of a true rule can be dropped: the smallest streams that show it, for each of them."""

import pytest

from equivalence.rule import Rule
from equivalence.rules import CATALOGUE
from tests.equivalence.rules.holding import expected, siblings, smallest

SIBLINGS = siblings(CATALOGUE)
EXPECTED = expected("siblings")


@pytest.mark.parametrize("rule", SIBLINGS, ids=lambda rule: rule.name)
def test_the_smallest_counterexample(rule: Rule) -> None:
    assert smallest(rule) == EXPECTED[rule.name]


def test_every_expectation_belongs_to_a_rule() -> None:
    assert set(EXPECTED) == {rule.name for rule in SIBLINGS}
