"""Queries as a net: their baskets and factories, and how the net is rewired when queries are removed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.basket import Basket
from physical.engines.dataflow.factory import BasketReader, Emitter, Factory
from physical.engines.dataflow.firing import USUAL, Firing
from physical.engines.dataflow.fragment import Cutter, Split
from physical.engines.dataflow.inlets import Inlets
from physical.engines.dataflow.net import Net
from physical.engines.dataflow.scheduler import Choose, Scheduler
from physical.engines.dataflow.sharing import SHARED, Strategy
from physical.engines.dataflow.transition import Receptor
from physical.engines.dataflow.unordered_basket import UnorderedBasket
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.kernels.types import ENDLESS
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator, StateSize
from physical.runtime.operator_graph import FIRST, Algebra, GraphNode, Newcomer
from semantics import Expression, Plan, Schema, SchemaError


@dataclass(frozen=True)
class Setting:
    """How queries become a net."""

    strategy: Strategy = SHARED
    split: Split = "operator"
    batch: int = 1
    """A reader of a source fires when this many elements wait; with 1, also when only a promise comes."""
    inner_batch: int = 1
    """The same for baskets between factories."""
    constraints: Mapping[str, tuple[Expression, ...]] = field(default_factory=dict)
    """Conditions that every element of a source must satisfy."""
    choose: Choose | None = None
    algebra: Algebra = INTERVAL_ALGEBRA
    """The operators inside the factories: intervals, or basic windows (`window_algebra.algebra_for`)."""
    firing: Mapping[str, Firing] = field(default_factory=dict)
    """What single factories or emitters ask of the scheduler, by name."""
    unordered: Mapping[str, int] = field(default_factory=dict)
    """Sources whose elements may come in any order, each with how many instants one may be behind."""


DEFAULT_SETTING: Final = Setting()


@dataclass(frozen=True)
class NetInlet:
    """A source of the net, as sessions see it; after every push, everything that is ready fires."""

    basket: Basket
    scheduler: Scheduler
    since: int = 0

    def push(self, batch: PhysicalStream, port: int) -> None:  # noqa: ARG002  # there is one only
        self.basket.append(batch, self.basket.promise_of(batch))
        self.scheduler.run()

    def heartbeat(self, t: int, port: int, force: bool) -> None:  # noqa: ARG002  # there is one only
        self.basket.append(PhysicalStream.empty(self.basket.schema), t, force)
        self.scheduler.run()


class QueryNet:
    """A graph of queries that runs as a net; it is wired when it is first needed."""

    def __init__(self, setting: Setting, horizon: int = ENDLESS) -> None:
        self.setting = setting
        self.grows = not setting.unordered
        """May queries be added while it runs? Baskets without order hold what a later query must not see."""
        self.net = Net(horizon)
        self.scheduler = Scheduler(self.net, setting.choose)
        self._cutter = Cutter(setting.split)
        self._factories: list[Factory] = []
        self._emitters: list[Emitter] = []
        self._emitters_made = 0
        """How many there ever were: a name that was taken away is not given again."""
        self._wired = True
        """Do the baskets and transitions fit the queries?"""
        self._schemas: dict[str, Schema] = {}
        self._inlets = Inlets()
        self._sources: dict[str, list[NetInlet]] = {}

    def query(self, plan: Plan, chronon_sources: frozenset[str], newcomer: Newcomer = FIRST) -> Emitter:
        """Add a plan; gives its emitter. If the net runs, the plan shares factories that hold nothing."""
        if newcomer.since:
            self.drain()
            self._cutter.keep(self._idle())
        return self.add(self.setting.algebra.plan(plan, chronon_sources), newcomer)

    def add(self, node: PhysicalNode, newcomer: Newcomer = FIRST) -> Emitter:
        """Add a query; its results go to the subscribers of the emitter."""
        node = self._inlets.entered_by(node, newcomer)
        basket = self._cutter.add(node)
        for fragment in self._cutter.take_new():
            self._factories.append(Factory(fragment, self.net.horizon, self.setting.algebra))
            self._schemas[fragment.gives] = fragment.root.logical.schema
        self._schemas |= _sources(node)
        self._emitters_made += 1
        self._emitters.append(Emitter(f"emitter {self._emitters_made}", basket))
        self._wired = False
        return self._emitters[-1]

    @property
    def sources(self) -> Mapping[str, Sequence[NetInlet]]:
        if not self._wired:
            self.drain()
            self._wire()
        return self._sources

    def count_windows(self, root: object) -> dict[Plan, GraphNode]:  # noqa: ARG002  # whatever it is
        """None: windows in factories give out rows as a whole."""
        return {}

    def keep(self, emitters: Sequence[object]) -> None:
        """Drop all factories that serve none of these emitters; first, all waiting elements are treated."""
        self.drain()
        self._emitters = [emitter for emitter in self._emitters if emitter in emitters]
        needed = {name for emitter in self._emitters for name in emitter.reads}
        for factory in reversed(self._factories):
            needed |= set(factory.reads) if factory.name in needed else set()
        self._factories = [factory for factory in self._factories if factory.name in needed]
        self._cutter.keep(needed)
        self._inlets.keep(needed)
        self._schemas = {name: schema for name, schema in self._schemas.items() if name in needed}
        self._wire()

    def drain(self) -> None:
        """Treat all waiting elements, however few they are."""
        for basket in list(self.net.baskets.values()):
            basket.append(PhysicalStream.empty(basket.schema), urgent=len(basket) > 0)
            self.scheduler.run()

    def _idle(self) -> set[str]:
        """The factories that give out from now on what new ones would."""
        idle: set[str] = set()
        made = {factory.name for factory in self._factories}
        for factory in self._factories:
            if made & set(factory.reads) <= idle and factory.is_as_new:
                idle.add(factory.name)
        return idle

    @property
    def nodes(self) -> list[GraphNode]:
        """The nodes inside all factories."""
        return [node for factory in self._factories for node in factory.program.graph.nodes]

    @property
    def operators(self) -> list[AnyOperator]:
        """The operators inside all factories."""
        return [operator for factory in self._factories for operator in factory.program.graph.operators]

    @property
    def state(self) -> StateSize:
        """How much factories and baskets hold."""
        states = [operator.state for operator in self.operators]
        waiting = sum(len(basket) for basket in self.net.baskets.values())
        return StateSize(sum(state.elements for state in states) + waiting, sum(state.bytes for state in states))

    def _wire(self) -> None:
        """Put baskets between the factories, with the transitions that regulate who reads when."""
        earlier = self.net.baskets
        self.net.baskets, self.net.transitions, self._sources = {}, [], {}
        readers: list[BasketReader] = [*self._factories, *self._emitters]
        made = {factory.name: factory for factory in self._factories}
        for name in made.keys() & self._inlets.by_basket.keys():
            raise SchemaError(f"add: a source must not be called as a factory is, {name!r} is")
        for reader in readers:
            reader.detach()
            reader.firing = self.setting.firing.get(reader.name, USUAL)
        for name in [*_read(readers, made), *made]:
            basket = self.net.basket(name, self._schemas[name], self._kind(name))
            if name in earlier:
                basket.adopt(earlier[name])
            elif name in self._inlets.by_basket:
                basket.promised = self._inlets.by_basket[name].promised
            minimum = self.setting.inner_batch
            if name in made:
                made[name].gives_to(basket)
            else:
                minimum = self._open(basket)
            self.setting.strategy.bind(self.net, basket, [r for r in readers if name in r.reads], minimum)
        self.net.transitions += readers
        self._rank(readers)
        self._wired = True

    def _kind(self, name: str) -> type[Basket] | None:
        inlet = self._inlets.by_basket.get(name)
        return UnorderedBasket if inlet is not None and inlet.source in self.setting.unordered else None

    def _rank(self, readers: Sequence[BasketReader]) -> None:
        """A factory is as important as the most important one after it; what regulates baskets comes first."""
        for reader in reversed(readers):
            after = [other.priority for other in readers if reader.name in other.reads]
            reader.priority = max([reader.firing.priority, *after])
        highest = max((reader.priority for reader in readers), default=0)
        self.net.prioritised = len({reader.priority for reader in readers}) > 1
        for transition in self.net.transitions:
            if transition not in readers:
                transition.priority = highest

    def _open(self, basket: Basket) -> int:
        """Make the receptor of a source; gives the number of elements to fire for."""
        inlet = self._inlets.by_basket[basket.name]
        basket.constraints = self.setting.constraints.get(inlet.source, ())
        if isinstance(basket, UnorderedBasket):
            basket.slack = self.setting.unordered[inlet.source]
        self.net.add(Receptor(basket))
        self._sources.setdefault(inlet.source, []).append(NetInlet(basket, self.scheduler, inlet.since))
        return self.setting.batch


def _sources(node: PhysicalNode) -> dict[str, Schema]:
    if node.kind == "source":
        return {node.logical.name: node.logical.schema}  # type: ignore[union-attr]  # it is a Source
    return {name: schema for child in node.inputs for name, schema in _sources(child).items()}


def _read(readers: Sequence[BasketReader], made: Mapping[str, object]) -> list[str]:
    """The sources that the readers read, each once."""
    return [name for name in dict.fromkeys(name for reader in readers for name in reader.reads) if name not in made]
