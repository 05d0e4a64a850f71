"""State of interval operators in stores, for those who ask for it.

    run_whole(StateStores().algebra, plan, sources)
    GraphSession(schemas, partial(OperatorGraph, StateStores(folder, "sqlite").algebra))

Sweep areas of joins are in stores, and so are elements that wait for the slices of aggregation, set operations,
semijoins, outer joins and split. Count windows, unions and the results of a join that are not yet due stay in memory.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.engines.interval.join import IntervalJoin
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.join_index.list_area import ListArea
from physical.kernels.types import ENDLESS
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator
from physical.runtime.operator_graph import Algebra
from physical.storage.parameters import Persistent, UpdatePattern
from physical.storage.patterns_of_plans import state_pattern
from physical.storage.stored_elements import StoredBatches, StoredElements
from semantics import Plan
from semantics import plan as op
from semantics.notation.show import show_step
from semantics.schema import Schema


class StateStores:
    """Makes the stores of a running graph, in memory or each as a table of its own database."""

    def __init__(self, folder: Path | None = None, database: Literal["sqlite", "duckdb"] = "sqlite") -> None:
        self.folder = folder
        self.database = database
        self.stores: list[StoredElements] = []

    @property
    def algebra(self) -> Algebra:
        """The interval algebra with operators whose state is in these stores."""
        return Algebra(INTERVAL_ALGEBRA.plan, self._operator)

    def _operator(self, node: PhysicalNode, horizon: int) -> AnyOperator:
        operator = INTERVAL_ALGEBRA.operator(node, horizon)
        self.keep(node, operator)
        return operator

    def keep(self, node: PhysicalNode, operator: AnyOperator) -> None:
        """Move the state of a new operator into stores."""
        if isinstance(operator, IntervalJoin):
            for area, child in zip(operator.areas, node.inputs, strict=True):
                assert isinstance(area, ListArea)
                area.home = self.new_store(child.logical.schema, pattern_for(child))
        elif isinstance(operator, SlicedOperator):
            fifo = UpdatePattern.FIFO  # what waits for a slice is taken from the front, whenever it ends
            operator.waiting = StoredPorts([self.new_store(schema, fifo) for schema in operator.inputs])

    def close(self) -> None:
        """Close all databases."""
        for kept in self.stores:
            kept.store.close()

    def new_store(self, schema: Schema, update: UpdatePattern) -> StoredElements:
        """A new store of elements: FIFO if they end in the order in which they come, otherwise RANDOM."""
        self.stores.append(StoredElements(schema, update, self._where()))
        return self.stores[-1]

    def _where(self) -> Persistent | None:
        if self.folder is None:
            return None
        return Persistent(self.database, self.folder / f"state{len(self.stores)}.db", group=1024)


def pattern_for(node: PhysicalNode) -> UpdatePattern:
    """The update pattern of a sweep area over this part of a plan, as it follows from the plan."""
    return state_pattern(node.logical, _interval_sources(node))


def _interval_sources(node: PhysicalNode) -> frozenset[str]:
    """The sources below a node whose elements last."""
    if isinstance(node.logical, op.Source):
        return frozenset() if node.chronons else frozenset({node.logical.name})
    return frozenset(name for child in node.inputs for name in _interval_sources(child))


def explain(plan: Plan, chronon_sources: frozenset[str] = frozenset()) -> str:
    """The stores of a plan: for every operator with state in stores, the update pattern of each of its inputs.

    >>> from semantics import parse_plan
    >>> text = "join(A(x int) | window(range 9), B(y int); x = y) | distinct"
    >>> print(explain(parse_plan(text), frozenset({"A"})))
    distinct — waits for a slice: fifo
    join(x = y) — sweep areas: fifo, random
    """
    return "\n".join(_lines(INTERVAL_ALGEBRA.plan(plan, chronon_sources)))


def _lines(node: PhysicalNode) -> Iterator[str]:
    operator = INTERVAL_ALGEBRA.operator(node, ENDLESS)
    if isinstance(operator, IntervalJoin):
        yield f"{_step(node)} — sweep areas: {', '.join(pattern_for(child).value for child in node.inputs)}"
    elif isinstance(operator, SlicedOperator):
        yield f"{_step(node)} — waits for a slice: {', '.join(UpdatePattern.FIFO.value for _ in node.inputs)}"
    for child in node.inputs:
        yield from _lines(child)


def _step(node: PhysicalNode) -> str:
    return "split(1)" if node.kind == "split" else show_step(node.logical)


class StoredPorts(list[list[PhysicalStream]]):
    """The waiting elements of every port; the rest after a slice goes back into the store."""

    def __init__(self, homes: Sequence[StoredElements]) -> None:
        super().__init__(StoredBatches(home) for home in homes)

    def __setitem__(self, port: object, batches: object) -> None:
        assert isinstance(port, int)
        assert isinstance(batches, list)
        kept = self[port]
        assert isinstance(kept, StoredBatches)
        (kept.home.elements,) = batches
