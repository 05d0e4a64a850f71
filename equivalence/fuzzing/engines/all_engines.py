"""Every engine with switches, by its name."""

from collections.abc import Mapping
from typing import Final

from equivalence.fuzzing.engines.datafusion_switches import DATAFUSION
from equivalence.fuzzing.engines.duckdb_switches import DUCKDB
from equivalence.fuzzing.engines.flink_switches import FLINK
from equivalence.fuzzing.engines.polars_switches import POLARS
from equivalence.fuzzing.engines.postgres_switches import POSTGRES
from equivalence.fuzzing.engines.sail_switches import SAIL
from equivalence.fuzzing.engines.spark_switches import SPARK
from equivalence.fuzzing.engines.sqlite_switches import SQLITE
from equivalence.fuzzing.engines.switched_engine import Engine

ENGINES: Final[Mapping[str, Engine]] = {
    engine.name: engine for engine in (DUCKDB, DATAFUSION, POLARS, POSTGRES, SQLITE, SPARK, SAIL, FLINK)
}
