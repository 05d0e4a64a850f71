"""Nets that are wrong: tokens that come too early or never, elements that are lost or seen twice."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Final

import numpy as np

from equivalence.mutants.mutant import Mutant, MutatedEngine
from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.basket import Basket, Content, Mark
from physical.engines.dataflow.engine import NetEngine
from physical.engines.dataflow.factory import BasketReader, Emitter, Port, SharedPort
from physical.engines.dataflow.net import Net
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.sharing import (
    PARTIAL,
    SEPARATE,
    SHARED,
    PartialDeletes,
    SeparateBaskets,
    SharedBasket,
    Strategy,
)
from physical.engines.dataflow.transition import Copy, Lock, Unlock
from physical.kernels.types import Bools
from physical.planning.planner import PhysicalNode
from physical.runtime.operator_graph import FIRST, Newcomer
from physical.runtime.run_whole import AnyStream
from semantics import Expression, Plan, Type, Value
from semantics.expression import Comparison, Constant, IsNull, Not, Ref
from semantics.plan import Filter, Union


class Crowd(QueryNet):
    """A net in which two more queries read every source of a query: all of it, and where its first column is known."""

    def add(self, node: PhysicalNode, newcomer: Newcomer = FIRST) -> Emitter:
        for leaf in dict.fromkeys(_leaves(node)):
            predicate = Not(IsNull(Ref(0, leaf.logical.schema.types[0])))
            super().add(PhysicalNode("operator", Filter(leaf.logical, predicate), (leaf,)), newcomer)
        wanted = super().add(node, newcomer)
        for leaf in dict.fromkeys(_leaves(node)):
            super().add(leaf, newcomer)
        return wanted


class SourcesInRanges(QueryNet):
    """A net in which every source is read in parts, by ranges of one column, and put together again."""

    def add(self, node: PhysicalNode, newcomer: Newcomer = FIRST) -> Emitter:
        return super().add(_in_ranges(node), newcomer)


def _leaves(node: PhysicalNode) -> list[PhysicalNode]:
    return [node] if node.kind == "source" else [leaf for child in node.inputs for leaf in _leaves(child)]


def _in_ranges(node: PhysicalNode) -> PhysicalNode:
    """The node with every source as the union of its NULLs, of what is below a value, and of the rest."""
    if node.kind != "source":
        return replace(node, inputs=tuple(map(_in_ranges, node.inputs)))
    types = node.logical.schema.types
    found = next(((i, t) for i, t in enumerate(types) if t in MIDDLE), None)
    if found is None:
        return node
    column, middle = Ref(*found), Constant(MIDDLE[found[1]], found[1])
    parts: list[Expression] = [IsNull(column), Comparison("<", column, middle), Comparison(">=", column, middle)]
    filters = [PhysicalNode("operator", Filter(node.logical, part), (node,)) for part in parts]
    return reduce(lambda a, b: PhysicalNode("operator", Union(a.logical, b.logical), (a, b)), filters)


MIDDLE: Final[dict[Type, Value]] = {Type.INT: 1, Type.BOOL: True, Type.STR: "b"}


class NetWithCompany(NetEngine):
    """The dataflow engine, with company in every net and baskets of another kind."""

    def __init__(self, setting: Setting, basket_type: type[Basket], company: type[QueryNet]) -> None:
        super().__init__(setting)
        self.basket_type, self.company = basket_type, company

    def graph(self, horizon: int) -> QueryNet:
        graph = self.company(self.setting, horizon)
        graph.net.basket_type = self.basket_type
        return graph


class MutatedNet(MutatedEngine):
    """A net with a wrong strategy or wrong baskets. Without company most strategies would have nothing to do."""

    def __init__(
        self,
        name: str,
        strategy: Strategy,
        basket_type: type[Basket] = Basket,
        *,
        batch: int = 2,
        company: type[QueryNet] = Crowd,
    ) -> None:
        super().__init__(name)
        self.engine = NetWithCompany(Setting(strategy, batch=batch), basket_type, company)

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> PhysicalStream:
        return self.engine.run(plan, sources, horizon)


class UnlocksEarly(SharedBasket):
    """The first reader that is done opens the basket for all."""

    def unlock(self, basket: Basket, has_read: list[Mark]) -> Unlock:
        return Unlock(basket, has_read[:1])


class UnlocksWithoutLast(SharedBasket):
    """The last reader is not waited for."""

    def unlock(self, basket: Basket, has_read: list[Mark]) -> Unlock:
        return Unlock(basket, has_read[:-1])


class ForgetsAReader(SharedBasket):
    """One reader never gets the token to read, so the basket stays locked."""

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        super().share(net, basket, readers, minimum)
        for lock in (t for t in net.transitions if isinstance(t, Lock) and basket in t.baskets):
            lock.outputs.pop()


class SharedWithPorts(Strategy):
    """Shared baskets, with ports of another kind."""

    name = "shared"

    def __init__(self, port: type[SharedPort]) -> None:
        self.port = port

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        SHARED.share(net, basket, readers, minimum)
        loaders = [transition for transition in net.transitions if isinstance(transition, BasketReader)]
        for reader in [*loaders, *readers]:
            for name, port in reader.ports.items():
                if type(port) is SharedPort and port.basket is basket:
                    reader.ports[name] = self.port(basket, port.may_read, port.has_read)


class EmptiesForAll(SharedPort):
    """The first reader empties the basket."""

    def done(self, content: Content) -> None:
        self.basket.clear()


class TakesThePromise(SharedPort):
    """Only the first reader learns of a promise."""

    def done(self, content: Content) -> None:
        self.basket.urgent, self.basket.promised = False, self.basket.known


class RemovesWhatOthersWant(PartialDeletes):
    """A reader removes all that it wants, whether or not a later one wants it too."""

    def removable(self, own: Expression | None, later: list[Expression | None]) -> Expression | None:
        return own


class RemovesTheRest(PartialDeletes):
    """A reader keeps what it wanted, and removes what it did not want."""

    def removable(self, own: Expression | None, later: list[Expression | None]) -> Expression | None:
        return None if own is None else Not(own)


class CopiesOneTooFew(SeparateBaskets):
    """The copy for one of the readers is forgotten."""

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        super().share(net, basket, readers, minimum)
        for copy in (t for t in net.transitions if isinstance(t, Copy) and t.basket is basket):
            copy.copies = copy.copies[:1] + copy.copies[2:]


class CopiesTooFewColumns(SeparateBaskets):
    """Every reader gets only the first of the columns that it uses."""

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        super().share(net, basket, readers, minimum)
        for copy in (t for t in net.transitions if isinstance(t, Copy) and t.basket is basket):
            copy.copies = [(c, frozenset([min(wanted)]) if wanted else wanted) for c, wanted in copy.copies]


class SingleReaderPorts(Strategy):
    """Another strategy, with ports of another kind for a basket with a single reader."""

    def __init__(self, strategy: Strategy, port: type[Port]) -> None:
        self.name, self.strategy, self.port = strategy.name, strategy, port

    def bind(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        if len(readers) == 1:
            readers[0].attach(basket.name, self.port(basket, minimum))
        else:
            self.share(net, basket, readers, minimum)

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        self.strategy.bind(net, basket, readers, minimum)


class ReadsTwice(Port):
    """Every other time elements stay after they were read, and are read again."""

    again = False

    def done(self, content: Content) -> None:
        self.again = not self.again and len(content.batch) > 0
        if not self.again:
            super().done(content)


class CutsBatches(Basket):
    """Of a batch only the elements that are needed to fire are read."""

    def look(self) -> Content:
        content = super().look()
        return content._replace(batch=content.batch.take(np.s_[:2]))


class HidesPromises(Basket):
    """Readers of several baskets are woken by elements, but not by a promise."""

    def _tell_watches(self) -> None:
        if len(self):
            super()._tell_watches()


class NeverUrgent(Basket):
    """Elements that are too few for a batch wait for ever."""

    def has(self, minimum: int) -> bool:
        return len(self) >= minimum


class DropsSilently(Basket):
    """Rows with NULL break a constraint that nobody asked for, and are not counted as dropped."""

    def append(self, batch: PhysicalStream, promised: int = 0, urgent: bool = False) -> None:
        nulls = [~column.mask() for column in batch.columns]
        known: Bools = ~np.logical_or.reduce(nulls) if nulls and len(batch) else np.ones(len(batch), np.bool_)
        super().append(batch.take(known), promised, urgent)


class PromisesTooMuch(Basket):
    """Every promise is understood to reach an instant further."""

    def append(self, batch: PhysicalStream, promised: int = 0, urgent: bool = False) -> None:
        super().append(batch, promised + 1, urgent)


class LastInFirstOut(Basket):
    """Of several batches the last one is read first."""

    def look(self) -> Content:
        with self.mutex:
            self._parts.reverse()
            return super().look()


class RemovesOneMore(Basket):
    """When a part of the content is removed, so is one more element."""

    def remove(self, seen: Bools) -> None:
        super().remove(seen | (np.arange(len(seen)) == np.argmin(seen)))


class LosesTheLast(Basket):
    """A batch that comes to a basket with elements overwrites the last of them."""

    def append(self, batch: PhysicalStream, promised: int = 0, urgent: bool = False) -> None:
        if len(batch) and self._parts:
            self._parts = [joined(self._parts).take(np.s_[:-1])]
        super().append(batch, promised, urgent)


DATAFLOW: Final[tuple[Mutant, ...]] = tuple(
    Mutant(engine, "engine")
    for engine in (
        MutatedNet("unlocks after the first reader", UnlocksEarly()),
        MutatedNet("unlocks before the last reader", UnlocksWithoutLast()),
        MutatedNet("forgets to wake a reader", ForgetsAReader()),
        MutatedNet("a reader empties a shared basket", SharedWithPorts(EmptiesForAll)),
        MutatedNet("a promise is for one reader", SharedWithPorts(TakesThePromise)),
        MutatedNet("partial deletes of what others want", RemovesWhatOthersWant()),
        MutatedNet("partial deletes of the rest", RemovesTheRest()),
        MutatedNet("copies for all but one", CopiesOneTooFew()),
        MutatedNet("copies too few columns", CopiesTooFewColumns()),
        MutatedNet("consumes twice", SingleReaderPorts(SHARED, ReadsTwice)),
        MutatedNet("promises wake nobody", SEPARATE, HidesPromises),
        MutatedNet("batches are cut to their minimum", SHARED, CutsBatches),
        MutatedNet("small batches wait for ever", SEPARATE, NeverUrgent),
        MutatedNet("drops without counting", SHARED, DropsSilently),
        MutatedNet("promises an instant too much", SHARED, PromisesTooMuch),
        MutatedNet("last batch first", SEPARATE, LastInFirstOut, batch=5),
        MutatedNet("loses one on a partial delete", PARTIAL, RemovesOneMore, company=SourcesInRanges),
        MutatedNet("overwrites the end of a basket", SHARED, LosesTheLast, batch=5),
    )
)
