"""All named deviations, in the order in which they are tried."""

from typing import Final

from equivalence.deviations.catalogue.certain_rows import MANY_ROWS, ONE_ROW
from equivalence.deviations.catalogue.expressions import EXPRESSIONS
from equivalence.deviations.catalogue.frames import FRAMES
from equivalence.deviations.catalogue.groups import GROUPS
from equivalence.deviations.catalogue.inputs import INPUTS
from equivalence.deviations.catalogue.joins import JOINS
from equivalence.deviations.catalogue.limits import LIMITS
from equivalence.deviations.catalogue.outputs import OUTPUTS
from equivalence.deviations.catalogue.row_windows import ROW_WINDOWS
from equivalence.deviations.catalogue.sessions import SESSIONS
from equivalence.deviations.catalogue.sets import SETS
from equivalence.deviations.catalogue.windows import WINDOWS
from equivalence.deviations.deviation import Clue, Deviation, Variant
from equivalence.deviations.situation import Situation

CATALOGUE: Final[tuple[Deviation, ...]] = (
    *WINDOWS,
    *ROW_WINDOWS,
    *SESSIONS,
    *FRAMES,
    *GROUPS,
    *LIMITS,
    *JOINS,
    *SETS,
    *EXPRESSIONS,
    *INPUTS,
    *ONE_ROW,
    *MANY_ROWS,
    *OUTPUTS,
)
"""Every known way in which an engine is wrong or means something else."""


def variants_for(situation: Situation, clue: Clue) -> list[Variant]:
    """Every deviation that concerns a situation, with every parameter that makes sense for it."""
    return [variant for deviation in CATALOGUE for variant in deviation.variants(situation, clue)]
