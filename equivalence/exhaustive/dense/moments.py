"""When something can change: from elements at few instants, all instants at which a plan may hold something new.

Between two of them every operator holds the same, so a window of 30 days costs no more than one of 3 instants. A window
over what lasts, such as the result of another window, counts every instant, so there are no few such instants for it.
"""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from semantics import FOREVER, Plan
from semantics import plan as op

MOST_MOMENTS: Final = 240
"""More instants than these do not fit."""

Instants = frozenset[int]
Window = op.TimeWindow | op.LandmarkWindow | op.CountWindow | op.PartitionedWindow


class TooLong(Exception):
    """A plan changes at too many instants, and why."""


def moments(nodes: Iterable[Plan], elements: Mapping[str, Iterable[int]], lasting: Iterable[str]) -> tuple[int, ...]:
    """All instants at which one of these nodes may change, if sources hold something at these instants only.

    >>> from semantics import source
    >>> a = source("A", x=int)
    >>> moments([a.plan, a.window(600).plan], {"A": [0, 5]}, ())
    (0, 1, 5, 6, 600, 605)
    """
    analysis = _Changes({name: frozenset(instants) for name, instants in elements.items()}, frozenset(lasting))
    found = sorted({0}.union(*(analysis.changes(node) for node in nodes)))
    if len(found) > MOST_MOMENTS:
        raise TooLong(f"the plans change at {len(found)} instants, of which at most {MOST_MOMENTS} fit")
    return tuple(found)


class _Changes:
    def __init__(self, elements: Mapping[str, Instants], lasting: frozenset[str]) -> None:
        self._elements, self._lasting = elements, lasting
        self._known: dict[Plan, Instants] = {}

    def changes(self, node: Plan) -> Instants:
        """Instants of which the node holds at all others what it holds at the instant before."""
        if node not in self._known:
            self._known[node] = self._changes(node)
        return self._known[node]

    def _changes(self, node: Plan) -> Instants:
        match node:
            case op.Source(name=name):
                return frozenset({0}) if name in self._lasting else _and_after(self._elements[name])
            case op.TimeWindow() | op.LandmarkWindow() | op.CountWindow() | op.PartitionedWindow():
                return _changes_of_window(node, self._held(node.input))
            case op.Istream(input=input) | op.Dstream(input=input):
                return _and_after(self.changes(input))
            case op.Aggregation(on_empty=True) if node.reducible:
                return frozenset({0}) | self.changes(node.input)
            case _ if node.reducible:
                return frozenset().union(*map(self.changes, node.inputs))
            case _:
                raise TooLong(f"{node.operator}, of which is not known when it changes")

    def _held(self, node: Plan) -> Instants:
        """Instants of which the node is empty at all others."""
        match node:
            case op.Source(name=name) if name not in self._lasting:
                return self._elements[name]
            case op.Istream(input=input) | op.Dstream(input=input):
                return self.changes(input)
            case op.Aggregation(on_empty=False) | op.Filter() | op.Map() | op.Distinct() | op.Grouping() | op.Rstream():
                return self._held(node.input)
            case op.Union(left=left, right=right) | op.FullJoin(left=left, right=right):
                return self._held(left) | self._held(right)
            case op.Difference(left=left) | op.Semijoin(left=left) | op.Antijoin(left=left) | op.LeftJoin(left=left):
                return self._held(left)
            case op.RightJoin(right=right):
                return self._held(right)
            case op.Intersection() | op.Product() | op.Join():
                return self._either(node)
            case _:
                raise TooLong(f"a window over {node.operator}, which may hold something for long")

    def _either(self, node: op.Intersection | op.Product | op.Join) -> Instants:
        try:
            return self._held(node.left)
        except TooLong:
            return self._held(node.right)


def _and_after(instants: Iterable[int]) -> Instants:
    """These instants, and the one after each."""
    return frozenset(t + step for t in instants for step in (0, 1))


def _changes_of_window(node: Window, held: Instants) -> Instants:
    """When elements of these instants come into a window, and when they leave it for reasons of time."""
    match node:
        case op.TimeWindow(size=size, slide=slide):
            ends = frozenset() if size == FOREVER else {t + int(size) for t in held}
            return frozenset(-(-t // slide) * slide for t in held | ends)
        case op.LandmarkWindow(start=start, reset=reset):
            emptied = {start + reset * ((t - start) // reset + 1) for t in held if t >= start} if reset else frozenset()
            return held | emptied
        case op.CountWindow() | op.PartitionedWindow():
            return held
        case _:
            assert_never(node)
