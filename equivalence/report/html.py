"""Verdicts as one self-contained HTML page: no outside host, every text escaped; a script does nothing but search."""

from collections import Counter
from collections.abc import Iterable
from html import escape
from typing import Final

from equivalence.report.junit import ReportedVerdict
from equivalence.report.playground_link import playground_link
from equivalence.report.plot import STYLE as PLOT_STYLE
from equivalence.report.plot import Plot, drawn
from equivalence.report.text import headline, reason
from equivalence.report.timeline import Bar, Lane, Timeline, timeline
from equivalence.verdicts.counterexample import Counterexample
from semantics import FOREVER

_STEP, _LINE, _LABEL, _CHARACTER = 40, 22, 12, 7.3
_COLOURS: Final = {"input": "#4878a8", "left": "#3a8f5c", "right": "#b8652a"}
_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1c2430;--paper:#fff;--soft:#f3f4f6;--line:#ccd1d8;--good:#1f6b3f;--bad:#b3261e;
--open:#7a5c00;--wrong:#f8d7d3}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf1;--paper:#171b20;--soft:#222831;--line:#444d59;--good:#86d6a5;
--bad:#ff9b92;--open:#e6c35c;--wrong:#5a2622}}
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:var(--ink);
background:var(--paper)}
h1{font-size:1.5em}h2{font-size:1.15em;margin:2em 0 .5em}h3{font-size:1em;margin:1.5em 0 .3em}
pre{background:var(--soft);padding:.8em;overflow:auto}table{border-collapse:collapse;width:100%}
a{color:inherit}td,th{text-align:left;vertical-align:top;padding:.3em .8em .3em 0;border-bottom:1px solid var(--line)}
svg{display:block;margin:.5em 0;max-width:100%}text{font:12px ui-monospace,monospace;fill:var(--ink)}
svg .wrong{fill:var(--wrong)}.summary{display:flex;flex-wrap:wrap;gap:.6em;padding:0;list-style:none}
.summary li{border:1px solid var(--line);border-radius:6px;padding:.3em .9em}
.proved,.agreed,.expected{color:var(--good)}.refuted,.vacuous{color:var(--bad)}.unknown,.unsupported{color:var(--open)}
td,h2{overflow-wrap:anywhere}details svg{max-width:60em}
input[type=search]{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px;
padding:.3em .6em;width:min(100%,24em);margin:.3em 0 .6em}
@media print{body{margin:0;max-width:none}pre{white-space:pre-wrap}section,figure,tr{break-inside:avoid}
input{display:none}}
"""
_SEARCH: Final = """
for (const field of document.querySelectorAll("input[type=search]")) {
  const rows = field.closest("div").querySelectorAll("tr:not(:first-child)");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}
