"""In a session of somebody else, results are the same whatever its settings are, and its settings stay as they are."""

import os
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from equivalence.dataframes.compute import sql
from physical.columns.stream import PhysicalStream
from physical.engines.spark import spark_session
from physical.engines.spark.compile import Compiler
from physical.engines.spark.decode_dataframe import frame_of
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.frame import to_frame
from physical.engines.spark.worker_python import CHOSEN, by_this_python
from physical.files.layout import Layout
from semantics import ArithmeticOverflow, Schema, StreamError, parse, parse_plan

THEIRS = {
    "spark.sql.session.timeZone": "America/New_York",
    "spark.sql.ansi.enabled": "false",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.caseSensitive": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "7",
    "spark.sql.execution.arrow.maxBytesPerBatch": "1000000",
}
TIMES = Layout(Schema.of(x=int), "ts", timestamps=("ts",), unit=1)
NOON, MIDNIGHT = 1772971200000, 1772928000000
"""12:00 and 0:00 UTC on 8 March 2026, when clocks are put forward in New York."""


@pytest.fixture(scope="module")
def theirs(spark: SparkSession) -> SparkSession:
    """A session with settings that are not ours."""
    session = spark.newSession()
    for name, value in THEIRS.items():
        session.conf.set(name, value)
    return session


