"""The interval engine with its state in stores."""

from typing import TYPE_CHECKING

from physical.runtime.engine import GraphEngine

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.runtime.operator_graph import Algebra


class StoredEngine(GraphEngine):
    """The time-interval algebra; sweep areas and elements that wait for a slice are kept in stores."""

    name = "stored"

    def algebra(self) -> "Algebra":
        from physical.engines.stored.operator_state import StateStores

        return StateStores().algebra
