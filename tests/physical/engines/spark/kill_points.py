"""Processes are killed between batches and inside one: the answer is that of a run that nobody disturbed."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession

from physical.columns.stream import PhysicalStream
from semantics import evaluate, parse
from tests.paths import ROOT
from tests.physical.engines.spark.arriving import arrive
from tests.physical.engines.spark.kill_worker import NOW, PLAN, begun

PATIENCE = 300
"""Seconds after which a process that says nothing has failed."""
HORIZON = 40

FILES = {
    "S": ["(1)@0 (1)@0 (2)@3", "(2)@1 (3)@6 (9)@0", "(1)@5 (2)@9 (2)@9"],
    "T": ["(1)@0 (2)@2 (2)@3", "(3)@5 (2)@6", "(2)@8 (2)@9"],
}
"""What comes before the first process, before the second, and before the third; (9)@0 comes too late."""


def stream(name: str, text: str) -> PhysicalStream:
    return PhysicalStream.of(parse(f"raw({'x' if name == 'S' else 'y'} int): {text}"))


def more_arrives(folder: Path, number: int) -> None:
    for name, files in FILES.items():
        elements = sorted(files[number].split(), key=lambda element: int(element.split("@")[1]))
        arrive(folder / name, number, stream(name, " ".join(elements)))


FIRST_MOMENTS = ("ends", "checkpoint/offsets")
"""What a query makes in its first moments; a process is killed as soon as each of them is there."""


def started(folder: Path, when: str) -> "subprocess.Popen[bytes]":
    """A process with the query."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SPARK_LOCAL_DIRS": str(folder / "local")}
    command = [sys.executable, "-m", "tests.physical.engines.spark.kill_worker", str(folder), when]
    return subprocess.Popen(command, env=environment, cwd=ROOT, start_new_session=True)


def killed_once_there(folder: Path, place: Path) -> None:
    """Run a process until it has made a folder, and kill it with the Java machine it has started."""
    process = started(folder, "between")
    deadline = time.monotonic() + PATIENCE
    try:
        while not place.exists():
            assert time.monotonic() < deadline, f"the process has not made {place}"
            time.sleep(0.001)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def killed(folder: Path, when: str, arriving: int | None = None) -> None:
    """Run a process until it says that it has come to the point, and kill it with the Java machine it has started.

    If a file is to arrive for that, it comes as soon as all is done that was there.
    """
    now = folder / NOW
    now.touch() if arriving is None else now.unlink(missing_ok=True)
    process = started(folder, when)
    said = os.open(folder / "said", os.O_RDWR)
    try:
        if arriving is not None:
            assert heard(said) == "between"
            more_arrives(folder, arriving)
        assert heard(said) == when
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(said)


def heard(said: int) -> str:
    ready = select.select([said], [], [], PATIENCE)[0]
    assert ready, "the process has said nothing"
    return os.read(said, 100).decode().strip()


def undisturbed() -> object:
    """The right answer, in which (9)@0 is missing."""
    on_time = {name: " ".join(files).replace("(9)@0", "").split() for name, files in FILES.items()}
    ordered = {name: sorted(all_, key=lambda element: int(element.split("@")[1])) for name, all_ in on_time.items()}
    sources = {name: stream(name, " ".join(all_)).to_interval() for name, all_ in ordered.items()}
    return evaluate(PLAN, sources, HORIZON)


def killed_inside(spark: SparkSession, folder: Path) -> tuple[object, dict[str, int]]:
    """The answer of a query that was killed inside a batch; and how many were late."""
    os.mkfifo(folder / "said")
    more_arrives(folder, 0)
    killed(folder, "inside", arriving=1)
    return finished(spark, folder)


def killed_often(spark: SparkSession, folder: Path) -> tuple[object, dict[str, int]]:
    """The same if it was killed twice in its first moments, between batches and inside one, each time anew."""
    os.mkfifo(folder / "said")
    more_arrives(folder, 0)
    for place in FIRST_MOMENTS:
        killed_once_there(folder, folder / "query" / "_query" / place)
    killed(folder, "between")
    more_arrives(folder, 1)
    killed(folder, "inside")
    return finished(spark, folder)


def finished(spark: SparkSession, folder: Path) -> tuple[object, dict[str, int]]:
    """What comes out in the end, after one more file, and how many were late."""
    more_arrives(folder, 2)
    running = begun(spark, folder)
    running.finish()
    return running.results().to_logical(HORIZON), running.late()
