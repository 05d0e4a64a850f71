"""Conditions `MOD(now + c, s) = d`: true at one instant of every s, so that a filter takes samples.

Panes of tumbling and hopping windows are such samples: the pane that ends at e is the snapshot at e − 1.
"""

from collections.abc import Sequence
from functools import lru_cache

from semantics.dataclass_on_use import dataclass
from semantics.expression import Arithmetic, Comparison, Constant, Expression, Now, conjuncts
from semantics.now_in_expressions import Threshold, signed_terms, thresholds
from semantics.time import Instant


@dataclass(frozen=True)
class Period:
    """Every step-th instant: first, first + step, first + 2 step, …

    >>> period = Period(10, 9)
    >>> period.at_or_after(9), period.at_or_after(10)
    (9, 19)
    """

    step: int
    first: Instant

    def at_or_after(self, t: Instant) -> Instant:
        return t + (self.first - t) % self.step


@dataclass(frozen=True)
class Sampling:
    """A condition that holds at no other instants than those of a period, and what else it compares now with."""

    period: Period
    borders: tuple[Threshold, ...]


@lru_cache(maxsize=512)
def sampling(predicate: Expression) -> Sampling | None:
    """The sampling that a condition asks for beside other parts; None if there is none.

    Between the samples the condition is FALSE, or its other parts fail. So these must change at known instants.

    >>> from semantics import parse
    >>> sampling(parse("(now + 1) mod 10 = 0 and $0:int > 5")).period
    Period(step=10, first=9)
    >>> sampling(parse("now mod 10 > 0")), sampling(parse("now mod 10 = 3 and now * $0:int > 5"))
    (None, None)
    """
    parts = [(part, _period(part)) for part in conjuncts(predicate)]
    periods = [period for _, period in parts if period is not None]
    rest = thresholds(tuple(part for part, period in parts if period is None))
    if not periods or rest is None:
        return None
    return Sampling(max(periods, key=lambda period: period.step), rest)


def _period(part: Expression) -> Period | None:
    """The instants at which MOD(now + c, s) may be d; where now + c is negative, they are as far apart."""
    if not (isinstance(part, Comparison) and part.symbol == "="):
        return None
    for rest, wanted in ((part.left, part.right), (part.right, part.left)):
        if isinstance(rest, Arithmetic) and rest.symbol == "MOD":
            step, number, distance = _number(rest.right), _number(wanted), _distance_from_now(rest.left)
            if step and number is not None and distance is not None:
                return Period(abs(step), (number - distance) % abs(step))
    return None


def _distance_from_now(expression: Expression) -> int | None:
    """The c of `now + c`."""
    terms = list(signed_terms(expression, 1))
    rest = [(sign, term) for sign, term in terms if not isinstance(term, Now)]
    asked = [sign for sign, term in terms if isinstance(term, Now)]
    return _sum(rest) if asked == [1] else None


def _number(expression: Expression) -> int | None:
    """The whole number that is written there."""
    return _sum(list(signed_terms(expression, 1)))


def _sum(terms: Sequence[tuple[int, Expression]]) -> int | None:
    constants = [(sign, term.value) for sign, term in terms if isinstance(term, Constant)]
    numbers = [sign * value for sign, value in constants if type(value) is int]
    return sum(numbers) if len(numbers) == len(terms) else None
