"""Sail's process: its server, and the client that answers requests; run in Sail's own environment."""

from typing import TYPE_CHECKING, Final

from physical.adapters.worker_process import serve
from physical.engines.spark.errors import translated
from physical.engines.spark.spark_session import SESSION_SETTINGS
from semantics import SnapeqError

if TYPE_CHECKING:
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

SERVERS: "Final[list[SparkConnectServer]]" = []
"""The server ends as soon as nobody refers to it."""


def started() -> "SparkSession":
    """A session on a server at a free port; it lives as long as this process."""
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    SERVERS.append(server)
    host, port = server.listening_address
    builder = SparkSession.builder.remote(f"sc://{host}:{port}")
    for name, value in SESSION_SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def in_words(error: Exception) -> SnapeqError:
    return translated(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    serve(started, in_words)
