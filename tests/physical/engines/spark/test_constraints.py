"""What CREATE statements promise, looked for by jobs: the messages of one machine, without the line."""

from pathlib import Path

import pytest

from tests.equivalence.command.command import Ran, snapeq

QUERY = (
    "CREATE TABLE Cat(id INT PRIMARY KEY, name TEXT NOT NULL); "
    "CREATE STREAM Auction(id INT UNIQUE, cat INT REFERENCES Cat(id), opened BIGINT, closed BIGINT) "
    "VALID (opened, closed); "
    "SELECT A.id, name FROM Auction A, Cat C WHERE A.cat = C.id"
)
GOOD = {"Cat": "id,name\n6,x\n7,y\n", "Auction": "id,cat,opened,closed\n1,6,0,5\n,7,1,\n,7,1,\n1,,5,9\n"}


def run(folder: Path, **changed: str) -> Ran:
    streams = []
    for name, text in {**GOOD, **changed}.items():
        (folder / f"{name}.csv").write_text(text)
        streams += ["--stream", f"{name}={folder / name}.csv"]
    return snapeq("run", QUERY, *streams, "--engine", "spark")


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("Auction", "1,6,4,7\n", "(1,) at 4 breaks UNIQUE (id): another row has it at that time, too;"),
        ("Auction", "3,9,2,3\n", "column cat: (3, 9) refers to nothing in Cat(id) at 2; expected values of Cat(id)"),
    ],
)  # fmt: skip
def test_a_broken_promise_ends_it(name: str, more: str, message: str, tmp_path: Path) -> None:
    ran = run(tmp_path, **{name: GOOD[name] + more})
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"{name}.csv: {message}" in ran.err


@pytest.mark.usefixtures("spark")
def test_promises_that_are_kept(tmp_path: Path) -> None:
    ran = run(tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[1:] == ['1,"x",0,5,1', ',"y",1,,2']
    alone = "CREATE TABLE C(id INT); CREATE STREAM A(c INT REFERENCES C(id), t INT) ORDERED BY t; SELECT c FROM A"
    (tmp_path / "a.csv").write_text("c,t\n3,0\n")
    lacking = snapeq("run", alone, "--stream", f"A={tmp_path / 'a.csv'}", "--engine", "spark")
    assert (lacking.code, lacking.err) == (0, "snapeq: A REFERENCES C: not checked, C is not given\n")
