"""Shares and amounts as horizontal bars, for pages: to be looked at rather than read."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

STYLE = """
figure{margin:1.5em 0}figcaption{font-weight:600;margin-bottom:.4em}
.bars{display:grid;grid-template-columns:minmax(6em,max-content) 1fr max-content;gap:.25em .8em;align-items:center}
.bars span{overflow-wrap:anywhere}.bars i{display:block;background:var(--soft);border:1px solid var(--line);height:.9em}
.bars b{display:block;height:100%;background:#4878a8;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.bars .short b{background:#b8652a}
"""


@dataclass(frozen=True)
class Bar:
    """So many of so many; what falls short has another colour."""

    label: str
    part: int
    of: int
    said: str = ""
    """What stands behind the bar; without it, both numbers."""
    may_fall_short: bool = False


@dataclass(frozen=True)
class Plot:
    """Bars that belong together."""

    title: str
    bars: tuple[Bar, ...]


def amounts(title: str, counted: Sequence[tuple[str, int]]) -> Plot:
    """How often each is there, against the most frequent one.

    >>> [(bar.label, bar.of) for bar in amounts("cases", [("a", 3), ("b", 5)]).bars]
    [('a', 5), ('b', 5)]
    """
    most = max((n for _, n in counted), default=0)
    return Plot(title, tuple(Bar(label, n, most, f"{n:,}", may_fall_short=True) for label, n in counted))


def drawn(plot: Plot) -> str:
    """The plot in HTML; nothing if it has no bars."""
    if not plot.bars:
        return ""
    bars = "\n".join(map(_bar, plot.bars))
    return f'<figure><figcaption>{escape(plot.title)}</figcaption>\n<div class="bars">\n{bars}</div></figure>'


def _bar(bar: Bar) -> str:
    share = 100 * bar.part / bar.of if bar.of else 0
    said = bar.said or f"{bar.part:,} of {bar.of:,}"
    kind = "" if bar.part == bar.of or bar.may_fall_short else ' class="short"'
    return f'<span>{escape(bar.label)}</span><i{kind}><b style="width:{share:.1f}%"></b></i><span>{escape(said)}</span>'
