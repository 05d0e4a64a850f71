"""What `check` does not do on Spark is refused before Spark is started, with what to do instead."""

from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq

STREAM = "CREATE STREAM Bid(item TEXT, ts BIGINT) ORDERED BY ts; "
VIEW = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE UNBOUNDED) GROUP BY item"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object, **__: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("equivalence.command.check.check_on_spark", start)
    monkeypatch.setattr("equivalence.command.check.judged_on_spark", start)
    Path("bids.csv").write_text("item,ts\nA,1\n")
    Path("intervals.csv").write_text("item,cnt,_start,_end\nA,1,1,\n")
    Path("log.csv").write_text("op,item,cnt,ts\n+I,A,1,1\n")


def refused(output: str, *options: str) -> str:
    found = snapeq("check", VIEW, "--stream", "Bid=bids.csv", "--output", output, "--engine", "spark", *options)
    assert (found.code, found.out) == (2, "")
    return found.err


@pytest.mark.parametrize("kind", ["panes", "events", "retract", "debezium", "upsert", "updates", "snapshot"])
def test_recordings_of_all_kinds_come_to_spark(kind: str) -> None:
    with pytest.raises(AssertionError, match="Spark was started"):
        refused("log.csv", "--as", kind)


def test_a_file_of_another_kind_shows_it() -> None:
    with pytest.raises(AssertionError, match="Spark was started"):
        refused("log.csv")


@pytest.mark.parametrize(
    "options",
    [
        ("--tolerance", "0.1"),
        ("--input-as", "Bid=upsert"),
        ("--suggest-input",),
        ("--watermark", "ts", "--late", "keep"),
    ],
    ids=lambda options: options[0],
)
def test_no_option_of_a_recording_is_ignored(options: tuple[str, ...]) -> None:
    message = refused("log.csv", "--as", "retract", *options)
    assert message.startswith(f"snapeq: {options[0]}")
    assert "not with --engine spark; expected --engine interval" in message


@pytest.mark.parametrize(
    "options",
    [
        *(("--key", "item"), ("--at", "5"), ("--columns", "item,cnt"), ("--tolerance", "0.1"), ("--offset", "3")),
        *(("--window-start", "a"), ("--window-end", "a"), ("--op", "a"), ("--time", "a")),
        *(("--input-as", "Bid=upsert"), ("--html", "page.html"), ("--suggest-input",)),
    ],
    ids=lambda options: options[0],
)
def test_no_option_is_ignored(options: tuple[str, ...]) -> None:
    assert refused("intervals.csv", *options).startswith(f"snapeq: {options[0]}: not with --engine spark; expected ")


def test_an_unknown_kind_is_told_the_known_ones() -> None:
    assert "--as tables: expected one of: panes, events" in refused("log.csv", "--as", "tables")


def test_intervals_come_to_spark() -> None:
    with pytest.raises(AssertionError, match="Spark was started"):
        refused("intervals.csv", "--as", "intervals")
