"""The pictures of docs/concepts: the reference evaluates small queries, and their results are drawn.

`python -m docs.generate.pictures` writes them anew; a test compares them with what is there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from semantics import FOREVER, Interval, Stream, canonical, evaluate, parse, parse_plan
from semantics.constraint import elements_of
from semantics.notation.show_expression import show_row

FOLDER: Final = Path(__file__).parents[1] / "concepts" / "figures"
STEP, LINE, LABEL, MARGIN = 36, 26, 240, 14
INPUT, RESULT, INK, QUIET = "#3566a5", "#2f7d4f", "#222", "#777"


@dataclass(frozen=True)
class Picture:
    """A stream and queries over it; all instants before the horizon are drawn."""

    says: str
    streams: Mapping[str, str]
    queries: Mapping[str, str]
    horizon: int


BIDS: Final = "raw(item str): ('bike')@1 ('lamp')@3 ('bike')@4 ('sofa')@8"
WINDOWS: Final = {
    "RANGE 4": "window(range 4)",
    "RANGE 4 SLIDE 4": "window(range 4 slide 4)",
    "ROWS 2": "window(rows 2)",
    "LANDMARK 0 RESET 6": "window(landmark 0 reset 6)",
}
PICTURES: Final = {
    "snapshot": Picture(
        "Bids valid for four instants, and how many bids each snapshot holds",
        {"Bid": BIDS},
        {"valid": "Bid(item str) | window(range 4)", "count": "Bid(item str) | window(range 4) | total(count(*) as n)"},
        14,
    ),
    **{
        step.partition("(")[2].rstrip(")").replace(" ", "-"): Picture(
            f"The same bids under WINDOW({sql})", {"Bid": BIDS}, {sql: f"Bid(item str) | {step}"}, 14
        )
        for sql, step in WINDOWS.items()
    },
    "session": Picture(
        "Bids in sessions with a gap of 3", {"Bid": BIDS}, {"SESSION 3": "Bid(item str) | window(session 3)"}, 14
    ),
    "distinct": Picture(
        "DISTINCT below and above a window",
        {"S": "raw(x int): (7)@1 (7)@3"},
        {
            "window, then distinct": "S(x int) | window(range 4) | distinct",
            "distinct, then window": "S(x int) | distinct | window(range 4)",
        },
        9,
    ),
}


def drawn(picture: Picture) -> str:
    """The picture as SVG."""
    streams = {name: parse(text) for name, text in picture.streams.items()}
    lanes = [*_inputs(streams), *_results(picture, streams)]
    width, height = LABEL + STEP * picture.horizon + 2 * MARGIN, LINE * (len(lanes) + 1) + 2 * MARGIN
    ticks = "".join(_text(_x(t) + 2, MARGIN + 14, str(t), QUIET) for t in range(picture.horizon))
    lines = "".join(_tick(t, height) for t in range(picture.horizon + 1))
    body = "".join(_lane(lane, number, picture.horizon) for number, lane in enumerate(lanes, start=1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(picture.says)}" font-family="sans-serif" font-size="13">'
        f'<rect width="{width}" height="{height}" fill="#fff" rx="6"/>{lines}{ticks}{body}</svg>\n'
    )


@dataclass(frozen=True)
class _Lane:
    title: str
    row: str
    interval: Interval
    colour: str


def _inputs(streams: Mapping[str, Stream]) -> Iterator[_Lane]:
    for name, stream in streams.items():
        for row, interval in elements_of(stream):
            yield _Lane(name, show_row(row), interval, INPUT)


def _results(picture: Picture, streams: Mapping[str, Stream]) -> Iterator[_Lane]:
    for title, text in picture.queries.items():
        for row, interval, copies in canonical(evaluate(parse_plan(text), streams, picture.horizon)):
            label = show_row(row) + (f" × {copies}" if copies > 1 else "")
            yield _Lane(title, label, interval, RESULT)


def _lane(lane: _Lane, number: int, horizon: int) -> str:
    y = MARGIN + LINE * number
    end = horizon if lane.interval.end == FOREVER else min(int(lane.interval.end), horizon)
    wide = STEP * (end - lane.interval.start) - 4
    place = f'x="{_x(lane.interval.start) + 2}" y="{y + 4}" width="{wide}" height="{LINE - 9}"'
    bar = f'<rect {place} rx="4" fill="{lane.colour}"/>'
    title = f'<tspan fill="{QUIET}">{escape(lane.title)}</tspan> {escape(lane.row)}'
    return f'<text x="{MARGIN}" y="{y + 17}" fill="{INK}">{title}</text>{bar}'


def _tick(t: int, height: int) -> str:
    return f'<line x1="{_x(t)}" x2="{_x(t)}" y1="{MARGIN + LINE - 6}" y2="{height - MARGIN + 6}" stroke="#ddd"/>'


def _text(x: float, y: float, text: str, colour: str) -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}">{escape(text)}</text>'


def _x(t: int) -> int:
    return MARGIN + LABEL + STEP * t


def main() -> None:
    for name, picture in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(drawn(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
