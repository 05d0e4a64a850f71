"""`snapeq live` as people use it: a process with files, ports, signals and a state."""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from equivalence.command.live_system import LiveOptions, start_live
from physical.live.records import SentLines
from tests.paths import ROOT

CATALOGUE = """CREATE STREAM Bid(item INT, price FLOAT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Sale(item INT, ts BIGINT) ORDERED BY ts;
"""
COUNTS = "SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 10) GROUP BY item"
SECONDS = 60
"""However slow the machine is, a test ends after this long."""


class Live:
    """A running command, and what it says on stderr."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._news:
                self.said.append(line.rstrip())
                self._news.notify_all()

    def wait_for(self, text: str) -> str:
        """The first line that contains a text."""
        with self._news:
            found = self._news.wait_for(lambda: next((s for s in self.said if text in s), None), SECONDS)
        assert found, f"{text!r} was never said: {self.said}"
        return found

    def address(self, text: str = "API at") -> str:
        return self.wait_for(text).partition("http://")[2].partition("/")[0]

    def call(self, method: str, path: str, body: object = None) -> Any:
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.address()}/api{path}", data, method=method)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        return code


@contextmanager
def live(folder: Path, *arguments: str, stdin: int = subprocess.DEVNULL) -> Iterator[Live]:
    """`snapeq live` in a folder, killed at the end if it still runs."""
    command = [sys.executable, "-m", "equivalence.command.main", "live", "shop.sql", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Live(process)
        finally:
            if process.poll() is None:
                process.kill()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.sql").write_text(CATALOGUE)
    return tmp_path


def follow(path: Path, text: str) -> None:
    """Wait until a file holds a text."""
    waiting = threading.Event()
    for _ in range(SECONDS * 20):
        if path.exists() and text in path.read_text():
            return
        waiting.wait(0.05)
    raise AssertionError(f"{path}: {text!r} never came; it holds {path.read_text() if path.exists() else 'nothing'!r}")


def snapshots(path: Path) -> Counter[tuple[str, int]]:
    """What a file of results holds at every instant: where results are cut in time does not matter."""
    rows = [line.rsplit(",", 2) for line in path.read_text().splitlines()[1:]]
    return Counter((row, instant) for row, start, end in rows for instant in range(int(start), int(end)))


def test_from_files_to_files_and_stdout(shop: Path) -> None:
    (shop / "bids.csv").write_text("ts,item,price\n0,1,9.5\n2,2,3\nx,1,1\n4,1,20\n")
    (shop / "sales.jsonl").write_text('{"item": 1, "ts": 3}\n')
    sold = "sold=SELECT Bid.item FROM Bid WINDOW(RANGE 10), Sale WINDOW(RANGE 1) WHERE Bid.item = Sale.item"
    with live(
        shop, "-s", "Bid=bids.csv", "-s", "Sale=sales.jsonl", "-q", f"counts={COUNTS}", "-q", sold,
        "-o", "counts=counts.csv", "-o", "sold=-", "--finish",
    ) as run:  # fmt: skip
        assert run.process.wait(SECONDS) == 0
        assert run.process.stdout is not None
        assert run.process.stdout.read() == "item,_start,_end\n1,3,4\n"
    (shop / "expected.csv").write_text("item,n,_start,_end\n1,1,0,4\n2,1,2,12\n1,2,4,10\n1,1,10,14\n")
    assert snapshots(shop / "counts.csv") == snapshots(shop / "expected.csv")
    (bad,) = (shop / "bad_lines.jsonl").read_text().splitlines()
    assert json.loads(bad)["line"] == "x,1,1"


def test_a_file_that_grows_is_followed_and_a_signal_ends_it(shop: Path) -> None:
    bids = shop / "bids.csv"
    with live(shop, "-s", "Bid=bids.csv", "-q", f"counts={COUNTS}", "--results", "out") as run:
        run.wait_for("which is not there yet")
        with bids.open("a", buffering=1) as file:
            file.write("item,price,ts\n1,1,0\n1,1,")
            file.write("5\n")
            file.write("2,1,30\n")
            follow(shop / "out" / "counts.csv", "1,1,10,15")
        assert run.end(signal.SIGINT) == 0
    assert any("stream Bid: 3 elements, 0 late, 0 bad lines" in line for line in run.said)


def test_killed_and_started_again_it_loses_and_repeats_nothing(shop: Path) -> None:
    bids, out = shop / "bids.csv", shop / "out" / "counts.csv"
    rows = [f"{i % 3},1,{i}\n" for i in range(300)]
    arguments = ["-s", "Bid=bids.csv", "-q", f"counts={COUNTS}", "--results", "out", "--state", "state"]
    bids.write_text("item,price,ts\n" + "".join(rows[:100]))
    with live(shop, *arguments, "--checkpoint", "0.2") as run:
        follow(out, ",97,")
        run.call("POST", "/streams/Sale?sender=till&first=0", b'{"item": 7, "ts": 1}\n')
        run.end(signal.SIGKILL)
    with bids.open("a") as file:
        file.write("".join(rows[100:200]))
    with live(shop, *arguments) as run:
        run.wait_for("goes on from state")
        assert run.call("POST", "/streams/Sale?sender=till&first=0", b'{"item": 7, "ts": 1}\n')["next"] == 1
        follow(out, ",197,")
        run.end(signal.SIGKILL)
    with bids.open("a") as file:
        file.write("".join(rows[200:]))
    with live(shop, *arguments, "--finish") as run:
        assert run.process.wait(SECONDS) == 0
    with live(shop, "-s", "Bid=bids.csv", "-q", f"counts={COUNTS}", "--results", "once", "--finish") as run:
        assert run.process.wait(SECONDS) == 0
    assert snapshots(out) == snapshots(shop / "once" / "counts.csv")


def test_queries_come_and_go_by_the_prompt(shop: Path) -> None:
    with live(shop, "--prompt", stdin=subprocess.PIPE) as run:
        assert run.process.stdin is not None
        run.process.stdin.write(
            f"add counts {COUNTS};\nadd wrong SELECT x FROM Bid\nqueries\nremove counts\nnonsense\n"
            f"heartbeat {'9' * 5000}\nquit\n"
        )
        run.process.stdin.flush()
        assert run.process.wait(SECONDS) == 0
    run.wait_for("counts is running; columns: item, n")
    run.wait_for("line 1, column 8: ")
    run.wait_for("counts: 0 results")
    run.wait_for("counts is removed")
    run.wait_for("nonsense: expected one of help, add,")
    run.wait_for("heartbeat: expected a time, a whole number, got '999")


def test_standard_input_is_a_stream_that_ends(shop: Path) -> None:
    with live(
        shop, "-s", "Bid=-", "-q", "dear=SELECT item FROM Bid WHERE price > 5", "-o", "dear=-", stdin=subprocess.PIPE
    ) as run:
        assert run.process.stdin is not None
        run.process.stdin.write('{"item": 1, "price": 9, "ts": 1}\n{"item": 2, "price": 1, "ts": 2}\n')
        run.process.stdin.close()
        run.call("POST", "/streams/Sale/end")
        assert run.process.wait(SECONDS) == 0
        assert run.process.stdout is not None
        assert run.process.stdout.read() == "item,_start,_end\n1,1,2\n"


BAD_CALLS = [
    (("-s", "Bid=bids.parquet"), "expected .csv or .jsonl; other formats cannot grow line by line"),
    (("-s", "Nix=bids.csv"), "there is no stream 'Nix'; expected one of: Bid, Sale"),
    (("-s", "Bid"), "--stream Bid: expected NAME=VALUE, such as Bid=bids.csv"),
    (("-q", "a=SELECT x FROM Bid"), "--query a: line 1, column 8: "),
    (("-q", "a=nothing.sql"), "nothing.sql: there is no such file"),
    (("-o", "a=a.csv"), "--out a=…: there is no such query"),
    (
        ("-q", "a=SELECT item FROM Bid", "-q", "b=SELECT item FROM Bid", "-o", "a=a.csv", "-o", "b=./a.csv"),
        "query 'b': the results of 'a' go to a.csv; expected a file of its own",
    ),
    (
        ("-s", "Bid=a.csv", "-q", "a=SELECT item FROM Bid", "-o", "a=a.csv"),
        "--out a=a.csv: Bid is read from this file; expected another one",
    ),
    (("-s", "Bid=a.csv", "--bad", "a.csv"), "--bad a.csv: Bid is read from this file; expected another one"),
    (("--engine", "none"), "--engine none: expected one of interval, delta, dataflow"),
    (("--engine", "delta", "--strategy", "incremental"), "--strategy: expected --engine interval or dataflow"),
    (("--listen", "here"), "--listen: expected PORT or HOST:PORT"),
    (("--listen", "0.0.0.0:0", "--token", ""), "--token '': expected letters, digits"),
    (("--token", "a;b"), "--token 'a;b': expected letters, digits"),
    (("-s", "Bid=tcp:0.0.0.0:0"), "others can connect to 0.0.0.0:0; expected --token TEXT"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), BAD_CALLS, ids=lambda part: part[0] if isinstance(part, tuple) else ""
)
def test_bad_calls_end_with_one_line(
    shop: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(shop)
    from typer.testing import CliRunner

    from equivalence.command.main import app
    from semantics import SnapeqError

    answer = CliRunner().invoke(app, ["live", str(shop / "shop.sql"), *arguments], catch_exceptions=True)
    assert isinstance(answer.exception, SnapeqError)
    assert message in str(answer.exception)


def test_a_file_that_is_none_of_the_stream_ends_the_command_with_an_error_and_not_the_other_streams(shop: Path) -> None:
    (shop / "bids.csv").write_bytes(b"\x00\r\xff\r\x80\n")
    (shop / "sales.csv").write_text("item,ts\n7,1\n")
    sold = "sold=SELECT item FROM Sale"
    with live(shop, "-s", "Bid=bids.csv", "-s", "Sale=sales.csv", "-q", sold, "-o", "sold=-", "--finish") as run:
        assert run.process.wait(SECONDS) == 2
        assert run.process.stdout is not None
        assert run.process.stdout.read() == "item,_start,_end\n7,1,2\n"
    run.wait_for("snapeq: Bid: there is no column item, price, ts")


def test_a_silent_stream_follows_the_others_if_it_is_told_to(shop: Path) -> None:
    """Nothing ever comes of Sale, and results over both streams come all the same."""
    query = "open=SELECT item FROM Bid WINDOW(RANGE 2) EXCEPT ALL SELECT item FROM Sale WINDOW(RANGE 2)"
    with live(shop, "-q", query, "--idle", "0.2") as run:
        for ts in range(SECONDS * 10):
            run.call("POST", "/streams/Bid", f'{{"item": 1, "price": 2, "ts": {ts}}}\n'.encode())
            if run.call("GET", "/queries/open")["results"]:
                break
            time.sleep(0.1)
        else:
            pytest.fail("no result came")
        assert run.end() == 0


def test_a_port_in_use_is_an_error_that_says_so(shop: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with live(shop, "--listen", str(port)) as run:
            assert run.process.wait(SECONDS) == 2
    run.wait_for(f"127.0.0.1:{port}: Address already in use; expected a free port of this machine")


def test_others_must_show_the_token(shop: Path) -> None:
    with live(shop, "--listen", "0.0.0.0:0") as run:
        token = run.wait_for("snapeq: token ").rpartition(" ")[2]
        port = run.address().rpartition(":")[2]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=SECONDS)
        with refused.value as answer:
            assert answer.code == 401
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            assert json.load(answer)["engine"] == "interval"
        assert run.end() == 0


def guide_examples() -> list[tuple[list[str], str]]:
    """The commands of the guide that are shown with what they print."""
    lines = (ROOT / "docs" / "live.md").read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines):
        if line.startswith("    $ snapeq "):
            printed = takewhile(lambda text: text.startswith("    "), lines[number + 1 :])
            found.append(
                (shlex.split(line.removeprefix("    $ snapeq ")), "".join(f"{text.strip()}\n" for text in printed))
            )
    return found


@pytest.mark.parametrize(("arguments", "printed"), guide_examples())
def test_the_guide_shows_what_happens(tmp_path: Path, arguments: list[str], printed: str) -> None:
    command = [sys.executable, "-m", "equivalence.command.main", *arguments, "--bad", str(tmp_path / "bad.jsonl")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert (answer.returncode, answer.stdout) == (0, printed)


def test_the_guide_has_such_an_example() -> None:
    assert len(guide_examples()) == 1


KEYED = """CREATE STREAM Bid(item INT {constraint}, price FLOAT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Sale(item INT REFERENCES Bid(item), ts BIGINT) ORDERED BY ts;
"""


def chosen(tmp_path: Path, constraint: str, sql: str) -> tuple[tuple[str, ...], list[list[Any]]]:
    """The rules that were applied to a query, and its answer over bids one of which comes twice."""
    (tmp_path / "keyed.sql").write_text(KEYED.format(constraint=constraint))
    with start_live(LiveOptions(tmp_path / "keyed.sql", bad=tmp_path / "bad.jsonl")) as run:
        query = run.system.add("q", sql)
        run.system.accept(SentLines("Bid", "test", ("item", "price", "ts"), b"1,9,0\n1,9,0\n2,9,0\n", "", 3))
        run.system.end()
        _, batches = query.buffer.after(0)
        return query.choice.steps, sorted(list(row) for b in batches for row, _ in b.to_interval().elements)


@pytest.mark.parametrize(("constraint", "used"), [("PRIMARY KEY", True), ("ONCE", True), ("", False)])
def test_the_optimizer_relies_on_constraints_that_all_rows_keep(tmp_path: Path, constraint: str, used: bool) -> None:
    steps, answer = chosen(tmp_path, constraint, "SELECT DISTINCT item, price FROM Bid")
    assert ("keyed-rows-are-distinct" in steps) == used
    assert answer == [[1, 9.0], [2, 9.0]]


def test_what_is_not_checked_is_said_and_not_relied_on(tmp_path: Path) -> None:
    (tmp_path / "keyed.sql").write_text(KEYED.format(constraint="PRIMARY KEY"))
    sql = "SELECT S.item FROM Sale AS S WHERE EXISTS (SELECT * FROM Bid AS B WHERE B.item = S.item)"
    with start_live(LiveOptions(tmp_path / "keyed.sql")) as run:
        assert any("Sale REFERENCES Bid is not checked" in line for line in run.description())
        query = run.system.add("q", sql)
        run.system.accept(SentLines("Sale", "test", ("item", "ts"), b"1,0\n", "", 1))
        run.system.end()
        assert query.buffer.after(0)[1] == []
