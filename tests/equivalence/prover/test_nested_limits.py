"""Limits over limits are merged into one that holds the same rows, and only then."""

from random import Random
from typing import Final

import pytest

from equivalence.prover.confirmation import proved
from equivalence.prover.meaning.nested_limits import merged
from semantics import RawStream, evaluate, parse_plan
from semantics.plan import Limit

A, B = "A(x int, y int)", "B(x int, y int)"
PLANS: Final = 250
CASES: Final = 12
ENOUGH: Final = 30
"""So many of the plans must become others, or the test says little."""


Kind = tuple[str, str, str]


def kind(chooser: Random) -> Kind:
    """What counts as a place, in which groups and in which order."""
    ranking, group = chooser.choice(("", "", " with ties", " values")), chooser.choice(("", "", " per y"))
    return ranking, group, chooser.choice(("x", "x desc", "y"))


def limit(usual: Kind, chooser: Random) -> str:
    """Mostly of the same kind."""
    ranking, group, order = usual if chooser.random() < 0.85 else kind(chooser)
    count, after = chooser.choice(("1", "2", "3", "4", "all")), chooser.choice(("", "", "", " after 1"))
    return f"limit({count}{ranking}{after}{group}; {order})"


def side(source: str, usual: Kind, chooser: Random) -> str:
    steps = [limit(usual, chooser), chooser.choice(("map(x as x, y as y)", "map(y as x, x as y)"))]
    return " | ".join([source, *steps[: chooser.randrange(3)]])


def plan(chooser: Random) -> Limit:
    usual = kind(chooser)
    one, other = (side(source, usual, chooser) for source in (A, B))
    made = parse_plan(f"{chooser.choice((one, f'union({one}, {other})'))} | {limit(usual, chooser)}")
    assert isinstance(made, Limit)
    return made


def streams(limited: Limit, chooser: Random) -> dict[str, RawStream]:
    """Few values, so that ties are common; NULL is among them."""

    def row() -> tuple[int | None, int | None]:
        return chooser.choice((None, 0, 1, 2)), chooser.choice((None, 0, 1))

    sources = limited.sources()
    return {n: RawStream(s, [(row(), 0) for _ in range(chooser.randrange(9))]) for n, s in sources.items()}


def test_the_merged_limit_holds_the_same_rows() -> None:
    chooser, changed = Random(5), 0
    for limited in [plan(chooser) for _ in range(PLANS)]:
        one = merged(limited)
        changed += one != limited
        for given in [streams(limited, chooser) for _ in range(CASES)]:
            left, right = (evaluate(each, given, horizon=1).at(0) for each in (limited, one))
            assert left == right, (limited, one, given)
    assert changed >= ENOUGH


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f"{A} | limit(5; x) | limit(3; x)", f"{A} | limit(3; x)"),
        (f"{A} | limit(5 after 2; x) | map(x as x, y as y) | limit(2 after 1; x)", f"{A} | limit(2 after 3; x)"),
        (f"union({A} | limit(3; x), {B} | limit(4; x)) | limit(3; x)", f"union({A}, {B}) | limit(3; x)"),
        (f"{A} | limit(4; y desc) | map(y as y) | limit(2; y desc)", f"{A} | map(y as y) | limit(2; y desc)"),
    ],
)
def test_proved(left: str, right: str) -> None:
    assert proved(parse_plan(left), parse_plan(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (f"{A} | limit(2; x) | limit(3; x)", f"{A} | limit(3; x)"),
        (f"{A} | limit(5; x) | limit(3; x desc)", f"{A} | limit(3; x desc)"),
        (f"{A} | limit(5; x) | limit(3 per y; x)", f"{A} | limit(3 per y; x)"),
        (f"{A} | limit(5; x) | limit(3 after 3; x)", f"{A} | limit(3 after 3; x)"),
        (f"{A} | limit(5; x) | limit(3 with ties; x)", f"{A} | limit(3 with ties; x)"),
        (f"{A} | limit(5; x) | map(y as x, x as y) | limit(3; x)", f"{A} | map(y as x, x as y) | limit(3; x)"),
        (f"union({A} | limit(2; x), {B}) | limit(3; x)", f"union({A}, {B}) | limit(3; x)"),
        (f"union({A} | limit(3; x), {B}) | limit(3 after 1; x)", f"union({A}, {B}) | limit(3 after 1; x)"),
    ],
)
def test_never_proved(left: str, right: str) -> None:
    assert not proved(parse_plan(left), parse_plan(right))


def narrowed(chooser: Random) -> Limit:
    """A limit of one column, over a map that drops the other one and a limit by any of them."""
    column, inner = chooser.choice("xy"), chooser.choice(("x", "y", "x desc", "x, y", "y desc, x"))
    size, skipped = chooser.randrange(1, 6), chooser.choice(("", "", " after 1"))
    outer = f"limit({chooser.randrange(1, 4)}{chooser.choice(('', ' after 1'))}; x{chooser.choice(('', ' desc'))})"
    made = parse_plan(f"{A} | limit({size}{skipped}; {inner}) | map({column} as x) | {outer}")
    assert isinstance(made, Limit)
    return made


def test_a_limit_goes_past_a_map_that_keeps_its_keys_alone() -> None:
    chooser, changed = Random(7), 0
    for limited in [narrowed(chooser) for _ in range(PLANS)]:
        one = merged(limited)
        changed += one != limited
        for given in [streams(limited, chooser) for _ in range(CASES)]:
            left, right = (evaluate(each, given, horizon=1).at(0) for each in (limited, one))
            assert left == right, (limited, one, given)
    assert changed >= ENOUGH // 2


def test_a_map_that_keeps_more_than_the_keys_is_not_passed() -> None:
    """Rows that tie by x come in the order of y above, and of z below."""
    three = "A(x int, z int, y int) | limit(2; x) | map(x as x, y as y) | limit(1; x)"
    made = parse_plan(three)
    assert isinstance(made, Limit)
    assert merged(made) == made
