"""Commands that take an engine by its name, on Spark; and a session that runs elsewhere."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from pyspark.sql import SparkSession

from equivalence.command.on_spark import SPARK
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.errors import SparkUnavailable
from physical.engines.spark.exchange import Spread
from tests.equivalence.command.command import snapeq
from tests.physical.engines.spark.conftest import PORT
from tests.physical.engines.spark.lookahead import ahead

QUERY = "S(x int) | window(range 2) | group(x; count(*) as n)"
RUN = ["run", QUERY, "--stream", "S=s.csv", "--engine", SPARK]
CHECK = ["check", QUERY, "--stream", "S=s.csv", "--output", "s.csv", "--engine", SPARK]
DIFF = ["diff", "s.csv", "s.csv", "--engine", SPARK]


@pytest.fixture(scope="module", autouse=True)
def elsewhere(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], "subprocess.CompletedProcess[str]"]]:
    """Waits for another process that connects to the session; it starts while the tests before its own run."""
    file = tmp_path_factory.mktemp("elsewhere") / "s.csv"
    file.write_text("x,_start,_end\n1,0,1\n1,1,2\n2,4,5\n")
    remote = {**os.environ, "SPARK_REMOTE": f"sc://127.0.0.1:{spark.conf.get(PORT)}"}
    start = [sys.executable, "-c", "from equivalence.command.main import main; main()"]

    def ran(query: str) -> "subprocess.CompletedProcess[str]":
        command = [*start, "run", query, "--engine", "spark", "--stream", f"S={file}"]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=remote)

    yield from ahead(ran, [QUERY])


@pytest.mark.usefixtures("spark")
def test_equiv_finds_the_smallest_example() -> None:
    ran = snapeq("equiv", "S(x int) | distinct", "S(x int)", "--engine", "spark", "--examples", "300", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["counterexample"]["streams"] == {"S": [[0, 0, 1], [0, 0, 1]]}
    unfit = snapeq("equiv", "S(x int)", "S(x int)", "--engine", "spark", "--by", "prove")
    assert (unfit.code, unfit.out) == (2, "")


@pytest.mark.usefixtures("spark")
def test_conform_and_equiv_run_many_cases_in_a_job_where_and_in_as_many_parts_as_they_are_told() -> None:
    with patch("physical.engines.spark.engine.SparkEngine.run", autospec=True, side_effect=SparkEngine.run) as run:
        place = ["--master", "local[*]", "--partitions", "3", "--json"]
        result = json.loads(snapeq("conform", "spark", "--cases", "60", *place).out)
        assert (result["engine"], result["findings"]) == ("spark", [])
        assert 40 <= result["cases"] <= 60
        assert run.call_count < result["cases"] / 10
        same = snapeq("equiv", "S(x int) | distinct", "S(x int) | distinct", "--engine", "spark", *place)
        assert json.loads(same.out)["verdict"] == "agreed"
    engines = {(call.args[0].master, call.args[0].spread) for call in run.call_args_list}
    assert engines == {("local[*]", Spread(3, heaviest=None))}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["conform", "interval", "--partitions", "2"], "--partitions: only for the engine spark, got interval"),
        (["equiv", "S(x int)", "S(x int)", "--master", "local"], "--master: only for the engine spark, got reference"),
        (["conform", "interval", "--conf", "spark.a=1"], "--conf: only for the engine spark, got interval"),
        (["conform", "spark", "--conf", "spark.ui.enabled"], "--conf spark.ui.enabled: expected spark.KEY=VALUE"),
        (["diff", "a", "b", "--engine", "spark", "--conf", "ui=1"], "--conf ui=1: expected spark.KEY=VALUE"),
        (["conform", "spark", "--conf", "spark.sql.ansi.enabled=false"], "the meaning of results depends on this one"),
        (["conform", "spark", "--master", "sc://127.0.0.1:1"], "no Spark answers at sc://127.0.0.1:1"),
    ],
)
def test_a_place_that_is_none(command: list[str], message: str) -> None:
    ran = snapeq(*command)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize("command", [["conform", SPARK], ["equiv", QUERY, QUERY, "--engine", SPARK], RUN, CHECK, DIFF])
def test_spark_is_started_with_the_settings_of_the_user(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("x,_start,_end\n1,0,1\n")
    given = [part.replace("s.csv", str(tmp_path / "s.csv")) for part in command]
    settings = {"spark.ui.enabled": "true", "spark.eventLog.dir": "s3a://logs?a=b"}
    options = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    with patch("physical.engines.spark.spark_session.session", side_effect=SparkUnavailable("not now")) as started:
        ran = snapeq(*given, *options)
    assert (ran.code, ran.err) == (2, "snapeq: not now\n")
    assert started.call_args.kwargs["settings"] == settings


def test_a_session_that_runs_elsewhere(elsewhere: Callable[[str], "subprocess.CompletedProcess[str]"]) -> None:
    ran = elsewhere(QUERY)
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == ["x,n,_start,_end,_count", "1,1,0,1,1", "1,2,1,2,1", "1,1,2,3,1", "2,1,4,6,1"]
