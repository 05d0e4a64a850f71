"""What an engine is, and the engines that come with snapeq.

Modules of engines are imported when a plan runs: listing the engines must not load numba or Spark.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol

from physical.adapters.apsw_engine import ApswEngine
from physical.adapters.chdb_engine import ChdbEngine
from physical.adapters.daft_engine import DaftEngine
from physical.adapters.datafusion_engine import DataFusionEngine
from physical.adapters.duckdb_engine import DuckDBEngine
from physical.adapters.flink.batch_engine import FlinkEngine
from physical.adapters.flink.windows_engine import FlinkWindowsEngine
from physical.adapters.pglite_engine import PgliteEngine
from physical.adapters.polars_engine import PolarsEngine
from physical.adapters.polars_frames.engine import PolarsFramesEngine
from physical.adapters.postgres_engine import PostgresEngine
from physical.adapters.sail.engine import SailEngine
from physical.adapters.sql.remote_engine import RemoteSqlEngine
from physical.adapters.sqlite_engine import SqliteEngine
from physical.engines.delta.engine import DeltaEngine
from physical.engines.incremental.engine import IncrementalEngine, ReevaluationEngine
from physical.engines.interval.engine import IntervalEngine
from physical.engines.spark.engine import SparkEngine
from physical.engines.stored.engine import StoredEngine
from semantics import Plan, Schema

if TYPE_CHECKING:  # numba takes time to import; naming an engine does not need it
    from physical.columns.stream import PhysicalStream
    from physical.runtime.graph_session import GraphSession
    from physical.runtime.run_whole import AnyStream


class Engine(Protocol):
    """Anything that runs plans: any object with these three members, wherever it is defined."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    def supports(self, plan: Plan) -> bool:
        """Can it run this plan?"""

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]") -> "PhysicalStream":
        """The result of a plan over given streams."""


class DataflowEngine:
    """Baskets and factories: every plan as a Petri net of its operators."""

    name = "dataflow"
    knows_now = True
    knows_types = True
    knows_functions = True
    knows_all_aggregates = True

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        from physical.engines.dataflow.engine import NetEngine

        return NetEngine().run(plan, sources, horizon)

    def session(self, sources: Mapping[str, Schema], slack: int = 0, patience: int = 0) -> "GraphSession":
        """A long-running net of queries over these sources; with patience, so many new elements may wait."""
        from physical.engines.dataflow.engine import NetEngine

        return NetEngine().session(sources, slack, patience)


ENGINES: Mapping[str, Engine] = {
    "interval": IntervalEngine(),
    "delta": DeltaEngine(),
    "incremental": IncrementalEngine(),
    "reevaluation": ReevaluationEngine(),
    "dataflow": DataflowEngine(),
    "stored": StoredEngine(),
}

OTHERS: Mapping[str, Engine] = {
    "apsw": ApswEngine(),
    "chdb": ChdbEngine(),
    "daft": DaftEngine(),
    "datafusion": DataFusionEngine(),
    "duckdb": DuckDBEngine(),
    "flink": FlinkEngine(),
    "flink-windows": FlinkWindowsEngine(),
    "pglite": PgliteEngine(),
    "polars": PolarsEngine(),
    "polars-frames": PolarsFramesEngine(),
    "postgres": PostgresEngine(),
    "sail": SailEngine(),
    "sqlite": SqliteEngine(),
}
"""Engines that others wrote."""

ON_REQUEST: Mapping[str, Engine] = {"spark": SparkEngine(), **OTHERS}
"""Engines that need more than this process; they run only when they are asked for by name."""


@cache
def on_request(name: str) -> Engine | None:
    """One of these engines, also in another version, as in `duckdb@1.0.0`; None if the name is none of them."""
    engine, at, version = name.partition("@")
    found = ON_REQUEST.get(engine)
    if not at or found is None:
        return found
    return type(found).of_version(version) if isinstance(found, RemoteSqlEngine) else None
