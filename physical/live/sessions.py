"""A session for each engine and strategy."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from physical.live.settings import Settings
from physical.runtime.graph_session import Graph, GraphSession
from physical.runtime.operator_graph import OperatorGraph
from semantics import Schema

if TYPE_CHECKING:
    from physical.runtime.operator_graph import Algebra


def new_session(settings: Settings, sources: Mapping[str, Schema], raw: frozenset[str]) -> GraphSession:
    """A session without queries; elements that come too late are dropped and counted."""
    return GraphSession(
        dict(sources), _graphs(settings), slack=settings.slack, drop_late=True, raw=raw, allow_unbounded=True
    )


def _graphs(settings: Settings) -> Callable[[], Graph]:
    if settings.engine == "dataflow":
        from physical.engines.dataflow.query_net import QueryNet, Setting

        return partial(QueryNet, Setting(algebra=_algebra(settings)))
    return partial(OperatorGraph, _algebra(settings))


def _algebra(settings: Settings) -> "Algebra":
    from physical.engines.delta.engine import DeltaEngine
    from physical.engines.incremental.engine import IncrementalEngine, ReevaluationEngine
    from physical.engines.interval.engine import IntervalEngine

    if settings.strategy is not None:
        return (IncrementalEngine() if settings.strategy == "incremental" else ReevaluationEngine()).algebra()
    return (DeltaEngine() if settings.engine == "delta" else IntervalEngine()).algebra()
