"""Pairs of queries that mean the same on random streams, and look-alikes that given streams tell apart."""

from random import Random

import pytest

from semantics import ArithmeticOverflow, equivalent, evaluate
from tests.seeded_cases import random_case
from tests.semantics.sql.pairs import CATALOGUE, Pair, read_pairs

EQUIVALENT = read_pairs("equivalent.sql")
DIFFERENT = read_pairs("different.sql")
CASES = 200
HORIZON = 8


@pytest.mark.parametrize("pair", EQUIVALENT, ids=lambda pair: pair.name)
def test_equivalent_queries_agree_on_random_streams(pair: Pair) -> None:
    random = Random(pair.name)
    left, right = pair.plans
    assert left != right or pair.left != pair.right
    agreed = answers = 0
    while agreed < CASES:
        case = random_case(random, CATALOGUE.sources, max_size=4)
        try:
            snapshots = evaluate(left, case, HORIZON).snapshots
        except ArithmeticOverflow:
            continue
        assert snapshots == evaluate(right, case, HORIZON).snapshots
        agreed, answers = agreed + 1, answers + any(snapshots)
    assert answers or "FALSE" in pair.left + pair.right


@pytest.mark.parametrize("pair", DIFFERENT, ids=lambda pair: pair.name)
def test_look_alikes_differ_on_the_given_streams(pair: Pair) -> None:
    left, right = (evaluate(plan, pair.given, HORIZON) for plan in pair.plans)
    assert left.schema.types == right.schema.types
    assert not equivalent(left, right)


def test_there_are_enough_of_both() -> None:
    assert len(EQUIVALENT) >= 60
    assert len(DIFFERENT) >= 20
    names = [pair.name for pair in EQUIVALENT + DIFFERENT]
    assert len(set(names)) == len(names)