"""
_ROWS_TO_SEARCH: Final = 12
"""A table with fewer rows is read at a glance."""
_FAULTS: Final = ("refuted", "vacuous")
_SUMMARY: Final = {
    "refuted": "refuted",
    "vacuous": "vacuous",
    "unsupported": "not supported",
    "unknown": "not decided",
    "fine": "as they should be",
}


def page(title: str, results: Iterable[ReportedVerdict], plots: Iterable[Plot] = ()) -> str:
    """The page: how many of each kind, then what is wrong with text and timeline, plots, what is open, the rest."""
    listed = list(results)
    wrong = [result for result in listed if _group(result) in _FAULTS]
    unsupported = [result for result in listed if _group(result) == "unsupported"]
    opened = [result for result in listed if _group(result) == "unknown"]
    fine = [result for result in listed if _group(result) == "fine"]
    shown = [result for result in wrong if _details(result)]
    parts = [
        _summary(listed),
        *map(_section, shown),
        _table("Falls short", [result for result in wrong if result not in shown]),
        *map(drawn, plots),
        _table("Not supported", unsupported),
        _table("Not decided", opened),
        _table("As it should be", fine),
    ]
    body = "\n".join(part for part in parts if part)
    plot_style = PLOT_STYLE if "<figure>" in body else ""
    script = f"<script>{_SEARCH}</script>" if 'type="search"' in body else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{_safe(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}{plot_style}</style></head>\n<body><main><h1>{_safe(title)}</h1>\n{body}\n</main>{script}"
        "</body></html>\n"
    )


def _group(result: ReportedVerdict) -> str:
    """Where on the page it belongs: a refutation that was claimed is as it should be."""
    if result.verdict.holds or result.expected:
        return "fine"
    return "unsupported" if result.verdict.evidence.get("unsupported") else result.verdict.kind


def _summary(results: list[ReportedVerdict]) -> str:
    counts = Counter(map(_group, results))
    colours = {"fine": "agreed"}
    items = [
        f'<li class="{colours.get(group, group)}"><strong>{counts[group]:,}</strong> {words}</li>'
        for group, words in _SUMMARY.items()
        if counts[group]
    ]
    return f'<ul class="summary">{"".join(items)}</ul>'


def _section(result: ReportedVerdict) -> str:
    head = f'<h2>{_safe(result.name)} <span class="{result.verdict.kind}">{_safe(headline(result.verdict))}</span></h2>'
    return f"<section>{head}\n{_details(result)}</section>"


def _details(result: ReportedVerdict) -> str:
    found = result.verdict.counterexample
    error = result.verdict.evidence.get("error")
    texts = [str(text) for text in (result.text, found, error) if text]
    drawn = [svg(timeline(found)), *_link(found)] if isinstance(found, Counterexample) else []
    return "\n".join([*(f"<pre>{_safe(text)}</pre>" for text in texts), *drawn])


def _link(found: Counterexample) -> list[str]:
    link = playground_link(found)
    return [] if link is None else [f'<p><a href="{_safe(link)}">Open this case in the playground</a></p>']


def _table(title: str, results: list[ReportedVerdict]) -> str:
    """A row for every verdict; nothing if there is none."""
    if not results:
        return ""
    rows = "\n".join(map(_row, results))
    field = f'<input type="search" placeholder="Search {len(results):,} rows" aria-label="Search: {title}">'
    search = field if len(results) >= _ROWS_TO_SEARCH else ""
    table = f"<table><tr><th>what</th><th>verdict</th><th>more</th></tr>\n{rows}</table>"
    return f"<div><h2>{title}</h2>\n{search}{table}</div>"


def _row(result: ReportedVerdict) -> str:
    kind = "expected" if result.expected else result.verdict.kind
    verdict = f"{headline(result.verdict)}, as claimed" if result.expected else headline(result.verdict)
    return f'<tr><td>{_safe(result.name)}</td><td class="{kind}">{_safe(verdict)}</td><td>{_more(result)}</td></tr>'


def _more(result: ReportedVerdict) -> str:
    """The reason, if there is one, else what was said; the counterexample of an expected refutation can be opened."""
    said = result.verdict.evidence.get("why") or reason(result.verdict) or result.text
    shown = "" if str(said) == result.verdict.kind else _safe(str(said))
    if result.verdict.counterexample is None:
        return shown
    return f"<details><summary>{shown or 'counterexample'}</summary>{_details(result)}</details>"


def svg(line: Timeline) -> str:
    """A timeline as a drawing: a bar for every element, a red column at the wrong instant."""
    rows = [(lane, bar) for lane in line.lanes for bar in (lane.bars or (None,))]
    left = _LABEL + _CHARACTER * max(len(_label(lane, bar)) for lane, bar in rows)
    width, height = left + _STEP * (len(line.axis) + 1), _LINE * (len(rows) + 2)
    ticks = [_text(left + _STEP * i + 4, _LINE - 6, str(t)) for i, t in enumerate(line.axis)]
    x = left + _STEP * line.axis.index(line.wrong)
    wrong = f'<rect class="wrong" x="{x:g}" y="0" width="{_STEP}" height="{height}"/>'
    bars = [_bar(line, lane, bar, left, _LINE * (i + 1)) for i, (lane, bar) in enumerate(rows)]
    drawn = "".join([wrong, *ticks, *bars])
    size = f'viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}"'
    return f'<svg {size} role="img" aria-label="timeline">{drawn}</svg>'


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
