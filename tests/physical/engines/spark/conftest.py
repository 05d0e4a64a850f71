"""One Spark session for all tests here: its start takes longer than most of them.

It is started in a folder where another package called `semantics` lies, and another one lies in Spark's folder for the
files of a job, which it puts on the path of workers (on a cluster that is where they run); none may be picked up.
"""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from socket import socket
from typing import Final

import pytest
from pyspark import SparkFiles
from pyspark.sql import SparkSession

from physical.engines.spark import spark_session as sessions
from physical.engines.spark.engine import SparkEngine
from semantics import parse, parse_plan
from tests.paths import ROOT

HERE: Final = Path(__file__).parent
ROOMS: Final = (HERE, ROOT / "tests" / "physical" / "adapters" / "spark", ROOT / "tests" / "equivalence" / "dataframes")
"""Where the tests are that share the session."""
FIRST: Final = (
    "test_changes.py",
    "test_continuous_part.py",
    "test_batch_files.py",
    "test_merged_runs.py",
    "test_monitor.py",
    "test_survey.py",
)
"""Their tests need no Spark and nothing that its start changes: they run while it starts."""
LONG: Final = ("test_job_streams.py", "test_continuous.py", "test_check_job.py", "test_run_continuous.py")
"""They run queries over streams, which take longest; whoever shares files among processes begins with them."""
PORT: Final = "spark.connect.grpc.binding.port"
UNVERIFIED: Final = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:TieredStopAtLevel=1"
"""Spark loads some fifteen thousand classes; to verify them takes a fifth of the processor time of its start."""
ROOMY: Final = "-Xms1g -Xmn600m"
"""Java starts with a small heap, and looks for garbage all the time until it has grown."""
os.environ.setdefault("JDK_JAVA_OPTIONS", UNVERIFIED)  # also for processes that tests start


def connect_settings() -> dict[str, str]:
    """Let others connect to the session, too, at a port that is free."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    plugin = "org.apache.spark.sql.connect.SparkConnectPlugin"
    return {"spark.plugins": plugin, PORT: str(port), "spark.connect.grpc.binding.address": "127.0.0.1"}


def session_settings() -> dict[str, str]:
    """No code is generated for whole stages: tests are over before it would pay."""
    java = f"{sessions.SHORT_SESSION_JAVA} {ROOMY}"
    return {"spark.sql.codegen.wholeStage": "false", "spark.driver.extraJavaOptions": java}


def put_foreign_package(folder: Path) -> None:
    (folder / "semantics").mkdir(exist_ok=True)
    (folder / "semantics" / "__init__.py").write_text("raise ImportError('this is another package')")


def without_generated_code(folder: Path) -> dict[str, str]:
    """Settings for a process that lives for a few jobs, which is over before generated code would pay."""
    folder.mkdir()
    (folder / "spark-defaults.conf").write_text("spark.sql.codegen.wholeStage false\n")
    return {"SPARK_CONF_DIR": str(folder)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What can run while Spark starts comes first of all that needs it, and then what takes longest."""
    turns = {name: turn for turn, name in enumerate((*FIRST, *LONG))}
    mine = [place for place, item in enumerate(items) if item.path.parent in ROOMS]
    ordered = sorted((items[place] for place in mine), key=lambda item: turns.get(item.path.name, len(turns)))
    for place, item in zip(mine, ordered, strict=True):
        items[place] = item


def started(foreign: Path) -> SparkSession:
    """A session that has answered its first question, which takes longest."""
    put_foreign_package(foreign)
    here = Path.cwd()
    os.chdir(foreign)
    try:
        session = sessions.session(settings={**session_settings(), **connect_settings()})
    finally:
        os.chdir(here)
    put_foreign_package(Path(SparkFiles.getRootDirectory()))
    SparkEngine().run(parse_plan("S(x int) | group(x; count(*) as n)"), {"S": parse("raw(x int): (1)@0 (1)@0")}, 1)
    return session


@pytest.fixture(scope="session")
def starting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Future[SparkSession]]:
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(started, tmp_path_factory.mktemp("workers"))
    sessions.stop()


@pytest.fixture(scope="session")
def spark(starting: Future[SparkSession]) -> SparkSession:
    return starting.result()


@pytest.fixture(scope="module", autouse=True)
def while_spark_starts(request: pytest.FixtureRequest) -> None:
    """If any test needs Spark it starts now; only what may run meanwhile does not wait for it."""
    if any("spark" in getattr(item, "fixturenames", ()) for item in request.session.items):
        request.getfixturevalue("starting" if request.path.name in FIRST else "spark")