@pytest.fixture
def only_theirs(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[SparkSession]:
    """The session that was started first, with other settings, while we have none yet."""
    monkeypatch.setattr(spark_session, "_RUNNING", {})
    monkeypatch.setattr(spark_session, "_STARTED", [])
    with spark_session.set_for_now(spark, THEIRS):
        yield spark


def start_of(session: SparkSession, time: str) -> int:
    data = session.sql(f"SELECT 1L AS x, {time} AS ts")
    return int(frame_of(data, TIMES, "bids").collected().start[0])


@pytest.mark.parametrize(
    ("time", "instant"),
    [
        ("TIMESTAMP_NTZ'2026-03-08 12:00:00'", NOON),
        ("TIMESTAMP_NTZ'2026-03-08 02:30:00.123'", MIDNIGHT + 9_000_123),
        ("TIMESTAMP_NTZ'9999-12-31 23:59:59.999'", 253402300799999),
        ("DATE'2026-03-08'", MIDNIGHT),
        ("'2026-03-08'", MIDNIGHT),
        ("'2026-03-08 12:00:00'", NOON),
        ("'2026-03-08T02:30'", MIDNIGHT + 9_000_000),
        ("'2026-03-08T12:00:00Z'", NOON),
        ("'2026-03-08 14:00:00.000+02:00'", NOON),
        ("'2026-03-08 13:00:00 Europe/Berlin'", NOON),
        ("TIMESTAMP'2026-03-08 12:00:00+00:00'", NOON),
    ],
)
def test_times_count_in_utc_in_every_time_zone(theirs: SparkSession, time: str, instant: int) -> None:
    assert start_of(theirs, time) == instant


@pytest.mark.parametrize("time", ["'12:00:00'", "'T12:00'", "'noon'", "'2026-03-08 12:00 nowhere'"])
def test_text_that_is_no_time_is_refused_without_ansi_mode(theirs: SparkSession, time: str) -> None:
    with pytest.raises(StreamError, match=r"bids: column ts: .* does not fit; expected a TIMESTAMP in ISO 8601"):
        start_of(theirs, time)


@pytest.mark.parametrize("expression", ["x + 1", "x - -1", "x * 2", "-(-x - 1)", "0 * (x + 1)"])
def test_an_overflow_is_an_error_without_ansi_mode(theirs: SparkSession, expression: str) -> None:
    rows = PhysicalStream.of(parse(f"raw(x int): (1)@0 ({2**63 - 1})@0 (null)@0"))
    compiler = Compiler({"S": to_frame(theirs, rows)})
    with pytest.raises(ArithmeticOverflow, match="an integer must fit into 64 bits"):
        compiler.frame(parse_plan(f"S(x int) | map({expression} as y)")).collected()


def test_an_overflow_is_an_error_when_the_job_runs_and_not_before(theirs: SparkSession) -> None:
    """Whatever the settings are by then."""
    rows = PhysicalStream.of(parse(f"raw(x int): ({2**63 - 1})@0"))
    frame = Compiler({"S": to_frame(theirs, rows)}).frame(parse_plan("S(x int) | filter(x + 1 > 0)"))
    for ansi in ("true", "false"):
        with spark_session.set_for_now(theirs, {"spark.sql.ansi.enabled": ansi}), pytest.raises(ArithmeticOverflow):
            frame.collected()


def test_results_beyond_the_last_instant_do_not_wrap(theirs: SparkSession) -> None:
    last = 2**63 - 3
    rows = PhysicalStream.of(parse(f"raw(x int): (1)@{last}"))
    compiler = Compiler({"S": to_frame(theirs, rows)})
    assert len(compiler.frame(parse_plan("S(x int) | window(range 20 slide 10)")).collected()) == 0
    landmark = compiler.frame(parse_plan("S(x int) | window(landmark 0 reset 10)")).collected()
    assert (landmark.start.tolist(), landmark.end.tolist()) == ([last], [2**63 - 1])


def test_the_engine_leaves_settings_and_views_of_a_session_alone(only_theirs: SparkSession) -> None:
    before = {view.name for view in only_theirs.catalog.listTables()}
    only_theirs.range(1).createOrReplaceTempView("mine")
    stream = parse("raw(x int): (1)@0 (1)@0 (2)@1")
    found = SparkEngine().run(parse_plan("S(x int) | group(x; count(*) as n)"), {"S": stream}, 3)
    assert len(found) == 2
    assert {name: only_theirs.conf.get(name) for name in THEIRS} == THEIRS
    ours = spark_session.session()
    assert {name: ours.conf.get(name) for name in THEIRS} == {name: spark_session.SETTINGS[name] for name in THEIRS}
    assert {view.name for view in only_theirs.catalog.listTables()} == before | {"mine"}
    assert ours.catalog.listTables() == []
    only_theirs.catalog.dropTempView("mine")


def test_spark_that_somebody_else_has_started_goes_on_when_we_stop(only_theirs: SparkSession) -> None:
    assert spark_session.session().range(3).count() == 3
    spark_session.stop()
    assert only_theirs.range(3).select(f.sum("id")).first() == (3,)


@pytest.mark.usefixtures("only_theirs")
def test_after_somebody_has_stopped_spark_a_new_session_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = SimpleNamespace(_jsparkSession=None, sparkContext=SimpleNamespace(_jsc=None))
    monkeypatch.setitem(spark_session._RUNNING, "local[*]", stopped)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    assert spark_session.session().range(3).count() == 3


@pytest.fixture
def python_from_the_path(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> SparkSession:
    """A session as people start it: nobody said which Python workers are."""
    monkeypatch.delenv(CHOSEN)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "no-such-python")
    return spark


@pytest.mark.usefixtures("only_theirs")
def test_our_functions_run_by_the_python_that_runs_us(python_from_the_path: SparkSession) -> None:
    """Also after the engine has made a session of its own there."""
    found = SparkEngine().run(parse_plan("S(x int) | distinct"), {"S": parse("raw(x int): (1)@0 (1)@0")}, 1)
    assert len(found) == 1
    assert CHOSEN not in os.environ
    bids = python_from_the_path.sql("SELECT 1L AS x, 0L AS _start, 5L AS _end")
    counted = sql("SELECT x, COUNT(*) AS n FROM Bid GROUP BY x", {"Bid": bids})
    assert python_from_the_path.sparkContext.pythonExec == "no-such-python"
    assert [tuple(row) for row in counted.collect()] == [(1, 1, 0, 5, 1)]


def test_a_python_that_somebody_chose_stays(
    python_from_the_path: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "theirs")
    with by_this_python():
        assert python_from_the_path.sparkContext.pythonExec == "no-such-python"
