"""What runs in Flink's own environment: a small cluster inside a Java virtual machine, and tables in files."""

import json
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from physical.adapters.sql.remote_engine import Rows

OPTIONS: Final = {
    "parallelism.default": "1",
    "table.local-time-zone": "UTC",
    "execution.target": "remote",
}
CLUSTER: Final = {"rest.address": "127.0.0.1", "rest.bind-address": "127.0.0.1", "rest.port": "0"}
SLOTS: Final = 8
"""Of a query whose operators share a slot one is needed; the rest is for those that do not."""
SHIFT: Final = 1000
"""Instants are seconds, and come so much later: windows before the epoch are a subject of their own."""
Table = tuple[Sequence[tuple[str, str]], Sequence[Sequence[Any]]]
"""Names and types of columns, and rows: plain lists, as this environment has another Arrow."""


class Database:
    """A session with temporary tables."""

    mode: Literal["batch", "streaming"] = "batch"
    more_columns: str = ""
    """What every table declares besides its columns."""

    def __init__(self) -> None:
        from importlib.metadata import version

        from pyflink.common import Configuration
        from pyflink.table import EnvironmentSettings, TableEnvironment

        self.version = version("apache-flink")
        self.folder = TemporaryDirectory(prefix="snapeq-flink-")
        options = Configuration()
        for name, value in {**OPTIONS, **cluster()}.items():
            options.set_string(name, value)
        settings = EnvironmentSettings.new_instance().with_configuration(options)
        batch = self.mode == "batch"
        settings = settings.in_batch_mode() if batch else settings.in_streaming_mode()
        self.environment = TableEnvironment.create(settings.build())

    def ask(self, tables: Mapping[str, Table], sql: str) -> Rows:
        for name, (columns, rows) in tables.items():
            self._load(name, columns, rows)
        with self.environment.execute_sql(sql).collect() as found:
            return consolidated(found)

    def _load(self, name: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]) -> None:
        path = Path(self.folder.name) / name
        path.write_text("".join(line + os.linesep for line in _lines([column for column, _ in columns], rows)))
        declared = ", ".join(f"{column} {type_}" for column, type_ in columns)
        self.environment.execute_sql(f"DROP TEMPORARY TABLE IF EXISTS {name}")
        self.environment.execute_sql(
            f"CREATE TEMPORARY TABLE {name} ({declared}{self.more_columns}) WITH "
            f"('connector' = 'filesystem', 'path' = 'file://{path}', 'format' = 'json')"
        )


def cluster() -> dict[str, str]:
    """Where a cluster of this process is: without one, every query would start its own, which takes longer than it."""
    from pyflink.java_gateway import get_gateway

    flink = get_gateway().jvm.org.apache.flink
    options = flink.configuration.Configuration()
    for name, value in CLUSTER.items():
        options.setString(name, value)
    builder = flink.runtime.minicluster.MiniClusterConfiguration.Builder().setConfiguration(options)
    made = flink.runtime.minicluster.MiniCluster(builder.setNumTaskManagers(1).setNumSlotsPerTaskManager(SLOTS).build())
    made.start()
    address = made.getRestAddress().get()
    return {"rest.address": str(address.getHost()), "rest.port": str(address.getPort())}


class StreamingDatabase(Database):
    """The same in streaming mode: a row's event time is its instant, and rows come in the order of time."""

    mode = "streaming"
    more_columns = (
        f", ts AS TO_TIMESTAMP_LTZ((t + {SHIFT}) * 1000, 3), WATERMARK FOR ts AS ts - INTERVAL '0.001' SECOND"
    )


def consolidated(found: Any) -> list[tuple[Any, ...]]:
    """The rows that are left of a log of changes."""
    left: Counter[tuple[Any, ...]] = Counter()
    for row in found:
        left[tuple(row)] += -1 if row.get_row_kind().name in ("UPDATE_BEFORE", "DELETE") else 1
    return list(left.elements())


def _lines(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    for row in sorted(rows, key=lambda row: int(row[0])):
        yield json.dumps({name: _written(value) for name, value in zip(names, row, strict=True)})


def _written(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
