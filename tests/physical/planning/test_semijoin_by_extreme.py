"""Semijoins and antijoins by one inequality, with the farthest partner in the place of all."""

from random import Random

import pytest

from physical.planning.semijoin_by_extreme import TRUE, with_extreme
from semantics import Plan, Schema, Type, evaluate, parse_plan
from semantics.expression import Comparison, ComparisonSymbol, IsDistinct, Ref
from semantics.plan import Aggregation, Antijoin, Distinct, Semijoin, Source
from semantics.types import BASIC_TYPES
from tests.seeded_cases import random_case

SYMBOLS: tuple[ComparisonSymbol, ...] = ("<", "<=", ">", ">=")
CASES = 40
HORIZON = 8


def of(
    kind: type[Semijoin | Antijoin], types: tuple[Type, Type], symbol: ComparisonSymbol, mirrored: bool, fails: bool
) -> Plan:
    left = Source("A", Schema.of(x=types[0], y=int))
    right = Source("B", Schema.of(u=int, v=types[1]))
    sides = (Ref(0, types[0]), Ref(3, types[1]))
    comparison = Comparison(symbol, *(reversed(sides) if mirrored else sides))
    return kind(left, right, IsDistinct(comparison, TRUE) if fails else comparison)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("kind", [Semijoin, Antijoin])
def test_oracle_the_farthest_partner_decides(
    kind: type[Semijoin | Antijoin], symbol: ComparisonSymbol, mirrored: bool, fails: bool
) -> None:
    """Of those that hold or those that do not: on NULLs, NaN, texts, numbers of both types, and without a partner."""
    random = Random(f"{kind.__name__} {symbol} {mirrored} {fails}")
    pairs = [(type_, type_) for type_ in BASIC_TYPES] + [(Type.INT, Type.FLOAT), (Type.FLOAT, Type.INT)]
    for types in pairs:
        plan = of(kind, types, symbol, mirrored, fails)
        changed = with_extreme(plan)
        assert isinstance(changed.inputs[1], Distinct)
        assert isinstance(changed.inputs[1].input, Aggregation)
        answers = 0
        for _ in range(CASES):
            case = random_case(random, {"A": plan.inputs[0].schema, "B": plan.inputs[1].schema}, max_size=4)
            expected = evaluate(plan, case, HORIZON)
            assert evaluate(changed, case, HORIZON).snapshots == expected.snapshots
            answers += any(expected.snapshots)
        assert answers > CASES // 10


@pytest.mark.parametrize(
    "condition",
    [
        "x = v",
        "x <> v",
        "x < v and y = u",
        "x < y",
        "v < u",
        "x + v < y",
        "x < v + u",
        "x is distinct from v",
        "(x < v) is distinct from (v < u)",
        "true",
    ],
)
@pytest.mark.parametrize("kind", ["semijoin", "antijoin"])
def test_other_conditions_are_left_alone(kind: str, condition: str) -> None:
    plan = parse_plan(f"{kind}(A(x int, y int), B(u int, v int); {condition})")
    assert with_extreme(plan) == plan


def test_inner_and_outer_joins_need_all_partners() -> None:
    for kind in ("join", "leftjoin", "rightjoin", "fulljoin"):
        plan = parse_plan(f"{kind}(A(x int), B(v int); x < v)")
        assert with_extreme(plan) == plan
