"""True rules of the catalogue that the prover does not prove, each with the reason."""

from typing import Final

_SUMS_OVER_TIME: Final = "needs an induction over time: what comes and goes adds up to what is there"
_SHIFTED_EXTREMES: Final = "the largest of shifted values is not known as the shifted largest value"
_PRODUCTS_OF_NUMBERS: Final = "needs arithmetic with products of numbers that are left open"
_LIMITS_OF_LIMITS: Final = "a limit counts what another one has kept, and no step adds that up"
_PIECES: Final = "pieces of pieces have two places in the list, pieces one: no step matches them"

OPEN_QUESTIONS: Final[dict[str, str]] = {
    "maximum-of-shifted": _SHIFTED_EXTREMES,
    "maximum-as-minimum": _SHIFTED_EXTREMES,
    "what-came-and-did-not-leave": _SUMS_OVER_TIME,
    "what-came-is-there-or-left": _SUMS_OVER_TIME,
    "unbounded-window-undoes-istream-of-distinct": _SUMS_OVER_TIME,
    "later-landmark-is-contained": _PRODUCTS_OF_NUMBERS,
    "sample-more-often-than-it-changes": _PRODUCTS_OF_NUMBERS,
    "sample-less-often-than-it-changes": _PRODUCTS_OF_NUMBERS,
    "window-made-of-panes": _PRODUCTS_OF_NUMBERS,
    "limits-together": _LIMITS_OF_LIMITS,
    "limit-into-union": _LIMITS_OF_LIMITS,
    "limit-with-ties-into-union": _LIMITS_OF_LIMITS,
    "limit-of-a-longer-limit-with-ties": _LIMITS_OF_LIMITS,
    "rows-with-elements": "how many elements an array has is not known to count them: both are free functions",
    "split-pieces": _PIECES,
    "split-short-pieces": _PIECES,
    "rdup-below-product": "the first pair of elements is not known to be the pair of the first elements",
    "filter-of-groups-through-over": "frames of rows have numbers, and no step takes a condition out of those",
    "places-in-their-order": "how many instants hold a row is not known to be at most how many rows they hold",
    "left-join-on-a-key-keeps-the-count": "cvc5 does not confirm z3's answer on a leaf within the limit",
}
"""By the rule's name."""
