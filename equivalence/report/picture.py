"""A timeline in Unicode: one line per element, instants across, a mark at the wrong one.

instant      0  1  2
wrong           ▼
A (7)        ■━━■━▶
left (7)        ■
right (7)*2     ■
"""

from itertools import pairwise
from typing import Final

from equivalence.report.cell_width import cell_width, fitted
from equivalence.report.timeline import Bar, Lane, Timeline, timeline
from equivalence.verdicts.counterexample import Counterexample
from semantics import FOREVER, Instant

WIDEST_LABEL: Final = 40


def picture(found: Counterexample) -> str:
    """The timeline of a counterexample, as text.

    >>> from semantics import Multiset, parse
    >>> plans = parse("S(x int)"), parse("S(x int) | window(range 2)")
    >>> streams = {"S": parse("interval(x int): (7)@[0,1) (8)@[1,∞)")}
    >>> print(picture(Counterexample(plans, streams, 1, Multiset([(8,)]), Multiset([(7,), (8,)]))))
    instant      0  1  2
    wrong           ▼
    S (7)        ■
    S (8)           ■━━■━▶
    left (7)     ■
    left (8)        ■━━■
    right (7)    ■━━■
    right (8)       ■
    right (8)*2        ■
    """
    return draw(timeline(found))


def draw(line: Timeline) -> str:
    """A timeline, as text."""
    lines = [("instant", _header(line)), ("wrong", _mark(line))]
    lines += [drawn for lane in line.lanes for drawn in _lane(line, lane)]
    width = max(cell_width(label) for label, _ in lines)
    return "\n".join(f"{fitted(label, width)}  {cells}".rstrip() for label, cells in lines)


def _width(line: Timeline) -> int:
    return max(len(str(t)) for t in line.axis) + 2


def _header(line: Timeline) -> str:
    return "".join(str(t).ljust(_width(line) - 1) + ("⋯" if t in line.skips else " ") for t in line.axis)


def _mark(line: Timeline) -> str:
    return "".join(("▼" if t == line.wrong else "").ljust(_width(line)) for t in line.axis)


def _lane(line: Timeline, lane: Lane) -> list[tuple[str, str]]:
    drawn = [(_label(lane, bar), _bar(line, bar)) for bar in lane.bars]
    if lane.left_out:
        drawn.append((lane.title, f"… and {lane.left_out} more"))
    return drawn or [(lane.title, "(empty)")]


def _label(lane: Lane, bar: Bar) -> str:
    text = f"{lane.title} {bar.label}"
    return text if cell_width(text) <= WIDEST_LABEL else fitted(text, WIDEST_LABEL - 1) + "…"


def _bar(line: Timeline, bar: Bar) -> str:
    return "".join(_cell(line, bar, t, after) for t, after in pairwise([*line.axis, None]) if t is not None)


def _cell(line: Timeline, bar: Bar, t: Instant, after: Instant | None) -> str:
    """A dot where the bar is valid, and a line on to the next instant if it is valid there too."""
    width = _width(line)
    if t not in bar.interval:
        return " " * width
    if after is None:
        return ("■".ljust(width - 1, "━") + "▶") if bar.interval.end == FOREVER else "■"
    if after not in bar.interval:
        return "■".ljust(width)
    return "■".ljust(width, "┅" if t in line.skips else "━")
