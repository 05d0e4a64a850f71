"""The rules over the standard operators hold, each only with all its side conditions."""

import pytest

from equivalence.rules.catalogue import (
    aggregation,
    distinct,
    eager,
    joins,
    keys,
    outer_joins,
    partials,
    projection,
    pushdown,
    references,
    selection,
    semijoins,
    sets,
)
from equivalence.rules.statement import Rule
from tests.equivalence.rules.rule_tests import assert_agrees, assert_needs_its_conditions

FAMILIES = [
    family.RULES
    for family in (
        selection,
        pushdown,
        projection,
        joins,
        semijoins,
        outer_joins,
        sets,
        distinct,
        aggregation,
        partials,
        eager,
        keys,
        references,
    )
]
RULES = [rule for family in FAMILIES for rule in family]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_both_sides_agree(rule: Rule) -> None:
    assert_agrees(rule)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_side_condition_can_be_dropped(rule: Rule) -> None:
    assert_needs_its_conditions(rule)
