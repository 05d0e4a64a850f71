"""The picture of the rooms in docs/architecture.md: `make map` draws it anew, and a test compares.

An arrow goes from a room to one that it imports. Arrows that follow from others are left out, and so are those between
packages: `equivalence` may use all of `physical`, and both may use all of `semantics`.
"""

from collections.abc import Iterator
from typing import Final

import networkx as nx

from tests.paths import ROOT
from tests.quality.rooms import graph

PICTURE: Final = ROOT / "docs" / "rooms.svg"
BOX: Final = (132, 26)
STEP: Final = (150, 58)
"""From one box to the next one beside it, and to the next one below it."""
MARGIN: Final = 24
COLOURS: Final = {"semantics": "#fff3d6", "physical": "#dcebfa", "equivalence": "#e3f3e1"}
BESIDE: Final = ("physical", "equivalence")

Positions = dict[str, tuple[float, float]]


def drawing() -> str:
    """The whole picture, as SVG."""
    rooms = graph()
    panels = [nx.transitive_reduction(rooms.subgraph(_of(rooms, package))) for package in BESIDE]
    positions: Positions = {}
    for panel in panels:
        positions |= _placed(panel, left=max((x + STEP[0] for x, _ in positions.values()), default=MARGIN))
    width = max(x for x, _ in positions.values()) + BOX[0] + MARGIN
    base = max(y for _, y in positions.values()) + STEP[1]
    arrows = [arrow for panel in panels for edge in sorted(panel.edges) for arrow in _arrow(positions, *edge)]
    boxes = [box for room in sorted(positions) for box in _box(room, *positions[room], BOX[0])]
    ground = list(_box("semantics: algebra, builder, notation, SQL", MARGIN, base, width - 2 * MARGIN))
    return "\n".join([*_head(width, base + BOX[1] + MARGIN), *arrows, *boxes, *ground, "</svg>", ""])


def _of(rooms: "nx.DiGraph[str]", package: str) -> list[str]:
    return [room for room in rooms if room.startswith(f"{package}.")]


def _placed(panel: "nx.DiGraph[str]", left: float) -> Positions:
    """Every room above all that it imports, each row ordered so that arrows cross little."""
    rows = [sorted(row) for row in nx.topological_generations(panel)]
    widest = max(map(len, rows))
    places: Positions = {}
    for depth, row in enumerate(rows):
        row.sort(key=lambda room: _middle([places[above][0] for above in panel.predecessors(room)]))
        indent = left + (widest - len(row)) * STEP[0] / 2
        places |= {room: (indent + i * STEP[0], MARGIN + depth * STEP[1]) for i, room in enumerate(row)}
    return places


def _middle(xs: list[float]) -> float:
    return sum(xs) / len(xs) if xs else 0.0


def _head(width: float, height: float) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
    yield ' font-family="sans-serif" font-size="12">'
    yield '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    yield '<path d="M0 0 8 4 0 8z" fill="#667"/></marker></defs>'
    yield '<rect width="100%" height="100%" fill="white"/>'


def _arrow(positions: Positions, above: str, below: str) -> Iterator[str]:
    (x1, y1), (x2, y2) = positions[above], positions[below]
    out, into, start = x1 + BOX[0] / 2, x2 + BOX[0] / 2, y1 + BOX[1]
    half = (start + y2) / 2
    curve = f"M{out:g} {start:g}C{out:g} {half:g} {into:g} {half:g} {into:g} {y2:g}"
    yield f'<path d="{curve}" fill="none" stroke="#667" marker-end="url(#tip)"/>'


def _box(room: str, x: float, y: float, width: float) -> Iterator[str]:
    package, _, name = room.partition(".")
    colour = COLOURS[package.partition(":")[0]]
    yield f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{BOX[1]}" rx="5" fill="{colour}" stroke="#889"/>'
    yield f'<text x="{x + width / 2:g}" y="{y + 17:g}" text-anchor="middle">{name or room}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
