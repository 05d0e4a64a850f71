"""`python -m benchmarks.studies.incremental [--scale S] [--plots FOLDER]`: incremental plans against re-evaluation.

The experiments are those of Figures 4 to 8 of Liarou, Idreos, Manegold & Kersten 2013 at their sizes times one factor:
response times of both engines over the same rows, their ratio, and whether what the paper saw is seen here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.harness.chart import chart
from benchmarks.studies.basic_windows import Run, Setting, duel, q1, q2, q3, run, warmed_up
from physical.engines.incremental.chunks import Adaptive
from physical.engines.incremental.window_evaluator import IncrementalEvaluator

WINDOW: Final = 10_240_000
JOIN_WINDOW: Final = 102_400
LANDMARK_STEP: Final = 2_500_000
JOIN_SELECTIVITY: Final = 1e-5
SLIDES: Final = 7


@dataclass(frozen=True)
class Point:
    """One measurement: milliseconds per slide."""

    x: float
    incremental: float
    merging: float
    reevaluation: float

    @classmethod
    def of(cls, x: float, runs: tuple[Run, Run]) -> "Point":
        ours, other = runs
        return cls(x, 1e3 * ours.usual, 1e3 * ours.usual_merging, 1e3 * other.usual)

    @property
    def ratio(self) -> float:
        return self.reevaluation / self.incremental


@dataclass(frozen=True)
class Claim:
    """What the paper says of a figure, and whether it is so here."""

    text: str
    holds: bool
    seen: str


@dataclass(frozen=True)
class Figure:
    """The points of an experiment, and what is claimed of them."""

    name: str
    title: str
    x: str
    points: Sequence[Point]
    claims: Sequence[Claim]

    def svg(self) -> str:
        series = {
            "re-evaluation": [(p.x, p.reevaluation) for p in self.points if p.reevaluation],
            "incremental": [(p.x, p.incremental) for p in self.points],
            "of it merging": [(p.x, p.merging) for p in self.points if p.merging],
        }
        wide = max(p.x for p in self.points) > 100 * min(p.x for p in self.points)
        return chart(
            self.title,
            self.x,
            "ms of the processor per slide",
            {k: v for k, v in series.items() if v},
            wide,
            log_y=True,
        )


def basic(name: str, title: str, setting: Setting) -> Figure:
    """Figure 4: one window after the other."""
    runs = duel(setting, 18)
    windows = zip(*(r.seconds for r in runs), runs[0].merging, strict=True)
    points = [Point(i, 1e3 * a, 1e3 * m, 1e3 * b) for i, (a, b, m) in enumerate(windows, start=1)]
    first, usual = points[0], Point.of(0, runs)
    claims = [
        Claim("the first window takes both about as long", 0.5 < first.ratio < 2, f"ratio {first.ratio:.2f}"),
        Claim("later windows are much faster incrementally", usual.ratio > 2, f"median ratio {usual.ratio:.1f}"),
    ]
    return Figure(name, title, "window", points, claims)


def compared(join: Figure, single: Figure) -> Figure:
    """Figure 4b beside 4a: a join has more to save."""
    of_join, of_single = (_middle(figure.points[3:]).ratio for figure in (join, single))
    claim = Claim(
        "a join benefits more than a single stream", of_join > of_single, f"{of_join:.1f} and {of_single:.1f}"
    )
    return replace(join, claims=[*join.claims, claim])


def varied(
    name: str, title: str, x: str, settings: Mapping[float, Setting], claim: Callable[[list[Point]], list[Claim]]
) -> Figure:
    """One setting after the other."""
    points = [Point.of(at, duel(setting, SLIDES)) for at, setting in settings.items()]
    return Figure(name, title, x, points, claim(points))


def with_volume(points: Sequence[Point]) -> list[Claim]:
    """Figure 5: the more rows are selected the more is saved."""
    first, last = points[0], points[-1]
    slopes = (last.reevaluation - first.reevaluation, last.incremental - first.incremental)
    saved = [p.reevaluation - p.incremental for p in (first, last)]
    return [
        Claim(
            "re-evaluation rises more steeply",
            slopes[0] > max(slopes[1], 0),
            f"{slopes[0]:+.2f} and {slopes[1]:+.2f} ms",
        ),
        Claim("the time saved grows", saved[1] > saved[0], f"{saved[0]:.2f} to {saved[1]:.2f} ms"),
    ]


def _with_window(points: Sequence[Point]) -> list[Claim]:
    """Figure 6a: the larger the window the larger the benefit."""
    ratios = [p.ratio for p in points]
    seen = " to ".join(f"{ratio:.0f}" for ratio in (ratios[0], ratios[-1]))
    saves = min(1 - p.incremental / p.reevaluation for p in points)
    return [
        Claim("the benefit grows with the window", ratios[-1] > ratios[0], f"ratio {seen}"),
        Claim("more than half of the time is saved", saves > 0.5, f"at least {saves:.0%}"),
    ]


def landmark(setting: Setting, slides: int) -> Figure:
    """Figure 6b: a window that only grows."""
    runs = duel(setting, slides)
    windows = zip(*(r.seconds for r in runs), runs[0].merging, strict=True)
    points = [Point(i, 1e3 * a, 1e3 * m, 1e3 * b) for i, (a, b, m) in enumerate(windows, start=1)]
    quarter, last = _middle(points[slides // 4 - 2 : slides // 4 + 3]), _middle(points[-5:])
    growth = (last.reevaluation / quarter.reevaluation, last.incremental / quarter.incremental)
    claims = [
        Claim("re-evaluation rises linearly with the window", growth[0] > 2.5, f"{growth[0]:.1f} × over 4 × the rows"),
        Claim("incremental stays the same", growth[1] < 1.5, f"{growth[1]:.1f} × over 4 × the rows"),
    ]
    return Figure("6b", "Landmark windows, Q3", "window", points, claims)


def _middle(points: Sequence[Point]) -> Point:
    """Of a few points the one in the middle, for either engine."""
    columns = zip(*((p.x, p.incremental, p.merging, p.reevaluation) for p in points), strict=True)
    return Point(*(sorted(column)[len(points) // 2] for column in columns))


def with_steps(points: Sequence[Point], merging_wins: bool) -> list[Claim]:
    """Figure 7: the smaller the step the less is new, until what does not depend on it is all that is left."""
    first, last = points[0], points[-1]
    share = last.merging / last.incremental
    dominates = "merging dominates" if merging_wins else "merging is negligible"
    return [
        Claim(
            "smaller steps are faster",
            last.incremental < first.incremental / 2,
            f"{first.incremental:.2f} to {last.incremental:.2f} ms",
        ),
        Claim(f"with many basic windows {dominates}", (share > 0.5) == merging_wins, f"{share:.0%} of the time"),
    ]


def _rise(points: Sequence[Point]) -> list[Claim]:
    least = min(points, key=lambda p: p.incremental)
    rise = points[-1].incremental / least.incremental
    return [
        Claim(
            "with very many basic windows the time rises a little again",
            1.05 < rise < 3,
            f"{rise:.2f} × the least, at {least.x:.0f}",
        )
    ]


def adaptation(setting: Setting) -> Figure:
    """Figure 8: m is doubled every five slides, until the response time rises."""
    pace = Adaptive(limit=setting.step)
    ours = Run(IncrementalEvaluator(setting.plan), pace)
    run(setting, [ours], 5 * 14)
    points = [Point(m, 1e3 * seconds, 0.0, 0.0) for m, seconds in pace.tried.items()]
    best = min(points, key=lambda p: p.incremental)
    gain = points[0].incremental / best.incremental
    claims = [
        Claim(
            "more chunks answer faster, up to some m",
            best.x > 1 and gain > 1.1,
            f"{gain:.1f} × faster at m = {best.x:.0f}",
        ),
        Claim(
            "beyond it they do not, and m is set back",
            pace.settled and pace.chunks == best.x,
            f"tried up to {points[-1].x:.0f}, set to {pace.chunks}",
        ),
    ]
    return Figure("8", f"Chunks, Q1 with {setting.basic_windows} basic windows", "m", points, claims)


def figures(scale: float) -> Iterator[Figure]:
    """All experiments, one after the other."""
    w, j = round(WINDOW * scale), round(JOIN_WINDOW * scale)
    single = basic("4a", "Basic performance, Q1", q1(w, 512))
    yield single
    yield compared(basic("4b", "Basic performance, Q2", q2(j, 64, JOIN_SELECTIVITY)), single)
    yield varied(
        "5a", "Selectivity, Q1", "% selected", {p: q1(w, 512, p / 100) for p in (10, 30, 50, 70, 90)}, with_volume
    )
    yield varied(
        "5b",
        "Join selectivity, Q2",
        "% of all pairs",
        {100 * p: q2(j, 64, p) for p in (1e-7, 1e-6, 1e-5, 1e-4)},
        with_volume,
    )
    yield varied("6a", "Window size, Q1", "rows", {w // k: q1(w // k, 512) for k in (4, 2, 1)}, _with_window)
    yield landmark(q3(round(LANDMARK_STEP * scale)), 38)
    steps: dict[float, Setting] = {n: q1(w, n) for n in (2, 8, 32, 128, 512, 1024, 2048)}
    yield varied(
        "7a", "Basic windows, Q1", "basic windows", steps, lambda points: [*with_steps(points, False), *_rise(points)]
    )
    join_steps: dict[float, Setting] = {n: q2(j, n, JOIN_SELECTIVITY) for n in (2, 4, 16, 64, 256, 1024)}
    yield varied("7b", "Basic windows, Q2", "basic windows", join_steps, lambda points: with_steps(points, True))
    yield adaptation(q1(w, 8))


def show(figure: Figure) -> str:
    """A figure as a table, and its claims below."""
    lines = [
        f"Figure {figure.name}: {figure.title}",
        f"{figure.x:>16} {'incremental':>12} {'(merging)':>10} {'re-evaluation':>14} {'ratio':>8}",
    ]
    shown = figure.points if len(figure.points) < 15 else [*figure.points[:2], *figure.points[4::6]]
    for p in shown:
        other = f"{p.reevaluation:14.3f} {p.ratio:8.1f}" if p.reevaluation else ""
        merging = f"{p.merging:10.3f}" if p.merging else ""
        lines.append(f"{p.x:16g} {p.incremental:12.3f} {merging:>10} {other}".rstrip())
    lines += [f"  {'agrees' if c.holds else 'DISAGREES'}: {c.text} ({c.seen})" for c in figure.claims]
    return "\n".join(lines)


def main(
    scale: Annotated[float, typer.Option(min=0.02, help="Sizes, as a part of those of the paper.")] = 0.25,
    plots: Annotated[Path | None, typer.Option(help="A folder to write the plots into.")] = None,
) -> None:
    """Incremental plans over basic windows against re-evaluation: Figures 4 to 8, in milliseconds per slide."""
    warmed_up()
    for figure in figures(scale):
        print(show(figure), end="\n\n", flush=True)
        if plots is not None:
            (plots / f"incremental-{figure.name}.svg").write_text(figure.svg(), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
