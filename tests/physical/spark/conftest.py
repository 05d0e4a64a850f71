"""One Spark session for all tests here: its start takes longer than most of them.

It is started in a folder where another package called `semantics` lies, and another one lies in Spark's folder for the
files of a job, which it puts on the path of workers (on a cluster that is where they run); none may be picked up.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from socket import socket
from typing import Final

import pytest
from pyspark import SparkFiles
from pyspark.sql import SparkSession

from physical.spark import session as sessions

PORT: Final = "spark.connect.grpc.binding.port"


def connect_settings() -> dict[str, str]:
    """Let others connect to the session, too, at a port that is free."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    plugin = "org.apache.spark.sql.connect.SparkConnectPlugin"
    return {"spark.plugins": plugin, PORT: str(port), "spark.connect.grpc.binding.address": "127.0.0.1"}


def put_foreign_package(folder: Path) -> None:
    (folder / "semantics").mkdir(exist_ok=True)
    (folder / "semantics" / "__init__.py").write_text("raise ImportError('this is another package')")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    foreign = tmp_path_factory.mktemp("workers")
    put_foreign_package(foreign)
    here = Path.cwd()
    os.chdir(foreign)
    try:
        session = sessions.session(settings={"spark.sql.codegen.wholeStage": "false", **connect_settings()})
    finally:
        os.chdir(here)
    put_foreign_package(Path(SparkFiles.getRootDirectory()))
    yield session
    sessions.stop()
