"""The plan that runs for a query over files: another one where that is cheaper, with the same result."""

from pathlib import Path

import pytest

from equivalence.optimizer.measure import measured
from equivalence.query_files.chosen_plan import chosen_plan
from equivalence.query_files.query_over_files import QueryOverFiles, read_query
from equivalence.query_files.stream_files import named_files, readers
from physical import PhysicalStream
from physical.files.reader import FileReader
from semantics import parse
from semantics.plan import Join
from tests.equivalence.command.command import snapeq

SCHEMA = """
CREATE STREAM Open(item INT ONCE, seller INT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Bid(item INT, price FLOAT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Closed(item INT, ts BIGINT) ORDERED BY ts;
"""
SELLERS = """SELECT P.item, O.seller, MAX(P.price) AS highest
FROM Bid WINDOW(RANGE 100) P, Closed C, Open O WINDOW(RANGE 100)
WHERE P.item = C.item AND C.item = O.item GROUP BY P.item, O.seller"""
FILES = ("Open=open.csv", "Bid=bid.csv", "Closed=closed.csv")
GIVEN = tuple(part for file in FILES for part in ("--stream", file))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _write("open.csv", "item,seller,ts", [f"{i},{i % 3},{i}" for i in range(40)])
    _write("bid.csv", "item,price,ts", [f"{i % 5},{i % 7}.5,{i // 8}" for i in range(800)])
    _write("closed.csv", "item,ts", [f"{i},{i * 2}" for i in range(40)])


def _write(name: str, header: str, lines: list[str]) -> None:
    Path(name).write_text("\n".join([header, *lines]) + "\n")


def _asked(query: str) -> tuple[QueryOverFiles, dict[str, FileReader]]:
    read = read_query(SCHEMA + query)
    return read, readers(named_files(FILES, read), read)


def test_the_optimised_plan_runs_and_gives_the_same() -> None:
    query, files = _asked(SELLERS)
    assert chosen_plan(query, files).plan != query.plan
    results = [snapeq("run", SCHEMA + SELLERS, *GIVEN, *more).out for more in ((), ("--no-optimize",))]
    assert results[0] == results[1] == snapeq("run", SCHEMA + SELLERS, *GIVEN, "--engine", "reference").out
    assert len(results[0].splitlines()) == 1 + 5


def test_check_runs_it_too_unless_told_not_to() -> None:
    Path("right.csv").write_text(snapeq("run", SCHEMA + SELLERS, *GIVEN).out)
    for more in ((), ("--no-optimize",)):
        assert snapeq("check", SCHEMA + SELLERS, *GIVEN, "--output", "right.csv", *more).code == 0


def test_explain_shows_the_plan_that_runs_for_these_files() -> None:
    query, files = _asked(SELLERS)
    shown = snapeq("explain", SCHEMA + SELLERS, *GIVEN).out
    assert f"cost {chosen_plan(query, files).original_cost:.4g} → {chosen_plan(query, files).cost:.4g}" in shown
    assert all(f"  by {step.rule}\n" in shown for step in chosen_plan(query, files).derivation)


def test_the_first_join_is_that_with_the_stream_of_few_rows() -> None:
    """Which stream that is, only the files tell."""
    three = """SELECT P.item FROM Bid WINDOW(RANGE 90) P, Open WINDOW(RANGE 90) O, Closed WINDOW(RANGE 90) C
    WHERE P.item = O.item AND P.item = C.item"""
    _write("closed.csv", "item,ts", ["1,99"])
    query, files = _asked(three)
    few = _joined_first(chosen_plan(query, files).plan)
    _write("closed.csv", "item,ts", [f"{i % 50},{i // 40}" for i in range(4000)])
    query, files = _asked(three)
    many = _joined_first(chosen_plan(query, files).plan)
    assert "Closed" in few
    assert "Closed" not in many


def _joined_first(plan: object) -> set[str]:
    from semantics import Plan

    assert isinstance(plan, Plan)
    joins = [node for node in plan.walk() if isinstance(node, Join)]
    return min((set(join.sources()) for join in joins), key=len)


def test_measured_rows_say_how_many_come_how_long_they_hold_and_what_they_are() -> None:
    found = measured(PhysicalStream.of(parse("interval(x int, y int): (1, 1)@[0, 4) (1, 2)@[0, 4) (2, 3)@[9, 11)")))
    assert (found.rate, found.length) == (0.3, 10 / 3)
    assert found.distinct["x"] < found.distinct["y"]


def test_rows_of_a_table_are_there_once() -> None:
    found = measured(PhysicalStream.of(parse("interval(x int): (1)@[0, ∞) (2)@[0, ∞)")))
    assert found.rate * found.length == pytest.approx(2)


@pytest.mark.parametrize(
    ("declared", "file", "message"),
    [
        ("item INT ONCE", "item,ts\n1,0\n2,1\n1,7\n", "line 4: (1,) at 7 breaks ONCE (item): a row above has it, too"),
        ("item INT, ONCE (item)", "item,ts\n1,0\n,1\n", "line 3, column item: NULL breaks ONCE"),
    ],
)
def test_a_key_that_comes_again_is_refused(declared: str, file: str, message: str) -> None:
    Path("s.csv").write_text(file)
    query = f"CREATE STREAM S({declared}, ts BIGINT) ORDERED BY ts; SELECT item FROM S"
    ran = snapeq("run", query, "--stream", "S=s.csv")
    assert ran.code == 2
    assert message in ran.err


def test_once_is_about_streams_of_single_instants() -> None:
    ran = snapeq("equiv", "CREATE TABLE T(x INT ONCE); SELECT x FROM T", "SELECT x FROM T")
    assert ran.code == 2
    assert "ONCE is about streams whose rows hold for one instant" in ran.err
