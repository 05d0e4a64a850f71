"""Comparisons the other way round: x < y is y > x."""

from collections.abc import Mapping
from typing import Final

from semantics.expression import Comparison, ComparisonSymbol, Expression

MIRRORED: Final[Mapping[ComparisonSymbol, ComparisonSymbol]] = {
    "=": "=",
    "<>": "<>",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
}
"""How a comparison is written the other way round."""


def both_ways(comparison: Comparison) -> list[tuple[ComparisonSymbol, Expression, Expression]]:
    """A comparison as symbol, left and right, and the same the other way round."""
    left, right = comparison.left, comparison.right
    return [(comparison.symbol, left, right), (MIRRORED[comparison.symbol], right, left)]
