"""Verdicts as one self-contained HTML page: no script, no external style, every text escaped."""

from collections.abc import Iterable
from html import escape
from typing import Final

from equivalence.report.junit import ReportedVerdict
from equivalence.report.text import headline
from equivalence.report.timeline import Bar, Lane, Timeline, timeline
from equivalence.verdicts.counterexample import Counterexample
from semantics import FOREVER

_STEP, _LINE, _LABEL, _CHARACTER = 40, 22, 12, 7.3
_COLOURS: Final = {"input": "#4878a8", "left": "#3a8f5c", "right": "#b8652a"}
_STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em}"
    "pre{background:#f6f6f6;padding:.8em;overflow:auto}svg{display:block;margin:.5em 0 2em;max-width:100%}"
    "text{font:12px ui-monospace,monospace}.proved,.agreed{color:#2a7a4b}.refuted,.vacuous{color:#b3261e}"
    ".unknown{color:#8a6d00}"
)


def page(title: str, results: Iterable[ReportedVerdict]) -> str:
    """The page: a line for every verdict, text and timeline for those that need them."""
    body = "\n".join(_section(result) for result in results)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{_safe(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{_safe(title)}</h1>\n{body}\n</body></html>\n"
    )


def _section(result: ReportedVerdict) -> str:
    kind = result.verdict.kind
    head = f'<h2>{_safe(result.name)} <span class="{kind}">{_safe(headline(result.verdict))}</span></h2>'
    found = result.verdict.counterexample
    error = result.verdict.evidence.get("error")
    texts = [str(text) for text in (result.text, found, error) if text]
    drawn = [svg(timeline(found))] if isinstance(found, Counterexample) else []
    return "\n".join([head, *(f"<pre>{_safe(text)}</pre>" for text in texts), *drawn])


def svg(line: Timeline) -> str:
    """A timeline as a drawing: a bar for every element, a red column at the wrong instant."""
    rows = [(lane, bar) for lane in line.lanes for bar in (lane.bars or (None,))]
    left = _LABEL + _CHARACTER * max(len(_label(lane, bar)) for lane, bar in rows)
    width, height = left + _STEP * (len(line.axis) + 1), _LINE * (len(rows) + 2)
    ticks = [_text(left + _STEP * i + 4, _LINE - 6, str(t)) for i, t in enumerate(line.axis)]
    wrong = _rect(left + _STEP * line.axis.index(line.wrong), 0, _STEP, height, "#f8d7d3")
    bars = [_bar(line, lane, bar, left, _LINE * (i + 1)) for i, (lane, bar) in enumerate(rows)]
    drawn = "".join([wrong, *ticks, *bars])
    return f'<svg viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" role="img">{drawn}</svg>'


def _bar(line: Timeline, lane: Lane, bar: Bar | None, left: float, top: int) -> str:
    label = _text(2, top + 15, _label(lane, bar))
    covered = [] if bar is None else [i for i, t in enumerate(line.axis) if t in bar.interval]
    if bar is None or not covered:
        return label
    start, end = left + _STEP * covered[0], left + _STEP * (covered[-1] + 1)
    colour = _COLOURS["input" if lane in line.inputs else lane.title]
    box = _rect(start + 1, top + 4, end - start - 2, _LINE - 8, colour)
    return label + box + (_text(end + 2, top + 15, "→ ∞") if bar.interval.end == FOREVER else "")


def _label(lane: Lane, bar: Bar | None) -> str:
    text = f"{lane.title} {bar.label if bar else '(empty)'}"
    return text if len(text) <= 40 else text[:39] + "…"


def _rect(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{colour}"/>'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{_safe(text)}</text>'


def _safe(text: str) -> str:
    return escape("".join(c if c == "\n" or c.isprintable() else "�" for c in text))
