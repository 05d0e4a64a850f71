"""State of interval operators in stores: an algebra whose operators keep it there.

    run(plan, sources, algebra=StateStores(folder, "sqlite").algebra)

Sweep areas of joins, and what waits for the slices of aggregation, sets, semijoins, outer joins and split, move into
stores. Count windows, unions and the results of a join that are not yet due stay in memory.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, overload

from physical.interval.areas import ListArea
from physical.interval.build import operator
from physical.interval.dataflow import Algebra
from physical.interval.join import JoinOperator
from physical.interval.operator import Operator
from physical.interval.sliced import Sliced
from physical.planner import PhysicalNode, physical_plan
from physical.storage.elements import StoredElements
from physical.storage.parameters import Persistent
from physical.stream import PhysicalStream
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
        """The operators of the interval engine, their state in these stores."""
        return Algebra(physical_plan, self._operator)

    def keep(self, node: PhysicalNode, operator: Operator) -> None:
        """Give the state of a new operator its home in stores."""
        if isinstance(operator, JoinOperator):
            for area, child in zip(operator.areas, node.inputs, strict=True):
                assert isinstance(area, ListArea)
                area.home = self._stored(child.logical.schema, ends_in_order(child))
        elif isinstance(operator, Sliced):
            operator.waiting = StoredPorts([self._stored(schema, in_order=True) for schema in operator.inputs])

    def close(self) -> None:
        """Let go of all databases."""
        for kept in self.stores:
            kept.store.close()

    def _operator(self, node: PhysicalNode, horizon: int) -> Operator:
        made = operator(node, horizon)
        self.keep(node, made)
        return made

    def _stored(self, schema: Schema, in_order: bool) -> StoredElements:
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


class StoredBatches(list[PhysicalStream]):
    """What waits at one port, as the one batch that a store holds."""

    def __init__(self, home: StoredElements) -> None:
        super().__init__()
        self.home = home

    def append(self, batch: PhysicalStream) -> None:
        self.home.insert(batch)

    def __iter__(self) -> Iterator[PhysicalStream]:
        return iter([self.home.elements])

    def __len__(self) -> int:
        return 1

    @overload  # type: ignore[override]  # a slice gives a plain list
    def __getitem__(self, place: int) -> PhysicalStream: ...
    @overload
    def __getitem__(self, place: slice) -> list[PhysicalStream]: ...
    def __getitem__(self, place: int | slice) -> PhysicalStream | list[PhysicalStream]:
        return [self.home.elements][place]


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
