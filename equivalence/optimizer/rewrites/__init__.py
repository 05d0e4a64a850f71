"""Rules as rewrites of one node, in the direction in which an optimizer uses them."""

from typing import Final

from equivalence.optimizer.rewrites.filter_rewrites import FILTERS
from equivalence.optimizer.rewrites.join_rewrites import JOINS
from equivalence.optimizer.rewrites.plan_rewrite import DerivationStep, Rewrite, RuleRewrite, steps
from equivalence.optimizer.rewrites.shape_rewrites import SHAPES
from equivalence.optimizer.rewrites.window_rewrites import WINDOWS

REWRITES: Final = (*FILTERS, *JOINS, *SHAPES, *WINDOWS)

__all__ = ["REWRITES", "DerivationStep", "Rewrite", "RuleRewrite", "steps"]
