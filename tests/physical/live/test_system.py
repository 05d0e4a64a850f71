"""A system as a whole, without threads: records in, results out; state on disk; killed and taken up again."""

from collections import Counter
from pathlib import Path
from threading import Event, Thread

import pytest

from physical.columns.stream import PhysicalStream
from physical.live.records import AddQuery, FileLines, Heartbeat, Record, RemoveQuery, decoded, encoded
from physical.live.results import GrowingFile
from physical.live.running_query import PlanChoice, RunningQuery, Situation
from physical.live.settings import ENGINES, Limits, Settings
from physical.live.system import Broken, LiveSystem, NoRoom
from semantics import Plan, Schema, SnapeqError, Type, parse_plan
from semantics.expression import ScalarFunction
from semantics.sql import SqlError
from tests.physical.live.systems import CATALOGUE, COUNTS, JOINED, TABLE, bids, kill, new_system, rows_of, sales

ALL_SETTINGS = [Settings(engine) for engine in ENGINES] + [
    Settings(engine, strategy) for engine in ("interval", "dataflow") for strategy in ("incremental", "reevaluate")
]
RECORDS: list[Record] = [
    AddQuery("counts", COUNTS),
    bids((1, 9.5, 0), (2, 3.0, 2), (1, 20.0, 4)),
    AddQuery("joined", JOINED),
    sales((1, "ann", 3), (2, "bob", 6)),
    bids(("x", 0, 0), (2, 1.0, 7), (1, 2.0, 1), (3, 8.0, 13)),
    Heartbeat(13, "Sale"),
    sales((3, "cid", 14), (1, "dan", 21)),
    RemoveQuery("counts"),
    AddQuery("late", "SELECT item FROM Bid WINDOW(RANGE 3)"),
    bids((5, 5.0, 20), (1, 5.0, 22)),
    Heartbeat(40),
]


def results_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("*.csv"))}


def run_all(system: LiveSystem, records: list[Record]) -> None:
    for record in records:
        system.accept(record)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    text = encoded(record)
    assert decoded(b"123" + text + b"rest", 3) == (record, 3 + len(text))
    assert all(decoded(text[:cut], 0) is None for cut in range(len(text)))


def test_results_come_out_as_soon_as_they_are_final() -> None:
    system = new_system()
    query = system.add("counts", COUNTS)
    system.accept(bids((1, 9.5, 0), (1, 3.0, 4)))
    system.heartbeat(4)
    assert rows_of(query) == [(1, 1, 0, 4)]
    system.end()
    assert rows_of(query) == [(1, 1, 0, 4), (1, 2, 4, 10), (1, 1, 10, 14)]


def test_late_elements_and_bad_lines_are_counted(tmp_path: Path) -> None:
    system = new_system(settings=Settings(slack=2), bad=tmp_path / "bad.jsonl")
    receipt = system.accept(bids((1, 1.0, 10), ("x", 1.0, 11), (1, 1.0, 8), (1, 1.0, 9)))
    assert (receipt.elements, receipt.bad, receipt.late) == (3, 1, 0)
    assert system.accept(bids((1, 1.0, 7))).late == 1
    assert "'x' does not fit" in (tmp_path / "bad.jsonl").read_text()


@pytest.mark.parametrize("settings", ALL_SETTINGS, ids=lambda s: f"{s.engine}-{s.strategy}")
def test_killed_after_any_record_it_goes_on_as_if_nothing_had_happened(tmp_path: Path, settings: Settings) -> None:
    """Nothing is closed: what is on disk after each record is all that a killed system leaves."""
    expected_folder, folder = tmp_path / "expected", tmp_path / "out"
    for path in (expected_folder, folder):
        path.mkdir()
    run_all(new_system(settings=settings, folder=expected_folder), RECORDS)
    for number, record in enumerate(RECORDS):
        system = new_system(tmp_path / "state", settings, folder=folder)
        assert system.core.records == number
        if number % 4 == 2:
            assert system.checkpoint()
        system.accept(record)
        kill(system)
    assert results_in(folder) == results_in(expected_folder)
    assert len(results_in(folder)) == 3


def test_what_was_written_but_not_logged_is_written_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    system = new_system(tmp_path / "state", folder=out)
    run_all(system, RECORDS[:2])
    kill(system)
    with (out / "counts.csv").open("ab") as file:
        file.write(b"1,2,half a li")
    again = new_system(tmp_path / "state", folder=out)
    run_all(again, RECORDS[2:])
    expected = tmp_path / "expected"
    expected.mkdir()
    run_all(new_system(folder=expected), RECORDS)
    assert results_in(out) == results_in(expected)


def test_a_record_that_was_cut_by_the_crash_is_dropped(tmp_path: Path) -> None:
    system = new_system(tmp_path / "state")
    run_all(system, RECORDS[:3])
    kill(system)
    log = next((tmp_path / "state").glob("log.*"))
    log.write_bytes(log.read_bytes()[:-5])
    again = new_system(tmp_path / "state")
    assert again.replayed == 2
    again.accept(RECORDS[2])
    assert again.core.queries.keys() == {"counts", "joined"}


