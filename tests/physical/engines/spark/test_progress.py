"""When the results of a continuous query come: not before they are sure, and not a batch later."""

import pytest

from physical.columns.stream import PhysicalStream
from physical.engines.spark.continuous.part import QueryPart
from semantics import Interval, parse, parse_plan
from semantics.stream import Run
from tests.physical.engines.spark.test_continuous_part import job_of


def stream(text: str) -> PhysicalStream:
    return PhysicalStream.of(parse(text))


def out_at(plan: str, elements: str, watermarks: list[int]) -> list[tuple[Run, ...]]:
    """What is out after each watermark, in canonical form."""
    part = QueryPart(job_of(parse_plan(plan)))
    part.take({"S": stream(elements)} if elements else {}, 0)
    found = []
    for watermark in watermarks:
        part.advance(watermark)
        found.append(part.results().canonical().to_runs())
    return found


def runs(*listed: tuple[int, int, int]) -> tuple[Run, ...]:
    return tuple(((value,), Interval(start, end), 1) for value, start, end in listed)


def test_a_window_with_a_slide_shows_its_contents_once_the_boundary_is_past() -> None:
    plan = "S(x int) | window(range 4 slide 4) | aggregate(count(*) as n)"
    found = out_at(plan, "raw(x int): (1)@1 (1)@2", [3, 4, 5, 8])
    assert found == [(), (), runs((2, 4, 8)), runs((2, 4, 8))]


@pytest.mark.parametrize("plan", ["S(x int) | window(range 9)", "S(x int) | window(range 9) | filter(x > 0)"])
def test_plain_operators_give_the_whole_interval_as_soon_as_its_start_is_past(plan: str) -> None:
    assert out_at(plan, "raw(x int): (7)@2", [2, 3])[-1] == runs((7, 2, 11))


def test_operators_with_state_give_it_piece_by_piece() -> None:
    found = out_at("S(x int) | window(range 9) | distinct", "raw(x int): (7)@2", [2, 3, 6, 20])
    assert found == [(), runs((7, 2, 3)), runs((7, 2, 6)), runs((7, 2, 11))]


def test_a_total_over_nothing_reaches_back_to_the_beginning() -> None:
    found = out_at("S(x int) | window(range 2) | total(count(*) as n)", "", [0, 3])
    assert found == [(), runs((0, 0, 3))]


def test_the_slowest_source_decides() -> None:
    part = QueryPart(job_of(parse_plan("union(S(x int), T(x int)) | window(range 2) | distinct")))
    part.take({"S": stream("raw(x int): (1)@0 (1)@8"), "T": stream("raw(x int): (2)@1")}, 0)
    assert part.progress == 0
    part.advance(2)
    assert part.progress == 2
    assert part.results().canonical().to_runs() == runs((1, 0, 2), (2, 1, 2))
