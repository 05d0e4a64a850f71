"""State of interval operators in stores: a switch that is off unless it is asked for.

    run_whole(StateStores().algebra, plan, sources)
    GraphSession(schemas, partial(OperatorGraph, StateStores(folder, "sqlite").algebra))

Sweep areas of joins, and what waits for the slices of aggregation, sets, semijoins, outer joins and split, move into
stores. Count windows, unions and the results of a join that are not yet due stay in memory.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL
from physical.engines.interval.join import JoinOperator
from physical.engines.interval.slice_by_slice import Sliced
from physical.join_index.list_area import ListArea
from physical.planning.planner import PhysicalNode
from physical.runtime.graph import Algebra
from physical.runtime.operator import AnyOperator
from physical.storage.parameters import Persistent
from physical.storage.stored_elements import StoredBatches, StoredElements
from semantics import plan as op
from semantics.schema import Schema


class StateStores:
    """Makes the stores of a running graph, in memory or as tables of one database each."""

    def __init__(self, folder: Path | None = None, database: Literal["sqlite", "duckdb"] = "sqlite") -> None:
        self.folder = folder
        self.database = database
        self.stores: list[StoredElements] = []

    @property
    def algebra(self) -> Algebra:
        """The interval algebra with operators whose state is in these stores."""
        return Algebra(INTERVAL.plan, self._operator)

    def _operator(self, node: PhysicalNode, horizon: int) -> AnyOperator:
        operator = INTERVAL.operator(node, horizon)
        self.keep(node, operator)
        return operator

    def keep(self, node: PhysicalNode, operator: AnyOperator) -> None:
        """Give the state of a new operator its home in stores."""
        if isinstance(operator, JoinOperator):
            for area, child in zip(operator.areas, node.inputs, strict=True):
                assert isinstance(area, ListArea)
                area.home = self.new_store(child.logical.schema, ends_in_order(child))
        elif isinstance(operator, Sliced):
            operator.waiting = StoredPorts([self.new_store(schema, in_order=True) for schema in operator.inputs])

    def close(self) -> None:
        """Let go of all databases."""
        for kept in self.stores:
            kept.store.close()

    def new_store(self, schema: Schema, in_order: bool) -> StoredElements:
        """A new store of elements; in_order says that they end in the order in which they come."""
        self.stores.append(StoredElements(schema, in_order, self._where()))
        return self.stores[-1]

    def _where(self) -> Persistent | None:
        if self.folder is None:
            return None
        return Persistent(self.database, self.folder / f"state{len(self.stores)}.db", group=1024)


def ends_in_order(node: PhysicalNode) -> bool:
    """Does every element end no earlier than those that came before it?"""
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
    """What waits at every port; the rest after a slice goes back into the store."""

    def __init__(self, homes: Sequence[StoredElements]) -> None:
        super().__init__(StoredBatches(home) for home in homes)

    def __setitem__(self, port: object, batches: object) -> None:
        assert isinstance(port, int)
        assert isinstance(batches, list)
        kept = self[port]
        assert isinstance(kept, StoredBatches)
        (kept.home.elements,) = batches
