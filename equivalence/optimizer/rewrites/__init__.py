"""Rules as rewrites of one node, in the direction in which an optimizer uses them."""

from typing import Final

from equivalence.optimizer.rewrites.filters import FILTERS
from equivalence.optimizer.rewrites.joins import JOINS
from equivalence.optimizer.rewrites.rewrite import Rewrite, Step, steps
from equivalence.optimizer.rewrites.shapes import SHAPES
from equivalence.optimizer.rewrites.windows import WINDOWS

REWRITES: Final = (*FILTERS, *JOINS, *SHAPES, *WINDOWS)

__all__ = ["REWRITES", "Rewrite", "Step", "steps"]
