"""Plans as drawings: every edge is there, and none crosses a box."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from equivalence.report.plan_drawing import logical_drawing, logical_nodes, to_svg
from semantics import parse_plan

DEEP = "S(x int) | window(range 5) | distinct | filter(x > 1)"
PLANS = [
    DEEP,
    f"union({DEEP}, S(x int))",
    f"union(S(x int), {DEEP})",
    f"product({DEEP}, union(T(y int), T(y int) | distinct))",
    f"union(union({DEEP}, T(x int)), union(T(x int), {DEEP} | istream))",
]
Box = tuple[float, float, float, float]
Point = tuple[float, float]


def shapes(text: str) -> tuple[list[Box], list[list[Point]]]:
    root = ElementTree.fromstring(to_svg([logical_drawing("plan", parse_plan(text))]))
    numbers = [
        [float(found.get(name, "")) for name in ("x", "y", "width", "height")] for found in root.iter(_tag("rect"))
    ]
    boxes = [(x, y, x + width, y + height) for x, y, width, height in numbers]
    edges = [[_point(pair) for pair in found.get("points", "").split()] for found in root.iter(_tag("polyline"))]
    return boxes, edges


def _tag(name: str) -> str:
    return f"{{http://www.w3.org/2000/svg}}{name}"


def _point(pair: str) -> Point:
    x, y = pair.split(",")
    return float(x), float(y)


def crosses(start: Point, end: Point, box: Box) -> bool:
    """Does a line pass through the inside of a box? Its points are looked at closely enough for boxes of text."""
    left, top, right, bottom = box
    steps = [i / 200 for i in range(201)]
    points = [(start[0] + (end[0] - start[0]) * s, start[1] + (end[1] - start[1]) * s) for s in steps]
    return any(left + 1 < x < right - 1 and top + 1 < y < bottom - 1 for x, y in points)


@pytest.mark.parametrize("text", PLANS)
def test_no_edge_crosses_a_box(text: str) -> None:
    boxes, edges = shapes(text)
    lines = [line for edge in edges for line in pairwise(edge)]
    assert [(line, box) for line in lines for box in boxes if crosses(*line, box)] == []


@pytest.mark.parametrize("text", PLANS)
def test_every_operator_and_every_input_is_drawn(text: str) -> None:
    boxes, edges = shapes(text)
    nodes = logical_nodes(parse_plan(text))
    assert (len(boxes), len(edges)) == (len(nodes), sum(len(node.inputs) for node in nodes))


def test_a_crossing_would_be_seen() -> None:
    assert crosses((0, 0), (100, 100), (40, 40, 60, 60))
    assert not crosses((0, 0), (100, 0), (40, 40, 60, 60))
