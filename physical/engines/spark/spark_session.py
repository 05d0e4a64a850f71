"""One Spark session of ours for the whole process: on this machine, on an existing cluster, or beside the user's."""

import logging
import os
import re
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Final

from physical.engines.spark.errors import SparkUnavailable
from physical.engines.spark.java import prepare_java
from semantics.missing_package import missing_package

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHUFFLE_PARTITIONS: Final = "spark.sql.shuffle.partitions"
SHORT_SESSION_JAVA: Final = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -Xshare:auto"
"""One thread for garbage collection and only the first compiler: a short session ends before more would pay off.

With that compiler alone, Java reserves 48 MB for compiled code. Some minutes of Spark fill them, and then it discards
code and compiles it again; hence the larger code cache.
"""
LONG_SESSION_JAVA: Final = "-XX:+UseParallelGC"

SETTINGS: Final[Mapping[str, str]] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4096",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.pythonUDF.arrow.enabled": "true",
    "spark.executorEnv.PYTHONSAFEPATH": "1",
    "spark.executorEnv.PYTHONHASHSEED": "0",
    "spark.log.level": "OFF",
}
"""Settings that the meaning of results needs, and settings that make tiny jobs fast.

PYTHONSAFEPATH keeps the folder in which a worker starts off its path, because another package called `semantics` may
be there. PYTHONHASHSEED makes hashes of text equal in all workers. To limit the bytes of a batch Spark would measure it
after every row, which takes as long as filling it; so only the number of rows is limited.
"""

SESSION_SETTINGS: Final = {name: value for name, value in SETTINGS.items() if name.startswith("spark.sql.")}
"""Those that each session has for itself; a new one has them only if Spark was started with them."""

LOCAL_CHECKPOINTS: Final = {
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    )
}
"""For streaming queries whose checkpoints are on this machine, where any way to rename a file is atomic.

Spark's own way asks whether the file is a link, and for every such question Hadoop starts a process: some fifty in a
small batch, which took two fifths of its processor time.
"""

WORKER_DAEMON: Final = {"spark.python.daemon.module": "physical.engines.spark.daemon"}
"""The process that forks workers has our packages loaded.

This is faster, and safe: Spark puts the folder for the files of a job first on the path of a worker. On a cluster that
is the folder where the worker runs, and another package called `semantics` may be there.
"""

NO_CHECKSUMS: Final = {
    "spark.sql.shuffle.orderIndependentChecksum.enabled": "false",
    "spark.sql.shuffle.orderIndependentChecksum.enableFullRetryOnMismatch": "false",
}
"""No checksum of exchanged rows: it checks that a repeated task gives the same rows, but on one machine no single task
is lost."""

_RUNNING: "Final[dict[str, SparkSession]]" = {}
"""The running session by its address; there is at most one."""
_STARTED: "Final[list[SparkSession]]" = []
"""The session that Spark was started for, unless somebody else had started it before."""

START_FOLDER: Final = Path.cwd()
"""Where Python was started, or nearly so: relative paths in PYTHONPATH are relative to it."""
LOG: Final = Path(gettempdir()) / f"snapeq-spark-{os.getuid()}.log"
CONNECT_SECONDS: Final = 5.0
"""Seconds within which a cluster must answer."""


def session(master: str | None = None, *, long: bool = False, settings: Mapping[str, str] = {}) -> "SparkSession":
    """The running session, or a new one: on a master (`local[2]`, `spark://host:7077`), or remote (`sc://host`).

    Without a master, SPARK_REMOTE says where; without that, it is this machine. A long session starts more slowly, but
    runs faster code. If Spark runs in this process already, the session is a new one there: settings and temporary
    views of other sessions stay as they are.
    """
    check_installed()
    from pyspark.sql import SparkSession

    for printed in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):  # errors that are raised anyway
        logging.getLogger(printed).disabled = True

    address = master or os.environ.get("SPARK_REMOTE") or "local[*]"
    if address not in _RUNNING or has_ended(_RUNNING[address]):
        check_reachable(address)
        _RUNNING.clear()
        _RUNNING[address] = _started(SparkSession.builder, address, {**SETTINGS, **_machine(address, long), **settings})
    return _RUNNING[address]


def stop() -> None:
    """End Spark, if a session of ours has started it."""
    for running in _STARTED:
        running.stop()
    _STARTED.clear()
    _RUNNING.clear()


def has_ended(spark: "SparkSession") -> bool:
    """Has somebody stopped Spark, or this remote session?"""
    return spark.sparkContext._jsc is None if _is_local(spark) else bool(getattr(spark, "is_stopped", False))


def _is_local(spark: "SparkSession") -> bool:
    """Does Spark's driver run in a Java process of this one, and not on a server?"""
    return hasattr(spark, "_jsparkSession")


