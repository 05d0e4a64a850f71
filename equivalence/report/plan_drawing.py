"""Plans as drawings: boxes in layers, with an arrow from every input to its consumer; as DOT, as SVG, as text."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Final

from semantics import Plan
from semantics.notation.show import show_step
from semantics.plan import Source

if TYPE_CHECKING:
    from physical.planning.planner import PhysicalNode

REDUCIBLE_MARK: Final = "●"
"""Precedes operators that are snapshot-reducible."""


@dataclass
class Drawing:
    """One plan: its title and its boxes, inputs before consumers; equal subplans are one box."""

    title: str
    boxes: list["Box"] = field(default_factory=list)


@dataclass(frozen=True)
class Box:
    """An operator: what it says, whether it is snapshot-reducible, the boxes of its inputs, and its layer."""

    label: str
    reducible: bool
    inputs: tuple[int, ...]
    layer: int


def logical_nodes(plan: Plan) -> list[Plan]:
    """The nodes of a plan, inputs before consumers; equal subplans are one node."""
    found = dict[Plan, None]()

    def add(node: Plan) -> None:
        if node not in found:
            for child in node.inputs:
                add(child)
            found[node] = None

    add(plan)
    return list(found)


def logical_drawing(title: str, plan: Plan) -> Drawing:
    drawing, nodes = Drawing(title), logical_nodes(plan)
    for node in nodes:
        _add(drawing, show_step(node), _marked(node), [nodes.index(child) for child in node.inputs])
    return drawing


def physical_drawing(title: str, plan: "PhysicalNode") -> Drawing:
    drawing, numbers = Drawing(title), dict["PhysicalNode", int]()

    def add(node: "PhysicalNode") -> int:
        if node not in numbers:
            inputs = [add(child) for child in node.inputs]
            step = {"split": "split(1)", "coalesce": "coalesce"}.get(node.kind) or show_step(node.logical)
            marked = node.kind == "operator" and _marked(node.logical)
            numbers[node] = _add(drawing, f"{step} — {node.reason}", marked, inputs)
        return numbers[node]

    add(plan)
    return drawing


def indented_tree(plan: Plan, depth: int = 0) -> list[str]:
    """An indented tree; operators that are snapshot-reducible are marked.

    >>> from semantics import parse_plan
    >>> print("\\n".join(indented_tree(parse_plan("S(x int) | window(range 5) | distinct"))))
    ● distinct
        window(range 5)
          S(x int)
    """
    line = f"{'  ' * depth}{REDUCIBLE_MARK if _marked(plan) else ' '} {show_step(plan)}"
    return [line, *(below for child in plan.inputs for below in indented_tree(child, depth + 1))]


def to_dot(drawings: Iterable[Drawing]) -> str:
    """All plans in Graphviz's language, one beside the other; snapshot-reducible operators are grey."""
    lines = ["digraph plans {", "  rankdir=BT;", "  node [shape=box, fontname=monospace];"]
    for number, drawing in enumerate(drawings):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(drawing.title)};"]
        for i, box in enumerate(drawing.boxes):
            grey = ", style=filled, fillcolor=lightgrey" if box.reducible else ""
            lines.append(f"    n{number}_{i} [label={_quoted(box.label)}{grey}];")
            lines += [f"    n{number}_{child} -> n{number}_{i};" for child in box.inputs]
        lines.append("  }")
    return "\n".join([*lines, "}"])


BOX_HEIGHT, GAP, CHARACTER_WIDTH, MARGIN = 28, 34, 7.3, 12


def to_svg(drawings: Iterable[Drawing]) -> str:
    """All plans as a picture, one below the other: results on top, sources at the bottom."""
    parts, y, width = [], float(MARGIN), 0.0
    for drawing in drawings:
        body, size, high = _placed(drawing, y)
        parts += body
        y, width = y + high, max(width, size)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{y:.0f}"'
    return "\n".join([f'{head} font-family="monospace" font-size="12">', *parts, "</svg>"])


def _placed(drawing: Drawing, top: float) -> tuple[list[str], float, float]:
    """The shapes of one plan, how wide and how high they are."""
    layers = max(box.layer for box in drawing.boxes)
    tops = [top + 24 + (layers - layer) * (BOX_HEIGHT + GAP) for layer in range(layers + 1)]
    free = [float(MARGIN)] * (layers + 1)
    centres, parts = [], [f'<text x="{MARGIN}" y="{top + 14:.0f}" font-weight="bold">{escape(drawing.title)}</text>']
    for box in drawing.boxes:
        wide = len(box.label) * CHARACTER_WIDTH + 16
        x, y = free[box.layer], tops[box.layer]
        free[box.layer] += wide + GAP
        centres.append((x + wide / 2, y))
        for child in box.inputs:
            passed = _passed(range(drawing.boxes[child].layer + 1, box.layer), tops, free)
            parts.append(_line([centres[child], *passed, (centres[-1][0], y + BOX_HEIGHT)]))
        parts += _rectangle(box, x, y, wide)
    return parts, max(free), 24 + (layers + 1) * (BOX_HEIGHT + GAP)


def _passed(between: range, tops: list[float], free: list[float]) -> list[tuple[float, float]]:
    """The points by which an edge goes past the layers between its ends; each layer keeps a place free for it."""
    points = []
    for layer in between:
        points += [(free[layer], tops[layer] + BOX_HEIGHT), (free[layer], tops[layer])]
        free[layer] += GAP
    return points


def _line(points: list[tuple[float, float]]) -> str:
    listed = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    return f'<polyline points="{listed}" fill="none" stroke="black"/>'


def _rectangle(box: Box, x: float, y: float, wide: float) -> list[str]:
    fill = "lightgrey" if box.reducible else "white"
    frame = f'x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{BOX_HEIGHT}" fill="{fill}" stroke="black"'
    return [f"<rect {frame}/>", f'<text x="{x + 8:.0f}" y="{y + 18:.0f}">{escape(box.label)}</text>']


def _add(drawing: Drawing, label: str, reducible: bool, inputs: list[int]) -> int:
    layer = 1 + max((drawing.boxes[i].layer for i in inputs), default=-1)
    drawing.boxes.append(Box(label, reducible, tuple(inputs), layer))
    return len(drawing.boxes) - 1


def _marked(node: Plan) -> bool:
    return node.reducible and not isinstance(node, Source)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
