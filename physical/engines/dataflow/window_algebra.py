"""What is inside the factories of a net: operators of the interval algebra, or plans over basic windows."""

from functools import partial
from typing import Final, Literal

from physical.engines.incremental.chunks import Adaptive, Fixed, Pace
from physical.engines.incremental.stage_operator import Make, algebra
from physical.engines.incremental.switching import SwitchingEvaluator
from physical.engines.incremental.window_evaluator import IncrementalEvaluator, ReevaluationEvaluator
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.runtime.operator_graph import Algebra

Windows = Literal["interval", "incremental", "reevaluation", "switching"]
"""How windows are computed: by sweeps over intervals, or slide by slide over basic windows: from parts that are kept,
anew from all rows, or by whichever suits the size of the window."""

EVALUATORS: Final[dict[str, Make]] = {
    "incremental": IncrementalEvaluator,
    "reevaluation": ReevaluationEvaluator,
    "switching": SwitchingEvaluator,
}


def algebra_for(windows: Windows, chunks: int | None = 1) -> Algebra:
    """The algebra of the factories; `chunks` is the number of parts of a basic window, None lets each stage find it."""
    if windows == "interval":
        return INTERVAL_ALGEBRA
    return algebra(EVALUATORS[windows], partial(_pace, chunks))


def _pace(chunks: int | None) -> Pace:
    return Adaptive() if chunks is None else Fixed(chunks)
