"""Engines whose operators form a running graph, for whole streams and for sessions."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from semantics import Plan, Schema

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.columns.stream import PhysicalStream
    from physical.runtime.graph_session import GraphSession
    from physical.runtime.operator_graph import Algebra
    from physical.runtime.run_whole import AnyStream


class GraphEngine(ABC):
    """Runs plans by the operators of one algebra."""

    name: str
    knows_now = True
    knows_types = True
    knows_functions = True
    """Expressions may ask for the instant."""
    knows_all_aggregates = True
    """Not only those that every engine is expected to know."""

    lacks: tuple[type[Plan], ...] = ()
    """Operators that it does not have."""

    @abstractmethod
    def algebra(self) -> "Algebra":
        """How plans become operators."""

    def supports(self, plan: Plan) -> bool:
        return not any(isinstance(node, self.lacks) for node in plan.walk())

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.runtime.run_whole import run_whole

        return run_whole(self.algebra(), plan, sources, horizon)

    def session(self, sources: Mapping[str, Schema], slack: int = 0, patience: int = 0) -> "GraphSession":
        """A long-running graph of queries over these sources; with patience, so many new elements may wait."""
        from functools import partial

        from physical.columns.threads import thread_count
        from physical.runtime.graph_session import GraphSession
        from physical.runtime.operator_graph import OperatorGraph

        graph = partial(OperatorGraph, self.algebra(), patience=patience, threads=thread_count())
        return GraphSession(dict(sources), graph, slack=slack, allow_unbounded=True)
