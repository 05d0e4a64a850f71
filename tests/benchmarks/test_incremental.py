"""The benchmark of incremental plans: both engines answer alike, and what is claimed follows from what was seen."""

import numpy as np
import pytest

from benchmarks.studies import basic_windows, figure_nine
from benchmarks.studies.basic_windows import Run, Setting, duel, q1, q2, q3, run
from benchmarks.studies.incremental import (
    Figure,
    Point,
    adaptation,
    basic,
    compared,
    landmark,
    show,
    varied,
    with_steps,
    with_volume,
)
from physical.engines.incremental.window_evaluator import IncrementalEvaluator

SETTINGS = [q1(64, 4), q2(64, 4, 0.1), q3(16)]


@pytest.mark.parametrize("setting", SETTINGS, ids=["Q1", "Q2", "Q3"])
def test_both_engines_answer_every_slide(setting: Setting) -> None:
    ours, other = duel(setting, 3)
    assert ours.answer == other.answer != []
    assert len(ours.seconds) == len(other.seconds) == 1 + basic_windows.WARM_UP + 3
    assert all(merging <= seconds for merging, seconds in zip(ours.merging, ours.seconds, strict=True))
    assert other.merging == [0.0] * len(other.seconds), "re-evaluation merges nothing"


def test_the_answer_is_that_of_the_rows_that_were_drawn() -> None:
    """Q1 by hand: of five slides with four basic windows of 16 rows the last four."""
    ours = Run(IncrementalEvaluator(q1(64, 4).plan))
    run(q1(64, 4), [ours], 3)
    draw = np.random.default_rng(7)
    drawn = [(draw.integers(0, 1000, 16), draw.integers(0, 1000, 16)) for _ in range(4 + basic_windows.WARM_UP + 3)]
    keys, values = (np.concatenate([rows[i] for rows in drawn[-4:]]) for i in (0, 1))
    expected = [(int(key), int(values[keys == key].sum())) for key in np.unique(keys) if key > 799]
    assert ours.answer == expected


def test_figures_have_points_and_claims() -> None:
    for figure in (
        basic("4a", "", q1(64, 4)),
        landmark(q3(16), 12),
        adaptation(q1(256, 4)),
        varied("5a", "", "%", {10: q1(64, 4, 0.1), 90: q1(64, 4, 0.9)}, with_volume),
    ):
        assert figure.points
        assert len(figure.claims) == 2
        assert figure.svg().startswith("<svg")
        assert show(figure).count("agrees: ") + show(figure).count("DISAGREES: ") == 2


def test_claims_are_computed() -> None:
    slow, quick = (Figure("x", "", "", [Point(i, 1.0, 0.1, ratio) for i in range(9)], []) for ratio in (2.0, 5.0))
    assert [claim.holds for claim in compared(quick, slow).claims] == [True]
    assert [claim.holds for claim in compared(slow, quick).claims] == [False]
    steep, flat = [Point(1, 1.0, 0.1, 2.0), Point(2, 1.1, 0.1, 9.0)], [Point(1, 1.0, 0.9, 2.0), Point(2, 5.0, 4.9, 3.0)]
    assert [claim.holds for claim in with_volume(steep)] == [True, True]
    assert [claim.holds for claim in with_volume(flat)] == [False, False]
    fast = [Point(2, 9.0, 1.0, 9.0), Point(512, 1.0, 0.9, 9.0)]
    assert [claim.holds for claim in with_steps(fast, merging_wins=True)] == [True, True]
    assert [claim.holds for claim in with_steps(fast, merging_wins=False)] == [True, False]
    assert "DISAGREES" in show(Figure("x", "", "", fast, with_steps(fast, merging_wins=False)))


def test_figure_nine_gives_the_same_result_whoever_computes_it() -> None:
    (totals,) = figure_nine.measured(most=64).values()
    first, *others = (total.result for total in totals.values())
    assert all(first.equivalent(other) for other in others)
    assert len(first) > figure_nine.SLIDES
    assert all(0 < total.loading < total.whole for total in totals.values())
