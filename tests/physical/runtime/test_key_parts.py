"""Windows over the last rows of each key run in parts by key, and give what they give at once."""

import math
from decimal import Decimal

import numpy as np
import pytest

from physical import run
from physical.columns import threads as columns_threads
from physical.columns.stream import PhysicalStream
from physical.runtime import key_parts, run_whole
from physical.runtime.key_parts import PARTS, _code, keys_to_part_by, part_numbers
from semantics import Interval, Plan, Schema, Value, parse_plan

SCHEMA = "k float, t str, x int"
WINDOW = f"S({SCHEMA}) | window(partition by k, t rows 2)"
PLANS = [
    WINDOW,
    f"S({SCHEMA}) | filter(x > 0) | window(partition by t rows 3) | group(t; count(*) as n)",
    f"{WINDOW} | map(x as x)",
    f"S({SCHEMA}) | window(partition by t rows 2) | distinct",
    f"join(S({SCHEMA}) | window(partition by t rows 2), T(u str, y int) | window(partition by u rows 1); t = u)",
]
KEYS: list[Value] = [None, 0.0, -0.0, math.nan, 2.5]
WORDS: list[Value] = [None, "", "ä", "\ud800", "long enough"]


def streams(size: int = 120) -> dict[str, PhysicalStream]:
    random = np.random.default_rng(3)

    def drawn(some: list[Value]) -> Value:
        return some[int(random.integers(len(some)))]

    spans = [Interval(i // 3, i // 3 + 1) for i in range(size)]
    s = [((drawn(KEYS), drawn(WORDS), int(random.integers(5))), span) for span in spans]
    t = [((drawn(WORDS), int(random.integers(5))), span) for span in spans]
    return {
        "S": PhysicalStream.from_elements(Schema.of(k=float, t=str, x=int), s),
        "T": PhysicalStream.from_elements(Schema.of(u=str, y=int), t),
    }


@pytest.fixture
def parted(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """Small parts; and the plans that were run by key."""
    asked: list[Plan] = []
    by_key = run_whole._by_key

    def noted(algebra: object, plan: Plan, *rest: object) -> PhysicalStream:
        asked.append(plan)
        return by_key(algebra, plan, *rest)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(run_whole, "CHUNK", 7)
    monkeypatch.setattr(key_parts, "CHUNK", 7)
    monkeypatch.setattr(run_whole, "_by_key", noted)
    return asked


@pytest.mark.parametrize("text", PLANS)
def test_the_parts_give_what_the_whole_gives(text: str, parted: list[Plan], monkeypatch: pytest.MonkeyPatch) -> None:
    plan, sources = parse_plan(text), streams()
    sources = {name: sources[name] for name in plan.sources()}
    one, two = (run(plan, sources, threads=threads) for threads in (1, 2))
    assert parted == [plan, plan]
    assert repr(one.to_elements()) == repr(two.to_elements())
    monkeypatch.setattr(run_whole, "keys_to_part_by", lambda _: None)
    horizon = 60
    assert one.checked("parts").to_logical(horizon) == run(plan, sources).to_logical(horizon)


def test_the_horizon_cuts_every_part(parted: list[Plan]) -> None:
    sources = {"S": streams()["S"]}
    assert int(run(parse_plan(WINDOW), sources, 20).end.max()) == 20
    assert parted


@pytest.mark.parametrize(
    "text",
    [
        f"S({SCHEMA}) | window(range unbounded) | group(t; count(*) as n)",
        f"{WINDOW} | aggregate(count(*) as n)",
        f"S({SCHEMA}) | window(rows 3) | window(partition by t rows 1)",
        "join(A(x int) | window(partition by x rows 1), B(y float); x = y)",
    ],
)
def test_what_does_not_pay_or_needs_all_rows_is_run_at_once(text: str) -> None:
    assert keys_to_part_by(parse_plan(text)) is None


def test_parts_are_the_same_in_every_process() -> None:
    """Python's hashes of texts are not."""
    words = PhysicalStream.from_elements(Schema.of(t=str), [((w,), Interval(0, 1)) for w in ("a", "b", "ä", None)])
    with columns_threads.workers(1) as team:
        assert part_numbers(words, (0,), team).tolist() == [0, 5, 3, 0]


def test_values_that_are_equal_are_in_one_part() -> None:
    equal: list[tuple[object, object]] = [
        (Decimal("1.0"), Decimal("1.00")),
        ((1.5, -0.0, None), (1.5, 0.0, None)),
        (("a", math.nan), ("a", -math.nan)),
        (("a", (Decimal(2),)), ("a", (Decimal("2.0"),))),
    ]
    assert all(_code(x) == _code(y) for x, y in equal)
    assert len({_code(x) for x, _ in equal}) == len(equal)
    assert _code(("ab", "c")) != _code(("a", "bc"))


def test_many_keys_are_spread_over_all_parts() -> None:
    numbers = PhysicalStream.from_elements(Schema.of(x=int), [((8 * i,), Interval(0, 1)) for i in range(800)])
    with columns_threads.workers(1) as team:
        found = np.bincount(part_numbers(numbers, (0,), team), minlength=PARTS)
    assert found.min() > 60