@contextmanager
def set_for_now(spark: "SparkSession", settings: Mapping[str, str]) -> Iterator[None]:
    """Settings for what is started meanwhile; afterwards they are restored."""
    before = {name: spark.conf.get(name, None) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        with suppress(ConnectionError):  # Spark may have ended
            for name, old in before.items():
                spark.conf.unset(name) if old is None else spark.conf.set(name, old)


def _started(builder: "SparkSession.Builder", address: str, settings: Mapping[str, str]) -> "SparkSession":
    remote = address.startswith("sc://")
    shared = not remote and _runs_here()
    if not shared:  # otherwise somebody else has chosen, and `by_this_python` asks whether they did
        os.environ["PYSPARK_PYTHON"] = os.environ.get("SNAPEQ_WORKER_PYTHON", sys.executable)
    if not remote:
        prepare_java()
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1") if address.startswith("local") else None
    builder = builder.remote(address) if remote else builder.master(address).appName("snapeq")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        silence_counters()
        with _errors_into_a_file(), paths_for_workers():
            # create() and not getOrCreate(), which would change the settings of a session of the user.
            started = builder.create()
        _STARTED.extend([] if shared else [started])
        return started
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise SparkUnavailable(f"Spark on {address} does not start: {reason}; its log is {LOG}") from error


def _runs_here() -> bool:
    """Has somebody started Spark in this process already?"""
    from pyspark import SparkContext

    return SparkContext._active_spark_context is not None


def silence_counters() -> None:
    """Silence the thread for Spark's counters: it prints a traceback if Java ends, which the job reports anyway."""
    from pyspark import accumulators

    for server in (accumulators.AccumulatorTCPServer, accumulators.AccumulatorUnixServer):
        server.handle_error = lambda *_: None  # type: ignore[method-assign]


@contextmanager
def paths_for_workers() -> Iterator[None]:
    """Processes that are started meanwhile, and all that they start, have a safe and absolute Python path.

    Relative paths are made absolute, because workers are started in other folders.
    """
    before = {name: os.environ.get(name) for name in ("PYTHONSAFEPATH", "PYTHONPATH")}
    os.environ["PYTHONSAFEPATH"] = "1"
    if before["PYTHONPATH"]:
        os.environ["PYTHONPATH"] = absolute(before["PYTHONPATH"])
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({} if value is None else {name: value})


def absolute(path: str) -> str:
    """A list of paths, each made absolute."""
    return os.pathsep.join(os.path.normpath(START_FOLDER / place) for place in path.split(os.pathsep))


@contextmanager
def _errors_into_a_file() -> Iterator[None]:
    """Send the stderr of the Java process that is started meanwhile to a file, now and later."""
    sys.stderr.flush()
    mine = os.dup(2)
    try:
        with LOG.open("ab") as log:
            os.dup2(log.fileno(), 2)
        yield
    finally:
        os.dup2(mine, 2)
        os.close(mine)


def _machine(address: str, long: bool) -> dict[str, str]:
    """Settings that only work if Spark is started for the session, and not on a running server."""
    if address.startswith("sc://"):
        return {}
    if not address.startswith("local"):
        return WORKER_DAEMON
    memory = os.environ.get("SNAPEQ_SPARK_MEMORY", "2g")
    return {
        **WORKER_DAEMON,
        **NO_CHECKSUMS,
        "spark.driver.memory": memory,
        "spark.driver.extraJavaOptions": LONG_SESSION_JAVA if long else SHORT_SESSION_JAVA,
        SHUFFLE_PARTITIONS: str(os.cpu_count() or 1),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": str(Path(__file__).parents[3]),
    }


def check_reachable(address: str) -> None:
    """Raise an error unless something listens at the address; Spark itself would try for minutes."""
    found = re.fullmatch(r"(?:spark|sc)://(\[[^\]]+\]|[^:/,]+)(?::(\d+))?(?:[/,].*)?", address)
    if found is None:
        if not re.fullmatch(r"local(\[[\w*,]+\])?|yarn|k8s://.+|(?:spark|sc)://.+,.+", address):
            forms = "local[N], spark://HOST:PORT, sc://HOST:PORT, yarn or k8s://…"
            raise SparkUnavailable(f"--master {address}: expected {forms}")
        return
    port = int(found[2] or (15002 if address.startswith("sc:") else 7077))
    try:
        socket.create_connection((found[1].strip("[]"), port), CONNECT_SECONDS).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise SparkUnavailable(
            f"no Spark answers at {address} ({reason}): start it, or give another --master or SPARK_REMOTE"
        ) from None


def check_installed() -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        missing = missing_package("the engine spark", "pyspark", command="pip install 'snapeq[spark]'")
        raise SparkUnavailable(missing) from None
