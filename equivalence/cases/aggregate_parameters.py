"""Parameters of aggregates over their whole range: fractions, ranks and separators."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from equivalence.cases.choices import Choices
from semantics import aggregate as agg

FRACTIONS: Final = tuple(
    Fraction(text)
    for text in (
        "0.5",
        "0.25",
        "0.75",
        "0",
        "1",
        "0.1",
        "0.9",
        "0.05",
        "0.33",
        "0.6",
        "0.76",
        "0.8",
        "0.95",
        "0.99",
        "0.999",
        "0.125",
        "0.001",
    )
)
"""In every part of the range, at both of its ends, and beyond the quartiles that code may treat apart."""
RANKS: Final = (1, 2, 3, 4, 5, 7, 9, 12, 17, 33)
SEPARATORS: Final = (",", ", ", "", "/", " - ", "ab", "\n", "é", "a" * 17)


def with_any_parameter(choices: Choices, aggregate: agg.Aggregate) -> agg.Aggregate:
    """The aggregate with any parameter in the place of its own, which is the simplest; most have none.

    >>> from equivalence.cases.choices import ReplayedChoices
    >>> from semantics import Type
    >>> from semantics.expression import Ref
    >>> with_any_parameter(ReplayedChoices([3]), agg.Largest(Ref(0, Type.INT), 1)).rank
    3
    """
    match aggregate:
        case agg.Percentile(fraction=fraction):
            return replace(aggregate, fraction=choices.of((fraction, *FRACTIONS)))
        case agg.Largest(rank=rank):
            return replace(aggregate, rank=choices.of((rank, *RANKS)))
        case agg.Listed(separator=str(separator)):
            return replace(aggregate, separator=choices.of((separator, *SEPARATORS)))
        case agg.OfDistinct(function=function):
            return agg.of_distinct(with_any_parameter(choices, function))
        case _:
            return aggregate
