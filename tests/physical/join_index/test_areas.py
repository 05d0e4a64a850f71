"""Sweep areas: each finds what the reference finds, and the planner says which it takes and why."""

from random import Random

import numpy as np
import pytest

from equivalence.cases.random_cases import CASE_HORIZON
from physical import explain
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.engines.interval import join
from physical.engines.interval.join import IntervalEquijoin, IntervalJoin, join_operator
from physical.engines.interval.run_plan import run
from physical.join_index.hash_area import HashArea
from physical.join_index.list_area import ListArea
from physical.join_index.ordered_area import PROBES_PER_SORT, OrderedArea
from semantics import ArithmeticOverflow, LogicalStream, Multiset, Plan, Schema, Type, evaluate, parse_plan
from semantics.plan import Join
from tests.seeded_cases import random_case

AREAS = {
    "a = c": (IntervalEquijoin, "hash", "hash"),
    "a = c and b < d": (IntervalEquijoin, "hash", "hash"),
    "a = c and b = d": (IntervalEquijoin, "hash", "hash"),
    "a = c + 1": (IntervalJoin, "hash", "list"),
    "c * 2 = a and b <= d": (IntervalJoin, "hash", "ordered"),
    "a < c": (IntervalJoin, "ordered", "ordered"),
    "d >= b": (IntervalJoin, "ordered", "ordered"),
    "a > c and a <= d": (IntervalJoin, "ordered", "ordered"),
    "a + 1 < c": (IntervalJoin, "list", "list"),
    "a <> c": (IntervalJoin, "list", "list"),
    "a = b and c < 3": (IntervalJoin, "list", "list"),
    "a = c or b = d": (IntervalJoin, "list", "list"),
}
KINDS = {ListArea: "list", HashArea: "hash", OrderedArea: "ordered"}


def joined(kind: str, condition: str, type_: str = "int") -> Plan:
    return parse_plan(f"{kind}(A(a {type_}, b {type_}), B(c {type_}, d {type_}); {condition})")


def result(plan: Plan, case: object, reference: bool) -> LogicalStream | str:
    try:
        if reference:
            return evaluate(plan, case, CASE_HORIZON)  # type: ignore[arg-type]  # a case
        return run(plan, case, CASE_HORIZON).to_logical(CASE_HORIZON)  # type: ignore[arg-type]  # a case
    except ArithmeticOverflow:
        return "overflow"


@pytest.mark.parametrize("condition", AREAS)
def test_the_predicate_chooses_the_areas(condition: str) -> None:
    plan = joined("join", condition)
    assert isinstance(plan, Join)
    operator = join_operator(plan)
    assert (type(operator), *(KINDS[type(area)] for area in operator.areas)) == AREAS[condition]


@pytest.mark.parametrize("condition", AREAS)
@pytest.mark.parametrize("kind", ["join", "fulljoin"])
def test_oracle_of_every_choice(kind: str, condition: str) -> None:
    """An overflow in one conjunct may go unnoticed where another one is not TRUE anyway."""
    plan, compared = joined(kind, condition), 0
    for seed in range(60):
        case = random_case(Random(seed), plan.sources())
        expected = result(plan, case, reference=True)
        if expected != "overflow" or "and" not in condition:
            assert result(plan, case, reference=False) == expected, (condition, seed)
            compared += 1
    assert compared >= 20


@pytest.mark.parametrize("type_", ["float", "str", "bool"])
@pytest.mark.parametrize("condition", ["a = c", "a < c", "a >= c and a < d", "a = c and b = d"])
def test_oracle_of_every_type(type_: str, condition: str) -> None:
    plan = joined("join", condition, type_)
    for seed in range(40):
        case = random_case(Random(seed), plan.sources())
        assert result(plan, case, reference=False) == result(plan, case, reference=True), (condition, seed)


def stream(size: int, seed: int, names: str, longest: int) -> PhysicalStream:
    """Many elements, some of them long, so that blocks and buckets fill."""
    random = np.random.default_rng(seed)
    start = np.sort(random.integers(0, 2000, size))
    length = np.where(random.random(size) < 0.02, 10 * longest, random.integers(1, longest, size))
    columns = tuple(ColumnVector(Type.INT, random.integers(0, 40, size)) for _ in names)
    return PhysicalStream(Schema.of(**dict.fromkeys(names, int)), columns, start, start + length)