@pytest.mark.parametrize("done", [True, False], ids=["the checkpoint is saved", "killed before it is saved"])
def test_a_slow_disk_holds_nobody_up_while_a_checkpoint_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    system = new_system(tmp_path / "state")
    run_all(system, RECORDS[:3])
    waiting, go_on = Event(), Event()

    def slow(_: int) -> None:
        waiting.set()
        assert go_on.wait(30)
        if not done:
            raise OSError(5, "the power is gone")

    monkeypatch.setattr("physical.live.state_folder.os.fsync", slow)
    saving = Thread(target=system.checkpoint)
    saving.start()
    assert waiting.wait(30)
    system.accept(RECORDS[3])
    go_on.set()
    saving.join(30)
    kill(system)
    again = new_system(tmp_path / "state")
    assert again.core.records == 4
    assert again.replayed == (1 if done else 4)


def test_a_state_that_cannot_be_saved_is_replayed(tmp_path: Path) -> None:
    """A function that pickle does not know makes checkpoints impossible; the log has everything."""
    twice = ScalarFunction("twice", (Type.INT,), Type.INT, lambda x: 2 * x)
    first = new_system(tmp_path, functions=[twice])
    first.add("double", "SELECT twice(item) AS item FROM Bid")
    first.accept(bids((4, 1.0, 1)))
    assert not first.checkpoint()
    assert "lambda" in first.checkpoint_problem
    kill(first)
    again = new_system(tmp_path, functions=[twice])
    again.accept(bids((5, 1.0, 2)))
    again.end()
    assert rows_of(again.core.queries["double"]) == [(8, 1, 2), (10, 2, 3)]


def test_a_folder_serves_one_system_and_the_same_options(tmp_path: Path) -> None:
    system = new_system(tmp_path)
    with pytest.raises(SnapeqError, match="another system is using it"):
        new_system(tmp_path)
    kill(system)
    with pytest.raises(SnapeqError, match="--engine delta instead of interval"):
        new_system(tmp_path, Settings("delta"))


def test_a_state_belongs_to_its_streams(tmp_path: Path) -> None:
    kill(new_system(tmp_path))
    with pytest.raises(SnapeqError, match="declared in another way"):
        new_system(tmp_path, catalogue="CREATE STREAM Bid(item TEXT, price FLOAT, ts BIGINT) ORDERED BY ts")


def test_a_query_that_is_wrong_is_not_logged(tmp_path: Path) -> None:
    system = new_system(tmp_path)
    with pytest.raises(SqlError, match="line 1, column 8"):
        system.add("wrong", "SELECT nothing FROM Bid")
    with pytest.raises(SnapeqError, match="expected a name of letters"):
        system.add("../wrong", COUNTS)
    system.add("counts", COUNTS)
    with pytest.raises(SnapeqError, match="there is a query 'counts' already"):
        system.add("counts", COUNTS)
    assert system.core.records == 1


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (RemoveQuery("none"), "there is no query 'none'"),
        (Heartbeat(3, "None"), "there is no stream 'None'"),
        (Heartbeat(1, "Bid"), "must not go back before 5"),
        (FileLines("Bid", "/nowhere/bids.csv", 0, 4), "expected the file that was read before"),
    ],
)
def test_records_that_make_no_sense_are_refused(record: Record, message: str) -> None:
    system = new_system()
    system.accept(bids((1, 1.0, 5)))
    with pytest.raises(SnapeqError, match=message):
        system.accept(record)
    assert system.core.records == 1


def test_while_too_much_is_held_elements_and_queries_are_refused() -> None:
    system = new_system(limits=Limits(state_bytes=1))
    system.add("all", "SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 1000) GROUP BY item")
    system.accept(bids((1, 1.0, 0), (2, 1.0, 1)))
    system.heartbeat(1)
    with pytest.raises(NoRoom, match="remove a query, or send a heartbeat"):
        system.accept(bids((3, 1.0, 2)))
    with pytest.raises(NoRoom):
        system.add("more", COUNTS)
    system.remove("all")
    assert system.accept(bids((3, 1.0, 2))).elements == 1


def test_a_sender_that_repeats_itself_is_heard_once() -> None:
    system = new_system()
    system.sent(bids((1, 1.0, 0), (1, 1.0, 1), sender="till"), first=0)
    assert system.sent(bids((1, 1.0, 1), (1, 1.0, 2), sender="till"), first=1).elements == 1
    assert system.sent(bids((1, 1.0, 1), sender="till"), first=1).elements == 0
    with pytest.raises(SnapeqError, match="expected line 3 next, got line 5"):
        system.sent(bids((1, 1.0, 9), sender="till"), first=5)


