"""Cases for engines that know some types only: every situation can be had with those."""

from itertools import combinations

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.situation import can_have, with_types
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from semantics import Type
from semantics.types import BASIC_TYPES

SOME = [frozenset(chosen) for size in (1, 2, 3) for chosen in combinations(BASIC_TYPES, size)]


@pytest.mark.parametrize("types", SOME, ids=lambda types: "+".join(sorted(type_.value for type_ in types)))
def test_sources_have_no_other_types(types: frozenset[Type]) -> None:
    possible = [situation for situation in SITUATIONS.values() if can_have(situation, types)]
    assert len(possible) > 10
    for situation in possible:
        for number, operator in enumerate(situation.operators or OPERATORS):
            attempt = attempt_in(SeededChoices(number), operator, with_types(situation, types))
            assert {t for schema in attempt.plan.sources().values() for t in schema.types} <= types
