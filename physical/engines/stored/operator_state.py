"""State of interval operators in stores, for those who ask for it.

    run_whole(StateStores().algebra, plan, sources)
    GraphSession(schemas, partial(OperatorGraph, StateStores(folder, "sqlite").algebra))

Sweep areas of joins are in stores, and so are elements that wait for the slices of aggregation, set operations,
semijoins, outer joins and split. Count windows, unions and the results of a join that are not yet due stay in memory.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.engines.interval.join import IntervalJoin
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.join_index.list_area import ListArea
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator
from physical.runtime.operator_graph import Algebra
from physical.storage.parameters import Persistent
from physical.storage.stored_elements import StoredBatches, StoredElements
from semantics import plan as op
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
                area.home = self.new_store(child.logical.schema, ends_in_order(child))
        elif isinstance(operator, SlicedOperator):
            operator.waiting = StoredPorts([self.new_store(schema, in_order=True) for schema in operator.inputs])

    def close(self) -> None:
        """Close all databases."""
        for kept in self.stores:
            kept.store.close()

    def new_store(self, schema: Schema, in_order: bool) -> StoredElements:
        """A new store of elements; with in_order, they end in the order in which they come."""
        self.stores.append(StoredElements(schema, in_order, self._where()))
        return self.stores[-1]

    def _where(self) -> Persistent | None:
        if self.folder is None:
            return None
        return Persistent(self.database, self.folder / f"state{len(self.stores)}.db", group=1024)


def ends_in_order(node: PhysicalNode) -> bool:
    """Do elements end in the order in which they come? Then a FIFO store is enough."""
    match node.logical:
        case _ if node.chronons:
            return True
        case op.TimeWindow() | op.LandmarkWindow():
            return True
        case op.Filter() | op.Map() | op.Rstream():
            return ends_in_order(node.inputs[0])
        case _:
            return False


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