def test_tables_are_seen_by_queries_that_come_later(tmp_path: Path) -> None:
    schema = Schema.of(id=int, name=str)
    from semantics import FOREVER, Interval

    items = PhysicalStream.from_elements(schema, [((1, "vase"), Interval(0, FOREVER))])
    sql = "SELECT name FROM Bid WINDOW(RANGE 5), Item WHERE item = id"
    system = new_system(tmp_path, tables={"Item": items}, catalogue=CATALOGUE + TABLE)
    first = system.add("first", sql)
    system.accept(bids((1, 1.0, 0)))
    second = system.add("second", sql)
    system.accept(bids((1, 1.0, 10)))
    system.end()
    assert rows_of(first) == [("vase", 0, 5), ("vase", 10, 15)]
    assert rows_of(second) == [("vase", 10, 15)]


def test_the_plan_that_runs_is_the_one_that_was_chosen() -> None:
    def choose(plan: Plan, _: Situation) -> PlanChoice:
        return PlanChoice(plan, 1.0, 2.0, ("nothing",))

    system = new_system(optimise=choose)
    assert system.add("counts", COUNTS).choice.steps == ("nothing",)
    assert system.add("plain", COUNTS, optimise=False).choice.steps == ()


def test_a_plan_is_exchanged_while_it_runs_and_a_crash_does_not_matter(tmp_path: Path) -> None:
    def earlier_filter(_plan: Plan, _: Situation) -> PlanChoice:
        better = parse_plan("Bid(item int, price float) | filter(price > 5) | window(range 10) | map(item as item)")
        return PlanChoice(better, 1.0, 2.0, ("filter-through-window",))

    sql = "SELECT item FROM Bid WINDOW(RANGE 10) WHERE price > 5"
    rows = [bids((t, 9.0 * (t % 2), t)) for t in range(30)]
    plain = new_system()
    expected = plain.add("dear", sql)
    run_all(plain, [*rows, Heartbeat(50)])
    system = new_system(tmp_path, optimise=earlier_filter)
    system.add("dear", sql, optimise=False)
    run_all(system, list(rows[:8]))
    system.migrate("dear")
    with pytest.raises(SnapeqError, match="there is no query 'none'"):
        system.migrate("none")
    run_all(system, list(rows[8:12]))
    kill(system)
    again = new_system(tmp_path, optimise=earlier_filter)
    run_all(again, [*rows[12:], Heartbeat(50)])
    query = again.core.queries["dear"]
    assert query.choice.steps == ("filter-through-window",)
    assert query.takes_over == 18
    assert snapshots(query) == snapshots(expected)


def snapshots(query: RunningQuery) -> Counter[tuple[object, int]]:
    """What holds at every instant: where results are cut in time does not matter."""
    return Counter((row, t) for *row_, start, end in rows_of(query) for row in [tuple(row_)] for t in range(start, end))


@pytest.mark.parametrize("settings", ALL_SETTINGS, ids=lambda s: f"{s.engine}-{s.strategy}")
def test_a_query_that_fails_is_stopped_and_the_others_go_on(tmp_path: Path, settings: Settings) -> None:
    records: list[Record] = [
        AddQuery("items", "SELECT item FROM Bid WINDOW(RANGE 4)"),
        AddQuery("huge", "SELECT item * item AS square FROM Bid WINDOW(RANGE 4)"),
        AddQuery("counts", "SELECT COUNT(*) AS n FROM Bid WINDOW(RANGE 4)"),
        bids((3, 1.0, 0)),
        bids((2**40, 1.0, 1), (5, 1.0, 2)),
        bids((6, 1.0, 9)),
        Heartbeat(20),
    ]
    alone = new_system(settings=settings)
    run_all(alone, [record for record in records if record != records[1]])
    system = new_system(tmp_path, settings)
    run_all(system, records)
    assert system.core.queries.keys() == {"items", "counts"}
    assert "overflow" in system.core.failed["huge"] or "64" in system.core.failed["huge"]
    for name, query in system.core.queries.items():
        assert snapshots(query) == snapshots(alone.core.queries[name])
    kill(system)
    assert new_system(tmp_path, settings).core.failed == system.core.failed


def test_when_a_result_cannot_be_written_it_stops_and_started_again_it_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    system = new_system(tmp_path / "state", folder=out)
    system.add("items", "SELECT item FROM Bid")
    system.accept(bids((1, 1.0, 0)))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "items.csv")

    with monkeypatch.context() as disk:
        disk.setattr(GrowingFile, "write", full)
        with pytest.raises(Broken, match=r"items\.csv: No space left on device"):
            system.accept(bids((2, 1.0, 1)))
    with pytest.raises(Broken):
        system.accept(bids((3, 1.0, 2)))
    assert not system.checkpoint()
    kill(system)
    new_system(tmp_path / "state", folder=out).accept(bids((3, 1.0, 2)))
    assert (out / "items.csv").read_text() == "item,_start,_end\n1,0,1\n2,1,2\n3,2,3\n"


def test_senders_are_not_remembered_without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("physical.live.system.MAX_SENDERS", 1)
    system = new_system()
    system.sent(bids((1, 1.0, 0), sender="till"))
    with pytest.raises(SnapeqError, match="there are 1 senders already"):
        system.sent(bids((1, 1.0, 0), sender="desk"))
    with pytest.raises(SnapeqError, match="at most 64 characters"):
        system.sent(bids((1, 1.0, 0), sender="x" * 65))
