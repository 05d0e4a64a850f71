"""Is a net free of deadlocks, for any input and any order of firing? All markings are searched.

Whether a transition is ready depends on a basket only by its level: empty, too little, or enough. So a marking has
levels in place of numbers, and every arrival and every result may be of any size. There are finitely many such
markings, and for every step of the net, with any stream and any batch size, there is a step between markings. What
holds in all reachable markings holds in the net:

- when only receptors can fire, no basket has enough elements and every lock is open: nothing is ever stuck;
- no control token is put where one is already;
- each reader sees the content of a basket once before it is removed, and nothing is added meanwhile.

The flow of data has no cycle, so every sequence of firings without new arrivals ends in such a marking.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Final, NamedTuple

import networkx as nx

from physical.engines.dataflow.basket import Basket, Mark, Place
from physical.engines.dataflow.net import Net
from physical.engines.dataflow.transition import Lock, Receptor, Transition, Unlock
from semantics import StreamError

MAX_MARKINGS: Final = 400_000
EMPTY, FEW, ENOUGH = 0, 1, 2
ContentReads = frozenset[tuple[int, int]]
"""Which transitions have read the content of which baskets."""


class Marking(NamedTuple):
    """The level of every place, and which transitions have read which baskets."""

    levels: tuple[int, ...]
    seen: ContentReads


@dataclass
class Analysis:
    """The result of the search; every fault comes with the transitions that lead to it."""

    markings: int = 0
    acyclic: bool = True
    faults: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return self.acyclic and not self.faults


@dataclass
class _Step:
    """A transition by the numbers of its places."""

    transition: Transition
    needs: list[int]
    takes: list[int]
    reads: list[int]
    puts: list[int]
    gives: list[int]


def analyse(net: Net, most: int = MAX_MARKINGS) -> Analysis:
    """Search all markings that can be reached from the one in which every basket is empty."""
    return _Search(net).all(most)


class _Search:
    def __init__(self, net: Net) -> None:
        self.graph = net.graph
        self.places = [node for node in self.graph if isinstance(node, Place)]
        self.number = {place: i for i, place in enumerate(self.places)}
        self.steps = [self._step(t) for t in net.transitions]
        self.few = {i for i, place in enumerate(self.places) if self._minimum(place) > 1}
        self.readers = [[n for n, step in enumerate(self.steps) if i in step.reads] for i in range(len(self.places))]
        self.frees = {self.number[place.free] for place in self.places if isinstance(place, Basket)}

    def all(self, most: int) -> Analysis:
        first = Marking(tuple(int(isinstance(p, Mark) and p.there) for p in self.places), frozenset())
        self.came: dict[Marking, tuple[Marking, int] | None] = {first: None}
        found, waiting = Analysis(acyclic=self._acyclic()), deque([first])
        while waiting and not found.faults:
            marking = waiting.popleft()
            ready = [n for n, step in enumerate(self.steps) if self._ready(step, marking)]
            found.faults += self._faults(marking, ready)
            waiting += self._new(marking, ready) if not found.faults else []
            if len(self.came) > most:
                raise StreamError(f"analyse: a net must have at most {most} markings to be searched, it has more")
        found.markings = len(self.came)
        return found

    def _faults(self, marking: Marking, ready: list[int]) -> Iterator[str]:
        """What is wrong with a marking, or with what can fire in it."""
        unfinished = self._unfinished(marking)
        if unfinished and all(isinstance(self.steps[n].transition, Receptor) for n in ready):
            yield f"stuck with {', '.join(unfinished)} {self._path(marking)}"
        for n in ready:
            if fault := self._fault(n, marking):
                yield f"{self.steps[n].transition.name} {fault} {self._path(marking)}"

    def _new(self, marking: Marking, ready: list[int]) -> Iterator[Marking]:
        """The markings that are reached for the first time."""
        for n in ready:
            for after in self._after(n, marking):
                if after not in self.came:
                    self.came[after] = marking, n
                    yield after

    def _step(self, transition: Transition) -> _Step:
        arcs = [(self.number[arc.place], arc) for arc in transition.inputs]
        baskets = [(i, arc) for i, arc in arcs if isinstance(arc.place, Basket)]
        regulates = isinstance(transition, Lock | Unlock | Receptor)
        given = [(self.number[place], place) for place in transition.outputs]
        return _Step(
            transition,
            needs=[i for i, arc in arcs if arc.minimum],
            takes=[i for i, arc in arcs if arc.takes],
            reads=[] if regulates else [i for i, _ in baskets],
            puts=[i for i, place in given if isinstance(place, Mark)],
            gives=[i for i, place in given if isinstance(place, Basket)],
        )

    def _minimum(self, place: Place) -> int:
        """The most tokens that any transition waits for in this place."""
        watched = [watch.minimum for watch in place.watches] if isinstance(place, Basket) else []
        return max([*watched, *(data["minimum"] for _, _, data in self.graph.out_edges(place, data=True))], default=0)

    def _ready(self, step: _Step, marking: Marking) -> bool:
        return all(marking.levels[i] == self._full(i) for i in step.needs)

    def _full(self, i: int) -> int:
        return 1 if isinstance(self.places[i], Mark) else ENOUGH

    def _fault(self, n: int, marking: Marking) -> str:
        """What would be wrong with firing this transition; empty if nothing is."""
        step = self.steps[n]
        for i in step.puts:
            if marking.levels[i] and i not in step.takes:
                return f"puts a second token into {self.places[i].name}"
        for i in step.gives:
            if any(basket == i for basket, _ in marking.seen):
                return f"adds to {self.places[i].name} while it is read"
        for i in step.reads:
            if (i, n) in marking.seen:
                return f"sees the content of {self.places[i].name} twice"
        seen = marking.seen | {(i, n) for i in step.reads}
        for i in step.takes:
            missing = [r for r in self.readers[i] if (i, r) not in seen]
            if missing:
                return f"removes from {self.places[i].name} what {self.steps[missing[0]].transition.name} has not seen"
        return ""

    def _after(self, n: int, marking: Marking) -> Iterator[Marking]:
        """All markings that firing may lead to; results may be of any size."""
        step, levels = self.steps[n], list(marking.levels)
        for i in step.takes:
            levels[i] = EMPTY
        for i in step.puts:
            levels[i] = 1
        seen = frozenset((i, r) for i, r in marking.seen | {(i, n) for i in step.reads} if i not in step.takes)
        for given in product(*(self._levels(i, levels[i]) for i in step.gives)):
            after = list(levels)
            for i, level in zip(step.gives, given, strict=True):
                after[i] = level
                for mark in self._watching(i) if level == ENOUGH else ():
                    after[mark] = 1
            yield Marking(tuple(after), seen)

    def _levels(self, i: int, level: int) -> list[int]:
        """The levels that a basket may have after something, or nothing, was added."""
        return [x for x in range(level, ENOUGH + 1) if x in (level, ENOUGH) or i in self.few]

    def _watching(self, i: int) -> list[int]:
        place = self.places[i]
        return [self.number[watch.mark] for watch in place.watches] if isinstance(place, Basket) else []

    def _unfinished(self, marking: Marking) -> list[str]:
        """Places in a state that they must not be in when nothing can fire."""
        return [
            place.name
            for i, place in enumerate(self.places)
            if (marking.levels[i] == 0 if i in self.frees else marking.levels[i] == self._full(i))
        ]

    def _path(self, marking: Marking) -> str:
        names = []
        while (before := self.came[marking]) is not None:
            marking, n = before
            names.append(self.steps[n].transition.name)
        return f"after: {'; '.join(reversed(names)) or 'nothing'}"

    def _acyclic(self) -> bool:
        """Is the flow of data free of cycles?"""
        flow: nx.DiGraph[int] = nx.DiGraph()
        flow.add_edges_from((i, j) for step in self.steps for i in step.reads for j in step.gives)
        return nx.is_directed_acyclic_graph(flow)
