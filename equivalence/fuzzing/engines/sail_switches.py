"""Sail: options that its server reads when it starts, so that there is a server for every setting."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database
from equivalence.fuzzing.engines.programs import program
from equivalence.fuzzing.engines.spark_frames import OpenedFrames, spark_words, views
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import ENVIRONMENTS

OPTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "hash joins": ("SAIL_OPTIMIZER__PREFER_HASH_JOIN", "false"),
    "joins in their order": ("SAIL_OPTIMIZER__ENABLE_JOIN_REORDER", "true"),
    "large batches": ("SAIL_EXECUTION__BATCH_SIZE", "1"),
    "parallelism": ("SAIL_EXECUTION__DEFAULT_PARALLELISM", "1"),
}
"""What is on, and the variable and the value that switch it off."""


class SailLaboratory:
    """Servers in this process, which start when their setting is first asked for."""

    def __init__(self) -> None:
        import pysail

        self._sessions: dict[str, Any] = {}
        self.version: str = pysail.__version__

    def switches(self) -> list[str]:
        return [name for name in OPTIONS if self._starts(name)]

    def opened(self, database: Database) -> "OpenedSail":
        return OpenedSail(self, database)

    def session(self, off: str) -> Any:
        if off not in self._sessions:
            from physical.adapters.sail.worker import started

            variable, value = OPTIONS.get(off, ("", ""))
            if off:
                os.environ[variable] = value
            try:
                self._sessions[off] = started()
            finally:
                os.environ.pop(variable, None)
        return self._sessions[off]

    def _starts(self, off: str) -> bool:
        """Does this version know the option?"""
        try:
            self.session(off)
        except Exception:
            return False
        return True


class OpenedSail:
    def __init__(self, laboratory: SailLaboratory, database: Database) -> None:
        self._laboratory = laboratory
        self._database = database

    def switch(self, off: str) -> None:
        self._opened = OpenedFrames(self._laboratory.session(off), self._database)

    def plan(self, sql: str) -> str:
        return str(self._opened.rows(f"EXPLAIN {spark_words(sql)}"))

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        return self._opened.rows(sql)

    def close(self) -> None:
        pass


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    pairs = [OPTIONS.get(one, ("UNUSED", "")) for one in settings]
    opening = [
        "os.environ[switched_off[0]] = switched_off[1]",
        "server = SparkConnectServer('127.0.0.1', 0)",
        "server.start(background=True)",
        "host, port = server.listening_address",
        "spark = SparkSession.builder.remote(f'sc://{host}:{port}').create()",
        *views(database),
    ]
    imports = ["import os", "", "from pysail.spark import SparkConnectServer", "from pyspark.sql import SparkSession"]
    return program(imports, pairs, opening, f"spark.sql({spark_words(sql)!r}).collect()")


SAIL: Final = Engine(
    "sail",
    ENVIRONMENTS["sail"],
    SailLaboratory,
    ("Internal error", "internal error", "panicked", "Optimizer rule", "Arrow error", "Schema error"),
    lambda switch: "=".join(OPTIONS[switch]),
    _program,
    settings={"RUST_LOG": "error"},
    databases=2,
)
