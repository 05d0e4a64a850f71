"""To know more is never worse: what is proved from some constraints is proved from these and others."""

from collections.abc import Collection
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equivalence.prover.confirmation import proved
from equivalence.prover.prove import prove
from equivalence.prover.weaker_assumptions import CHOICES_TRIED, weaker
from semantics import Query, col, count, count_distinct, source
from semantics.constraint import Constraint, Key, Lasting, NotNull, References, Unique

D = source("D", d=int)
E = source("E", k=int, e=int, s=int)
JOINED = E.left_join(D, col("e") == col("d"))
PAIRS: dict[str, tuple[Query, Query]] = {
    "a left join below COUNT(DISTINCT)": (
        JOINED.group_by("e").aggregate(n=count_distinct("s")),
        E.group_by("e").aggregate(n=count_distinct("s")),
    ),
    "a left join below COUNT(*)": (JOINED.group_by("e").aggregate(n=count()), E.group_by("e").aggregate(n=count())),
    "a left join below a projection": (JOINED.select("k", "s"), E.select("k", "s")),
    "a join below a projection": (E.join(D, col("e") == col("d")).select("k"), E.select("k")),
    "a distinct projection": (E.select("k", "e").distinct(), E.select("k", "e")),
    "a filter that says what is known": (E.filter(~col("e").is_null()), E),
}
FACTS: tuple[Constraint, ...] = (
    Key("D", ("d",)),
    Key("E", ("k",)),
    NotNull("E", ("e",)),
    References("E", ("e",), "D", ("d",)),
    Unique("E", ("s",)),
)
SUFFICIENT: dict[str, set[Constraint]] = {
    "a left join below COUNT(DISTINCT)": {FACTS[0]},
    "a left join below COUNT(*)": {FACTS[0]},
    "a left join below a projection": {FACTS[0]},
    "a join below a projection": {FACTS[0], FACTS[2], FACTS[3]},
    "a distinct projection": {FACTS[1]},
    "a filter that says what is known": {FACTS[2]},
}
"""From these each pair follows, and from no fewer of the facts."""


@cache
def proves(name: str, facts: frozenset[Constraint]) -> bool:
    left, right = PAIRS[name]
    return proved(left.plan, right.plan, sorted(facts, key=FACTS.index))


@pytest.mark.parametrize("name", PAIRS)
@settings(max_examples=8, deadline=None)
@given(others=st.sets(st.sampled_from(FACTS)))
def test_more_facts_never_hurt(name: str, others: set[Constraint]) -> None:
    assert proves(name, frozenset(SUFFICIENT[name] | others))


@pytest.mark.parametrize("name", PAIRS)
def test_what_does_not_follow_is_not_proved(name: str) -> None:
    for needed in SUFFICIENT[name]:
        assert not proves(name, frozenset({*FACTS} - {needed}))


def test_the_proof_says_what_it_assumes() -> None:
    tables = (Lasting("D"), Lasting("E"))
    verdict = prove(*PAIRS["a left join below COUNT(DISTINCT)"], constraints=(*FACTS[:3], *tables))
    assert verdict.kind == "proved"
    assumed = verdict.evidence["assumed"]
    assert isinstance(assumed, list)
    assert "d is a key of D" in assumed
    assert "k is a key of E" not in assumed


def test_all_that_follows_from_few_facts_is_tried() -> None:
    few = FACTS[1:4]
    choices = list(weaker(few))
    assert len(choices) == len({*choices}) <= CHOICES_TRIED
    subsets = [tuple(chosen) for n in range(len(few)) for chosen in combinations(few, n)]
    assert {*subsets} <= {*choices}
    assert {NotNull("E", ("k",)), *FACTS[2:4]} in map(set, choices)


def follows(fact: Constraint, given_: Collection[Constraint]) -> bool:
    return fact in given_ or any(isinstance(g, Key) and fact == NotNull(g.source, g.columns) for g in given_)


def test_nothing_else_is_assumed() -> None:
    assert all(follows(fact, FACTS) for choice in weaker(FACTS) for fact in choice)