def naive(plan: Join, left: PhysicalStream, right: PhysicalStream, holds: np.ndarray) -> PhysicalStream:
    """All pairs that overlap and for which the condition holds, found by looking at every pair."""
    start = np.maximum(left.start[:, None], right.start)
    end = np.minimum(left.end[:, None], right.end)
    i, j = np.nonzero((start < end) & holds)
    order = np.argsort(start[i, j], kind="stable")
    i, j = i[order], j[order]
    columns = (*(c.take(i) for c in left.columns), *(c.take(j) for c in right.columns))
    return PhysicalStream(plan.schema, columns, start[i, j], end[i, j])


@pytest.mark.parametrize("condition", ["a = c", "a < c", "a >= c and a <= d", "a = c + 1"])
@pytest.mark.parametrize("longest", [4, 300])
def test_large_inputs_meet_as_by_looking_at_every_pair(condition: str, longest: int) -> None:
    plan = joined("join", condition)
    assert isinstance(plan, Join)
    left, right = stream(PROBES_PER_SORT + 500, 1, "ab", longest), stream(2 * PROBES_PER_SORT + 77, 2, "cd", longest)
    a, c, d = left.columns[0].values[:, None], right.columns[0].values, right.columns[1].values
    holds = {"a = c": a == c, "a < c": a < c, "a >= c and a <= d": (a >= c) & (a <= d), "a = c + 1": a == c + 1}
    found = run(plan, {"A": left, "B": right}).checked("result")
    assert found.equivalent(naive(plan, left, right, holds[condition]))


def test_explain_names_the_areas_and_why() -> None:
    texts = {condition: explain(joined("join", condition)).splitlines()[0].split(" — ")[1] for condition in AREAS}
    assert texts["a = c"] == "sweep areas left: hash on a, which must be equal; right: hash on c, which must be equal"
    assert texts["a = c + 1"] == (
        "sweep areas left: hash on a, which must be equal; right: list, no column to look up, "
        "the whole condition tested on what is found"
    )
    assert texts["a < c"].startswith("sweep areas left: ordered by a, which must be in a range; right: ordered by c")
    assert texts["a <> c"] == "list sweep areas: the condition compares no columns of both sides"


@pytest.mark.parametrize("block", [1, 7, 500])
def test_an_equijoin_does_not_depend_on_how_many_meet_at_once(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    plan, left, right = joined("join", "a = c"), stream(900, 1, "ab", 50), stream(700, 2, "cd", 50)
    whole = run(plan, {"A": left, "B": right})
    monkeypatch.setattr(join, "ELEMENTS_PER_STEP", block)
    pieces = run(plan, {"A": left, "B": right}).checked("result")
    assert len(pieces) == len(whole) > 0
    assert pieces.equivalent(whole)


@pytest.mark.parametrize("ruled_out_by", ["a = c", "a < c"])
def test_an_overflow_is_not_noticed_for_a_pair_that_the_index_rules_out(ruled_out_by: str) -> None:
    """As docs/decisions.md says: the reference raises, and what the engine gives is right for all other pairs."""
    plan = joined("join", f"{ruled_out_by} and b + d > 0")
    left, right = (LogicalStream(child.schema, (Multiset([(5, 2**63 - 1)]),)) for child in plan.inputs)
    matching = Multiset([(5 if "=" in ruled_out_by else 6, -1)])
    with pytest.raises(ArithmeticOverflow):
        evaluate(plan, {"A": left, "B": LogicalStream(right.schema, (matching + Multiset([(4, 1)]),))}, 1)
    found = run(plan, {"A": left, "B": LogicalStream(right.schema, (matching + Multiset([(4, 1)]),))}, 1)
    expected = evaluate(plan, {"A": left, "B": LogicalStream(right.schema, (matching,))}, 1)
    assert found.to_logical(1) == expected


def test_an_overflow_is_noticed_for_every_pair_where_no_index_helps() -> None:
    plan = joined("join", "a <> c and b + d > 0")
    left, right = (LogicalStream(child.schema, (Multiset([(5, 2**63 - 1)]),)) for child in plan.inputs)
    with pytest.raises(ArithmeticOverflow):
        run(plan, {"A": left, "B": right}, 1)
