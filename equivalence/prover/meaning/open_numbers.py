"""Numbers that are left open, and the paths on which a rule decides something about them.

A number stands for its term. To compare two numbers is to decide something. If the comparison does not follow from what
is known so far, the rule is run once for each answer, and the answer is a hypothesis of that run. So whatever a rule
computes from numbers (`max`, `if`, side conditions) is covered: every run has to be proved.
"""

import math
from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

from equivalence.prover.solver.solvers import Z3
from equivalence.prover.terms.build import ZERO, add, at_most, div, equal, less, mod, mul, neg, number, sub
from equivalence.prover.terms.smtlib import query
from equivalence.prover.terms.term import Term
from semantics.whole_numbers import Unknown

T = TypeVar("T")


class DecisionPath:
    """One run of a rule: what was decided, and what is therefore known."""

    def __init__(self, decided: list[int], solver: Z3 | None = None) -> None:
        self.decided = decided
        self.options: list[int] = []
        self.known: list[Term] = []
        self.finished = False
        self._solver = solver or Z3()

    def choose(self, options: int) -> int:
        """The number of one of the alternatives; every alternative is taken by some run."""
        if options == 1:
            return 0
        if self.finished:
            raise RuntimeError("a number that is left open was compared after its rule was stated")
        self.options.append(options)
        if len(self.options) > len(self.decided):
            self.decided.append(0)
        return self.decided[len(self.options) - 1]

    def decide(self, condition: Term) -> bool:
        """Does the condition hold on this path? The answer follows, or is assumed from here on."""
        for answer, settled in ((True, condition), (False, neg(condition))):
            if settled in self.known or self._solver.ask(query(self.known, settled)) == "unsat":
                return answer
        answer = self.choose(2) == 0
        self.known.append(condition if answer else neg(condition))
        return answer


def every_path(run: Callable[[DecisionPath], T], solver: Z3 | None = None) -> Iterator[tuple[DecisionPath, T]]:
    """Run a function along every path that it can take."""
    decided: list[int] | None = []
    asked = solver or Z3()
    while decided is not None:
        path = DecisionPath(decided, asked.with_full_budget())
        result = run(path)
        path.finished = True
        yield path, result
        decided = _next(path)


def _next(path: DecisionPath) -> list[int] | None:
    """The decisions of the next path: the last one that has another alternative takes it."""
    decided = path.decided[: len(path.options)]
    while decided and decided[-1] + 1 == path.options[len(decided) - 1]:
        decided.pop()
    return [*decided[:-1], decided[-1] + 1] if decided else None


class UnknownNumber(Unknown):
    """A whole number that is known by its term only."""

    def __init__(self, term: Term, path: DecisionPath) -> None:
        self.term = term
        self._path = path

    def __repr__(self) -> str:
        return str(getattr(self.term, "name", "…"))

    def __hash__(self) -> int:
        return hash(self.term)

    def __add__(self, other: object) -> "UnknownNumber":
        return self._made(add(self.term, _term(other)))

    __radd__ = __add__

    def __sub__(self, other: object) -> "UnknownNumber":
        return self._made(sub(self.term, _term(other)))

    def __rsub__(self, other: object) -> "UnknownNumber":
        return self._made(sub(_term(other), self.term))

    def __mul__(self, other: object) -> "UnknownNumber":
        return self._made(mul(self.term, _term(other)))

    __rmul__ = __mul__

    def __neg__(self) -> "UnknownNumber":
        return self._made(mul(number(-1), self.term))

    def __floordiv__(self, other: object) -> "UnknownNumber":
        return self._made(div(self.term, self._divisor(other)))

    def __mod__(self, other: object) -> "UnknownNumber":
        return self._made(mod(self.term, self._divisor(other)))

    def __rfloordiv__(self, other: object) -> "UnknownNumber":
        return self._made(div(_term(other), self._divisor(self)))

    def __rmod__(self, other: object) -> "UnknownNumber":
        return self._made(mod(_term(other), self._divisor(self)))

    def __eq__(self, other: object) -> bool:
        return other != math.inf and _is_number(other) and self._path.decide(equal(self.term, _term(other)))

    def __lt__(self, other: object) -> bool:
        return other == math.inf or self._path.decide(less(self.term, _term(other)))

    def __le__(self, other: object) -> bool:
        return other == math.inf or self._path.decide(at_most(self.term, _term(other)))

    def __gt__(self, other: object) -> bool:
        return not self <= other

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return self != 0

    def __index__(self) -> NoReturn:
        raise TypeError(f"{self!r} is left open: only + - * // % and comparisons are possible with it")

    def _made(self, term: Term) -> "UnknownNumber":
        return UnknownNumber(term, self._path)

    def _divisor(self, other: object) -> Term:
        divisor = _term(other)
        if not self._path.decide(less(ZERO, divisor)):
            raise TypeError("a number that is left open can only be divided by one that is > 0")
        return divisor


def _is_number(value: object) -> bool:
    return type(value) is int or isinstance(value, UnknownNumber)


def _term(value: object) -> Term:
    if isinstance(value, UnknownNumber):
        return value.term
    if type(value) is int:
        return number(value)
    raise TypeError(f"a number that is left open goes together with whole numbers only, got {value!r}")


def integer(value: int | float) -> Term:
    """A window's parameter as a term, whether it is a number or left open."""
    return value.term if isinstance(value, UnknownNumber) else number(int(value))
