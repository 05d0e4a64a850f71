"""Factories: plan fragments that resume whenever their baskets have enough elements."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from physical.columns.expressions import holds
from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.basket import Basket, Content, Mark, Watch
from physical.engines.dataflow.firing import USUAL
from physical.engines.dataflow.fragment import Fragment, Program
from physical.engines.dataflow.transition import Arc, Transition
from physical.engines.dataflow.used_columns import ColumnSet
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.kernels.types import Bools
from physical.runtime.operator_graph import Algebra
from semantics import Expression
from semantics.plan import Aggregation


class Port:
    """A basket with a single reader: what was read is removed."""

    def __init__(self, basket: Basket, minimum: int = 1) -> None:
        self.basket = basket
        self.minimum = minimum

    def arcs(self) -> list[Arc]:
        """What the reader waits for, if this is its only port."""
        return [Arc(self.basket, self.minimum)]

    def gives(self) -> list[Mark]:
        """The tokens by which the reader says that it has read."""
        return []

    def done(self, content: Content) -> None:  # noqa: ARG002  # all of it is removed
        """The reader has treated the content."""
        self.basket.clear()


class SharedPort(Port):
    """A basket with several readers: a token says when to read, another that it was read; the unlocker removes."""

    def __init__(self, basket: Basket, may_read: Mark, has_read: Mark) -> None:
        super().__init__(basket)
        self.may_read, self.has_read = may_read, has_read

    def arcs(self) -> list[Arc]:
        return [Arc(self.may_read), Arc(self.basket, minimum=0, takes=False)]

    def gives(self) -> list[Mark]:
        return [self.has_read]

    def done(self, content: Content) -> None:
        """Nothing: the unlocker removes the content."""


class ChainPort(SharedPort):
    """A basket whose readers take turns; each removes the elements that no later reader can want."""

    def __init__(
        self, basket: Basket, may_read: Mark, has_read: Mark, *, minimum: int, predicate: Expression | None
    ) -> None:
        super().__init__(basket, may_read, has_read)
        self.minimum = minimum
        self.predicate = predicate

    def arcs(self) -> list[Arc]:
        """The first reader takes the token of the free basket, once there are enough elements in it."""
        return [Arc(self.may_read), Arc(self.basket, self.minimum, takes=self.has_read is self.basket.free)]

    def done(self, content: Content) -> None:
        if self.has_read is self.basket.free:
            self.basket.clear()
        elif self.predicate is not None and len(content.batch):
            self.basket.remove(qualified(self.predicate, content.batch))


def qualified(predicate: Expression, batch: PhysicalStream) -> Bools:
    """The elements that satisfy a predicate."""
    return holds(predicate, batch.columns, len(batch))


class BasketReader(Transition):
    """Reads baskets. As in Algorithm 1 of the paper, it is a loop that is suspended while it waits."""

    predicate: Expression | None = None
    """Elements of its only basket that do not satisfy it do not matter to it; with None, all may matter."""
    columns: ColumnSet | None = None
    """The columns of its only basket that it uses; with None, perhaps all."""

    def __init__(self, name: str, reads: tuple[str, ...]) -> None:
        super().__init__(name)
        self.reads = reads
        self.ports: dict[str, Port] = {}
        self.firing = USUAL
        self.minimums: dict[str, int] = {}
        """How many elements it waits for in each basket."""
        self._loop = self._run()

    def attach(self, name: str, port: Port) -> None:
        """Bind a basket. A reader of several baskets runs when any of them has enough: a mark says so."""
        self.ports[name] = port
        if len(self.reads) == 1:
            self.inputs += port.arcs()
            self.outputs += port.gives()
            return
        if len(self.ports) == 1:
            self.news = Mark(f"{self.name} news")
            self.inputs.append(Arc(self.news))
        self.inputs.append(Arc(port.basket, minimum=0))
        port.basket.watches.append(Watch(port.minimum, self.news))

    def detach(self) -> None:
        """Unbind all baskets; what was read from them stays in the state."""
        self.inputs, self.outputs, self.ports = [], [], {}
        self.__dict__.pop("baskets", None)

    def work(self) -> None:
        next(self._loop)

    def _run(self) -> Iterator[None]:
        while True:
            contents = {name: port.basket.look() for name, port in self.ports.items()}
            self.handle(contents)
            for name, port in self.ports.items():
                port.done(contents[name])
            yield

    def __getstate__(self) -> dict[str, Any]:
        """All but the loop: between two rounds it remembers nothing."""
        return {name: value for name, value in self.__dict__.items() if name != "_loop"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._loop = self._run()

    @abstractmethod
    def handle(self, contents: Mapping[str, Content]) -> None:
        """Treat the content of the baskets."""


class Factory(BasketReader):
    """Runs a fragment of a plan and appends its results to a basket."""

    def __init__(self, fragment: Fragment, horizon: int, algebra: Algebra = INTERVAL_ALGEBRA) -> None:
        super().__init__(fragment.gives, fragment.reads)
        self.program = Program(fragment.root, horizon, algebra)
        self.predicate, self.columns = fragment.predicate, fragment.columns

    @property
    def is_as_new(self) -> bool:
        """Would a new one give out the same from now on?"""
        below = self.program.root.logical.walk()
        last = self.program.last
        spoke = (last.progress > 0 or last.emitted > 0) and any(
            isinstance(n, Aggregation) and n.on_empty for n in below
        )
        return not spoke and not any(node.size for node in self.program.graph.nodes)

    def gives_to(self, basket: Basket) -> None:
        self.output = basket
        self.writes(basket)

    def handle(self, contents: Mapping[str, Content]) -> None:
        self.output.append(*self.program.step(contents))


class Emitter(BasketReader):
    """Hands on the results of a query; subscribers get every batch that is not empty."""

    def __init__(self, name: str, basket: str) -> None:
        super().__init__(name, (basket,))
        self.subscribers: list[Callable[[PhysicalStream], None]] = []
        self.complete = 0
        """No later result starts before this instant."""

    def handle(self, contents: Mapping[str, Content]) -> None:
        for content in contents.values():
            self.complete = content.promised
            for subscriber in self.subscribers if len(content.batch) else []:
                subscriber(content.batch)
