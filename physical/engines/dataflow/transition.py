"""Transitions of the net: they fire when all their input places have enough tokens."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property

from physical.engines.dataflow.basket import Basket, Mark, Place
from physical.engines.dataflow.used_columns import ColumnSet, replicated


@dataclass(frozen=True)
class Arc:
    """An edge from a place to a transition: how many tokens must be there, and whether they are taken."""

    place: Place
    minimum: int = 1
    takes: bool = True


class Transition(ABC):
    """One transition. Its arcs say what it takes and gives, so that the net can be analysed without running it."""

    threaded = False
    """Does it fire in its own thread, and not by the scheduler?"""
    priority = 0

    def __init__(self, name: str) -> None:
        self.name = name
        self.inputs: list[Arc] = []
        self.outputs: list[Place] = []

    def ready(self) -> bool:
        """Are there enough tokens in all input places, and is every basket enabled?"""
        return all(arc.place.has(arc.minimum) and arc.place.enabled for arc in self.inputs) and all(
            place.enabled for place in self.outputs
        )

    def fire(self) -> bool:
        """Take control tokens, work, and put control tokens, as one atomic step; False if another thread was faster."""
        with locked(self.baskets):
            if not self.ready():
                return False
            for arc in self.inputs:
                if arc.takes and isinstance(arc.place, Mark):
                    arc.place.take()
            self.work()
            for place in self.outputs:
                if isinstance(place, Mark):
                    place.put()
        for basket in self.baskets:
            basket.notify()
        return True

    @abstractmethod
    def work(self) -> None:
        """Treat the content of the baskets."""

    def writes(self, basket: Basket) -> None:
        """Let it append to a basket whenever the basket is not locked."""
        self.inputs.append(Arc(basket.free, takes=False))
        self.outputs.append(basket)

    @cached_property
    def baskets(self) -> list[Basket]:
        """All baskets that it reads or writes, once it is wired."""
        places = [*(arc.place for arc in self.inputs), *self.outputs]
        return list({id(place): place for place in places if isinstance(place, Basket)}.values())


class Receptor(Transition):
    """Stands in the net for the deliverer of a stream, which appends to the basket itself."""

    def __init__(self, basket: Basket) -> None:
        super().__init__(f"receptor {basket.name}")
        self.writes(basket)

    threaded = True

    def work(self) -> None:
        """Nothing: the deliverer appends."""


class Copy(Transition):
    """Copies a basket for each of its readers, with the columns that the reader uses."""

    def __init__(self, basket: Basket, copies: list[tuple[Basket, ColumnSet | None]], minimum: int) -> None:
        super().__init__(f"copy {basket.name}")
        self.basket, self.copies = basket, copies
        self.inputs.append(Arc(basket, minimum))
        for copy, _ in copies:
            self.writes(copy)

    def work(self) -> None:
        content = self.basket.look()
        for copy, wanted in self.copies:
            copy.append(replicated(content.batch, wanted), content.promised, content.urgent)
        self.basket.clear()


class Lock(Transition):
    """Locks a basket that has enough elements, and gives each of its readers a token."""

    def __init__(self, basket: Basket, may_read: list[Mark], minimum: int) -> None:
        super().__init__(f"lock {basket.name}")
        self.inputs += [Arc(basket, minimum, takes=False), Arc(basket.free)]
        self.outputs += may_read

    def work(self) -> None:
        """Nothing: taking the token of the free basket locks it."""


class Unlock(Transition):
    """Empties a basket that all readers have read, and unlocks it."""

    def __init__(self, basket: Basket, has_read: list[Mark]) -> None:
        super().__init__(f"unlock {basket.name}")
        self.basket = basket
        self.inputs += [*map(Arc, has_read), Arc(basket, minimum=0)]
        self.outputs.append(basket.free)

    def work(self) -> None:
        self.basket.clear()


@contextmanager
def locked(baskets: list[Basket]) -> Iterator[None]:
    """No other thread changes these baskets meanwhile."""
    with ExitStack() as stack:
        for basket in baskets:
            stack.enter_context(basket.mutex)
        yield
