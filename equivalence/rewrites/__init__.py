"""Rules as rewrites of one node, in the direction in which an optimizer uses them."""

from typing import Final

from equivalence.rewrites.filters import FILTERS
from equivalence.rewrites.joins import JOINS
from equivalence.rewrites.rewrite import Rewrite, Step, steps
from equivalence.rewrites.shapes import SHAPES
from equivalence.rewrites.windows import WINDOWS

REWRITES: Final = (*FILTERS, *JOINS, *SHAPES, *WINDOWS)

__all__ = ["REWRITES", "Rewrite", "Step", "steps"]
