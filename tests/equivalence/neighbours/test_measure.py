"""Which neighbours cases tell from their plans."""

from equivalence.neighbours.measure import MOST_NEIGHBOURS, NeighbourMeasure
from semantics import parse, parse_plan

WINDOW = parse_plan("S(x int) | window(range 600)")


def test_a_case_tells_apart_what_differs_on_it() -> None:
    measure = NeighbourMeasure(WINDOW)
    measure.look({"S": parse("raw(x int): (1)@0")})
    assert measure.evidence() == {"told_apart": 2, "of": 3, "proved": 0, "open": ["SLIDE 2 instead of 1"]}
    measure.look({"S": parse("raw(x int): (1)@1")})
    assert measure.evidence() == {"told_apart": 3, "of": 3, "proved": 0, "open": []}


def test_nothing_is_seen_beyond_the_horizon_of_the_comparison() -> None:
    measure = NeighbourMeasure(WINDOW)
    measure.look({"S": parse("raw(x int): (1)@0 (1)@1")}, 12)
    assert measure.decisive() == ["RANGE 599 instead of 600", "RANGE 601 instead of 600"]


def test_a_case_without_a_result_shows_nothing() -> None:
    measure = NeighbourMeasure(parse_plan("S(x int) | map(x + 1 as y)"))
    measure.look({"S": parse("raw(x int): (9223372036854775807)@0")})
    assert measure.told_apart == 0


def test_what_is_proved_the_same_is_open_no_longer() -> None:
    measure = NeighbourMeasure(parse_plan("S(x int) | distinct"))
    measure.proved_same(measure.open[0])
    assert measure.evidence() == {"told_apart": 0, "of": 1, "proved": 1, "open": []}


def test_the_other_plan_is_no_neighbour_to_be_told_apart() -> None:
    assert NeighbourMeasure(parse_plan("S(x int) | distinct"), parse_plan("S(x int)")).of == 0


def test_equal_plans_are_measured_once() -> None:
    assert NeighbourMeasure(WINDOW, parse_plan("S(x int) | filter(true) | window(range 600)")).of == 3


def test_of_many_neighbours_the_decisive_ones_come_first() -> None:
    sums = ", ".join(f"x + {i} as x{i}" for i in range(MOST_NEIGHBOURS))
    measure = NeighbourMeasure(parse_plan(f"S(x int) | window(range 7) | map({sums})"))
    assert measure.of == MOST_NEIGHBOURS
    assert [pair.neighbour.text for pair in measure.open[:2]] == ["RANGE 6 instead of 7", "RANGE 8 instead of 7"]
