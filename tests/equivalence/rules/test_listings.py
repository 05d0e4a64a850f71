"""The rules about lists hold in the equivalence that they state, and in no stronger one."""

import pytest

from equivalence.rules.catalogue import false_listings, listing_duplicates, listing_intervals, listing_order
from equivalence.rules.statement import Rule
from tests.equivalence.rules.rule_tests import assert_agrees, assert_needs_its_conditions, expected, smallest

FAMILIES = [family.RULES for family in (listing_order, listing_duplicates, listing_intervals)]
RULES = [rule for family in FAMILIES for rule in family]
MINIMAL = expected("false_listings")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_both_sides_agree(rule: Rule) -> None:
    assert_agrees(rule)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_side_condition_can_be_dropped(rule: Rule) -> None:
    assert_needs_its_conditions(rule)


@pytest.mark.parametrize("rule", false_listings.FALSE, ids=lambda rule: rule.name)
def test_no_stronger_equivalence_is_kept(rule: Rule) -> None:
    assert smallest(rule) == MINIMAL[rule.name]


def test_every_expectation_belongs_to_a_claim() -> None:
    assert set(MINIMAL) == {rule.name for rule in false_listings.FALSE}


def test_every_equivalence_is_the_strongest_of_some_rule() -> None:
    assert len({rule.equivalence for rule in RULES}) == 6
