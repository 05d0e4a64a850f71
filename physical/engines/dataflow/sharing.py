"""How several readers share one basket: by copies, by a lock, or by taking turns."""

from abc import ABC, abstractmethod
from typing import Final

from physical.engines.dataflow.basket import Basket, Mark
from physical.engines.dataflow.disjoint_predicates import disjoint
from physical.engines.dataflow.factory import BasketReader, ChainPort, Factory, Port, SharedPort
from physical.engines.dataflow.fragment import Fragment
from physical.engines.dataflow.net import Net
from physical.engines.dataflow.transition import Copy, Lock, Unlock
from physical.planning.planner import PhysicalNode
from semantics import Expression
from semantics.plan import Source


class Strategy(ABC):
    """Binds the readers of a basket to it. A single reader has it alone; a reader of several baskets locks none."""

    name: str

    def bind(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        """Bind the readers; each waits for the elements that it asks for, or else for this many."""
        limits = [reader.firing.within for reader in readers if reader.firing.within is not None]
        basket.within = min(limits, default=None)
        for reader in readers:
            reader.minimums[basket.read_as] = reader.firing.minimum or minimum
        least = min((reader.minimums[basket.read_as] for reader in readers), default=minimum)
        if len(readers) == 1:
            readers[0].attach(basket.read_as, Port(basket, least))
        elif readers:
            self.share(net, basket, readers, least)

    @abstractmethod
    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        """Bind two readers or more."""


class SeparateBaskets(Strategy):
    """Every reader has a basket of its own, which a copy factory fills."""

    name = "separate"

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        copies = [net.basket(f"{basket.name} for {reader.name}", basket.schema) for reader in readers]
        net.add(Copy(basket, [(copy, reader.columns) for copy, reader in zip(copies, readers, strict=True)], minimum))
        for reader, copy in zip(readers, copies, strict=True):
            copy.within = reader.firing.within
            reader.attach(basket.read_as, Port(copy, wanted(reader, basket, minimum)))


class SharedBasket(Strategy):
    """All readers read the locked basket; after the last one it is emptied and unlocked."""

    name = "shared"

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        readers = [loaded(net, basket, reader, minimum) for reader in readers]
        may_read = [Mark(f"{basket.name} ready for {reader.name}") for reader in readers]
        has_read = [Mark(f"{basket.name} seen by {reader.name}") for reader in readers]
        net.add(Lock(basket, may_read, minimum))
        for reader, *marks in zip(readers, may_read, has_read, strict=True):
            reader.attach(basket.read_as, SharedPort(basket, *marks))
        net.add(self.unlock(basket, has_read))

    def unlock(self, basket: Basket, has_read: list[Mark]) -> Unlock:
        return Unlock(basket, has_read)


class PartialDeletes(Strategy):
    """Readers take turns, and each removes the elements that no later reader can want."""

    name = "partial deletes"

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        readers = [loaded(net, basket, reader, minimum) for reader in readers]
        passed = [Mark(f"{basket.name} after {reader.name}") for reader in readers[:-1]]
        marks = [basket.free, *passed, basket.free]
        for i, reader in enumerate(readers):
            wanted = self.removable(reader.predicate, [later.predicate for later in readers[i + 1 :]])
            port = ChainPort(basket, *marks[i : i + 2], minimum=0 if i else minimum, predicate=wanted)
            reader.attach(basket.read_as, port)

    def removable(self, own: Expression | None, later: list[Expression | None]) -> Expression | None:
        """What a reader may remove: all elements that it wants, if no later reader can want any of them."""
        return own if all(disjoint(own, other) for other in later) else None


SEPARATE: Final = SeparateBaskets()
SHARED: Final = SharedBasket()
PARTIAL: Final = PartialDeletes()
STRATEGIES: Final[tuple[Strategy, ...]] = (SEPARATE, SHARED, PARTIAL)


def wanted(reader: BasketReader, basket: Basket, least: int) -> int:
    """How many elements a reader waits for in a basket of its own, which is filled with the least number at a time."""
    own = reader.minimums[basket.read_as]
    return 1 if own == least else own


def loaded(net: Net, basket: Basket, reader: BasketReader, least: int) -> BasketReader:
    """The reader itself; or, if it reads other baskets too or waits for more elements, a factory that loads this one.

    So a shared basket is released at once. A reader that waited for another basket while holding this one could cause
    a deadlock.
    """
    if len(reader.reads) == 1 and reader.minimums[basket.read_as] == least:
        return reader
    own = net.basket(f"{basket.name} for {reader.name}", basket.schema)
    node = PhysicalNode("source", Source(basket.read_as, basket.schema))
    loader = Factory(Fragment(node, f"load {own.name}"), net.horizon)
    loader.gives_to(own)
    net.add(loader)
    own.within = reader.firing.within
    reader.attach(basket.read_as, Port(own, wanted(reader, basket, least)))
    return loader
