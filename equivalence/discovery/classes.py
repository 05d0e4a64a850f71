"""Which small schemes rules make equal: classes closed under the rules, and under putting equals for equals.

All schemes that may come up are there from the start, and none is added: a rule merges two classes where both of its
sides are there. Since classes stand for all their members, what is larger than any scheme here is often there too, and
the closure always comes to an end.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from equivalence.discovery.basis import ANY_SIZE, SUM_OF_SIZES, Equation
from equivalence.discovery.scheme import Scheme

Node = tuple[str, tuple[int, ...]]
"""An operator and the classes below it; the size of a window is the first of them."""
DirectedRule = tuple[Scheme, Scheme, frozenset[str]]
"""A scheme, what it may be replaced by, and the symbols that stand for anything in both."""
Binding = Mapping[str, int]
STREAMS: Final = frozenset("ABC")
ANYTHING: Final = (Scheme("A"), Scheme("×", (Scheme("A"), Scheme("A"))))
"""What a stream may be that only one side of a rule has, for each number of columns."""


class Classes:
    """Schemes with numbers, equal ones for those that are known to be equal."""

    def __init__(self, among: Iterable[Scheme]) -> None:
        self._above: list[int] = []
        self._width: list[int | None] = []
        self._nodes: dict[Node, int] = {}
        self._members: dict[int, dict[str, list[tuple[int, ...]]]] = {}
        self._rules: list[DirectedRule] = []
        for scheme in among:
            self._numbered(scheme)
        self._anything = [self._numbered(scheme) for scheme in ANYTHING]
        self._list_members()

    def same(self, left: Scheme, right: Scheme) -> bool:
        return self._class(self._numbered(left)) == self._class(self._numbered(right))

    def learn(self, *equations: Equation) -> None:
        """More rules, and all that follows."""
        fresh = [rule for equation in equations for rule in directed(equation)]
        self._rules += fresh
        while self._merged_by(fresh):
            self._close()
            fresh = self._rules

    def _numbered(self, scheme: Scheme) -> int:
        symbol, below = scheme.parts
        node = symbol, tuple(self._class(self._numbered(s)) for s in below)
        if node not in self._nodes:
            self._nodes[node] = len(self._above)
            self._above.append(len(self._above))
            self._width.append(scheme.width)
        return self._nodes[node]

    def _class(self, number: int) -> int:
        while self._above[number] != number:
            number = self._above[number]
        return number

    def _merge(self, one: int, other: int) -> bool:
        """Were they different until now? The older one stays."""
        first, second = sorted((self._class(one), self._class(other)))
        self._above[second] = first
        return first != second

    def _close(self) -> None:
        """Operators over equal classes are equal."""
        merged = True
        while merged:
            merged = False
            nodes: dict[Node, int] = {}
            for (symbol, below), number in self._nodes.items():
                same = nodes.setdefault((symbol, tuple(map(self._class, below))), number)
                merged |= self._merge(same, number)
            self._nodes = nodes
        self._list_members()

    def _list_members(self) -> None:
        self._members = defaultdict(lambda: defaultdict(list))
        for (symbol, below), number in self._nodes.items():
            self._members[self._class(number)][symbol].append(below)

    # Rules

    def _merged_by(self, rules: Sequence[DirectedRule]) -> bool:
        found = [pair for rule in rules for pair in self._instances(*rule)]
        return any([self._merge(*pair) for pair in found])

    def _instances(self, before: Scheme, after: Scheme, free: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Classes that the rule makes equal, with the same number of columns."""
        unbound = (after.symbols - before.symbols) & free
        fillings = [dict.fromkeys(unbound, self._class(c)) for c in self._anything] if unbound else [{}]
        for number in self._with(before.parts[0]):
            for binding in self._matches(before, number, {}, free):
                found = (self._found(after, {**binding, **filling}, free) for filling in fillings)
                yield from ((number, c) for c in found if c is not None and self._width[c] == self._width[number])

    def _with(self, symbol: str) -> list[int]:
        """The classes that have a member with this operator."""
        return [number for number, members in self._members.items() if symbol in members]

    def _matches(self, pattern: Scheme, number: int, binding: Binding, free: frozenset[str]) -> Iterator[Binding]:
        """What the variables of the pattern have to be for one member of the class to be it."""
        symbol, below = pattern.parts
        if symbol in free:
            if binding.get(symbol, number) == number:
                yield {**binding, symbol: number}
            return
        for classes in self._members[number].get(symbol, ()):
            yield from self._all_match(below, classes, binding, free)

    def _all_match(
        self, patterns: Sequence[Scheme], classes: Sequence[int], binding: Binding, free: frozenset[str]
    ) -> Iterator[Binding]:
        if not patterns:
            yield binding
            return
        for more in self._matches(patterns[0], classes[0], binding, free):
            yield from self._all_match(patterns[1:], classes[1:], more, free)

    def _found(self, pattern: Scheme, binding: Binding, free: frozenset[str]) -> int | None:
        """The class of the pattern with these for its variables, if it is there."""
        symbol, below = pattern.parts
        if symbol in free:
            return binding[symbol]
        classes = [self._found(scheme, binding, free) for scheme in below]
        node = self._nodes.get((symbol, tuple(c for c in classes if c is not None)))
        return None if node is None or None in classes else self._class(node)


def directed(equation: Equation) -> list[DirectedRule]:
    """The side that says what all variables are, and the other one; both ways where neither does."""
    left, right = equation
    free = variables(equation)
    ways = [(a, b, free) for a, b in ((left, right), (right, left)) if b.symbols & free <= a.symbols]
    return ways[:1] or [(left, right, free), (right, left, free)]


def variables(equation: Equation) -> frozenset[str]:
    """What stands for anything in a rule: streams, and sizes of windows unless they add up."""
    used = equation[0].symbols | equation[1].symbols
    return used & (STREAMS if SUM_OF_SIZES in used else STREAMS | ANY_SIZE)
