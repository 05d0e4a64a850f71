"""Line charts as SVG text: a few series of points over two axes, without any library."""

import math
from html import escape
from typing import Final

WIDTH: Final = 720
HEIGHT: Final = 420
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 40, 50
COLOURS: Final = (
    *("#1b6ca8", "#c8553d", "#3c8d53", "#8e5ea2", "#b8860b", "#4d4d4d"),
    *("#d1669a", "#2aa198", "#7a4a1e", "#6a9a00", "#5b5bd6", "#e0a800"),
)
Points = list[tuple[float, float]]


def chart(
    title: str, x_label: str, y_label: str, series: dict[str, Points], log_x: bool = False, log_y: bool = False
) -> str:
    """The points of each series joined by a line, with ticks on both axes and a legend.

    >>> chart("squares", "x", "x²", {"exact": [(1, 1), (2, 4)]}).startswith("<svg")
    True
    """
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    across = Axis(xs, log_x, LEFT, WIDTH - RIGHT)
    up = Axis(ys, log_y, HEIGHT - BOTTOM, TOP)
    parts = [
        _text(LEFT, 22, title, "start", 15),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label),
        f'<g transform="rotate(-90 16 {HEIGHT / 2:g})">{_text(16, HEIGHT / 2, y_label)}</g>',
        *(_vertical(across.place(tick), _number(tick)) for tick in across.ticks),
        *(_horizontal(up.place(tick), _number(tick)) for tick in up.ticks),
    ]
    for i, (name, points) in enumerate(series.items()):
        parts += _line(name, [(across.place(x), up.place(y)) for x, y in points], i)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])


class Axis:
    """Where values lie between two ends of the picture."""

    def __init__(self, values: list[float], log: bool, first: float, last: float) -> None:
        if log and min(values, default=1.0) <= 0:
            raise ValueError(f"chart: a logarithmic axis takes positive values, got {min(values)}")
        self.log, self.first, self.last = log, first, last
        self.ticks = _powers(values) if log else _steps(values)
        self.low, self.high = self._scaled(self.ticks[0]), self._scaled(self.ticks[-1])

    def place(self, value: float) -> float:
        return self.first + (self._scaled(value) - self.low) / (self.high - self.low) * (self.last - self.first)

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value


def _powers(values: list[float]) -> list[float]:
    """The powers of ten around the values; if that is one decade only, 2 and 5 in between."""
    low, high = math.floor(math.log10(min(values, default=1.0))), math.ceil(math.log10(max(values, default=10.0)))
    high = max(high, low + 1)
    digits = (1, 2, 5) if high - low <= 2 else (1,)
    return [digit * 10.0**power for power in range(low, high) for digit in digits] + [10.0**high]


def _steps(values: list[float]) -> list[float]:
    """Some five round numbers from zero, or from below the least value, to above the greatest."""
    low, high = min([0.0, *values]), max(values, default=1.0)
    span = high - low or 1.0
    unit = 10.0 ** math.floor(math.log10(span / 5))
    step = next(unit * digit for digit in (1, 2, 5, 10) if unit * digit >= span / 5)
    return [i * step for i in range(math.floor(low / step), math.ceil((low + span) / step) + 1)]


def _line(name: str, places: Points, i: int) -> list[str]:
    colour, y = COLOURS[i % len(COLOURS)], TOP + 10 + 20 * i
    path = " ".join(f"{x:.1f},{y_:.1f}" for x, y_ in places)
    dots = [f'<circle cx="{x:.1f}" cy="{y_:.1f}" r="3" fill="{colour}"/>' for x, y_ in places]
    x = WIDTH - RIGHT + 14
    legend = (
        f'<rect x="{x}" y="{y - 4}" width="12" height="4" fill="{colour}"/>{_text(x + 18, y + 3, name, "start", 11)}'
    )
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>', *dots, legend]


def _vertical(x: float, label: str) -> str:
    line = f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
    return line + _text(x, HEIGHT - BOTTOM + 16, label, size=11)


def _horizontal(y: float, label: str) -> str:
    line = f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
    return line + _text(LEFT - 6, y + 4, label, "end", 11)


def _text(x: float, y: float, text: str, anchor: str = "middle", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
