"""Rules that follow from others: a scheme rewritten by them, in both directions, until it is the other one."""

from collections.abc import Iterator, Sequence
from typing import Final

from equivalence.discovery.scheme import Scheme

Equation = tuple[Scheme, Scheme]
SCHEMES_PER_SIDE: Final = 200
"""The search for a derivation ends when one side has reached more."""
ANY_SIZE: Final = frozenset({"ωv", "ωw"})
"""Windows of any size, in rules that do not add sizes up."""
SUM_OF_SIZES: Final = "ωv+w−1"
ANY_STREAM: Final = Scheme("A")
EXTRA_OPERATORS: Final = 1
"""A scheme on the way has at most this many operators more than the larger side of the equation."""


def follows(equation: Equation, basis: Sequence[Equation]) -> bool:
    """Do rules of the basis lead from one side to the other?"""
    left, right = equation
    sides, borders = ({left}, {right}), ([left], [right])
    largest = max(left.size, right.size) + EXTRA_OPERATORS
    rules = [rule for a, b in basis for rule in ((a, b), (b, a))]
    while sides[0].isdisjoint(sides[1]):
        turn = 0 if (len(sides[0]) <= len(sides[1]) and borders[0]) or not borders[1] else 1
        if not borders[turn] or len(sides[turn]) > SCHEMES_PER_SIDE:
            return False
        new = [s for scheme in borders[turn] for s in rewritten(scheme, rules) if s.size <= largest]
        fresh = [s for s in dict.fromkeys(new) if s not in sides[turn]]
        sides[turn].update(fresh)
        borders[turn][:] = fresh
    return True


def rewritten(scheme: Scheme, rules: Sequence[Equation]) -> Iterator[Scheme]:
    """All that one rule makes of the scheme, anywhere in it; streams that only one side has may be any."""
    for before, after in rules:
        sizes = frozenset[str]() if SUM_OF_SIZES in (*before.symbols, *after.symbols) else ANY_SIZE
        binding = matched(before, scheme, {}, sizes)
        if binding is not None:
            yield filled(after, binding)
    for i, below in enumerate(scheme.below):
        for new in rewritten(below, rules):
            yield Scheme(scheme.symbol, (*scheme.below[:i], new, *scheme.below[i + 1 :]))


Binding = dict[str, Scheme]


def matched(pattern: Scheme, scheme: Scheme, binding: Binding, sizes: frozenset[str]) -> Binding | None:
    """What the streams of the pattern, and the sizes of its windows, have to be for it to be the scheme."""
    if not pattern.below:
        return _bound(pattern.symbol, scheme, binding)
    found: Binding | None = binding
    if pattern.symbol in sizes and scheme.symbol.startswith("ω"):
        found = _bound(pattern.symbol, Scheme(scheme.symbol), binding)
    elif pattern.symbol != scheme.symbol:
        return None
    for one, other in zip(pattern.below, scheme.below, strict=True):
        found = None if found is None else matched(one, other, found, sizes)
    return found


def _bound(name: str, value: Scheme, binding: Binding) -> Binding | None:
    return {**binding, name: value} if binding.get(name, value) == value else None


def filled(pattern: Scheme, binding: Binding) -> Scheme:
    if not pattern.below:
        return binding.get(pattern.symbol, ANY_STREAM)
    symbol = binding[pattern.symbol].symbol if pattern.symbol in binding else pattern.symbol
    return Scheme(symbol, tuple(filled(below, binding) for below in pattern.below))


def canonical(equation: Equation) -> Equation:
    """The same with streams named in the order in which they come up."""
    order = dict.fromkeys([*equation[0].leaves, *equation[1].leaves])
    names = {old: Scheme(new) for old, new in zip(order, "ABC", strict=False)}
    return filled(equation[0], names), filled(equation[1], names)
