"""Engines by name in help texts and plans; modules of the user in the current folder."""

import sys
from pathlib import Path

import pytest

from equivalence.command.engine_names import RUNNING_ENGINES, LocalEngine
from physical.adapters.environments import EngineUnavailable, Environment
from physical.adapters.sql.sql_engine import SqlEngine
from physical.engine import ENGINES, ON_REQUEST
from tests.equivalence.command.command import snapeq

STREAM = "CREATE STREAM S(x INT, t INT) ORDERED BY t;"
QUERY = f"{STREAM} SELECT x, COUNT(*) AS n FROM S WINDOW(RANGE 4 SLIDE 2) GROUP BY x"


def test_the_names_are_those_of_the_engines() -> None:
    assert set(LocalEngine) == ENGINES.keys()
    over_snapshots = {name for name, engine in ON_REQUEST.items() if isinstance(engine, SqlEngine)}
    assert set(RUNNING_ENGINES) == {*ENGINES, *ON_REQUEST, "reference"} - over_snapshots


def test_help_lists_all_engines() -> None:
    shown = snapeq("run", "--help").out
    assert [name for name in RUNNING_ENGINES if name not in shown] == []


@pytest.mark.parametrize(
    ("engine", "line"),
    [
        ("interval", "  window(range 4 slide 2) — stateless: sets the interval of each chronon"),
        ("delta", "    S(x int) — a raw stream: its elements are chronons"),
        ("incremental", "  window(range 4 slide 2) — split into basic windows: n = 2, each of 2 instants"),
        ("reevaluation", "  window(range 4 slide 2) — split into basic windows: n = 2, each of 2 instants"),
        ("dataflow", "TimeWindow.1: S, (TimeWindow.1 free) → TimeWindow.1"),
        ("stored", "group(x; count(*) as n) — waits for a slice: fifo"),
    ],
)
def test_every_engine_explains_its_plan(engine: str, line: str) -> None:
    ran = snapeq("explain", QUERY, "--engine", engine)
    assert line in ran.out.splitlines(), ran


def test_functions_are_found_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the installed command starts: Python's path does not have the folder."""
    (tmp_path / "my_functions_here.py").write_text(
        "from semantics import Type\n"
        "from semantics.expression import ScalarFunction\n"
        'twice = ScalarFunction("twice", (Type.INT,), Type.INT, lambda x: 2 * x)\n',
        encoding="utf-8",
    )
    (tmp_path / "S.csv").write_text("x,t\n4,1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [folder for folder in sys.path if folder])
    ran = snapeq(
        "run", f"{STREAM} SELECT twice(x) AS y FROM S", "--stream", "S=S.csv", "--functions", "my_functions_here"
    )
    assert ran.out.splitlines() == ["y,_start,_end,_count", "8,1,2,1"], ran.err


def test_engines_lists_what_is_here_and_how_to_get_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    listed = {line.split()[0]: line for line in snapeq("engines").out.splitlines()}
    assert listed.keys() >= {*ENGINES, *ON_REQUEST}
    assert "comes with Python" in listed["sqlite"]
    assert "snapeq engines install postgres" in listed["postgres"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("install",), "install: expected the name of an engine"),
        (("install", "oracle"), "oracle: expected an engine with an environment"),
        (("list", "duckdb"), "expected install or remove before duckdb"),
    ],
)
def test_wrong_names_are_refused(arguments: tuple[str, ...], said: str) -> None:
    ran = snapeq("engines", *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_removing_what_is_not_there_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    assert "sail: had no environment" in snapeq("engines", "remove", "sail").err


def test_what_cannot_be_installed_does_not_keep_the_others_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[str]()

    def make(environment: Environment, folder: Path, _: object) -> None:
        if environment.engine == "beam":
            raise EngineUnavailable("the engine beam cannot be installed: no network")
        folder.mkdir(parents=True)
        made.append(environment.engine)

    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    monkeypatch.setattr(Environment, "_make", make)
    ran = snapeq("engines", "install", "bytewax", "beam", "pathway")
    assert ran.code == 2
    assert made == ["bytewax", "pathway"]
    assert ran.err.splitlines()[-1] == "snapeq: the engine beam cannot be installed: no network"
