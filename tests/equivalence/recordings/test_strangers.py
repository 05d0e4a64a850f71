"""Recordings as sinks, connectors and terminals write them: each is right as it is, and its wrong sibling is not."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from equivalence.recordings.check_recording import check_recording
from semantics import SnapeqError
from tests.equivalence.command.command import snapeq

STREAM = "CREATE STREAM Bid(item TEXT, ts TIMESTAMP) ORDERED BY ts; "
PANES = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE 10 MINUTES) GROUP BY item"
VIEW = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE UNBOUNDED) GROUP BY item"
EIGHT = 1586937600
BIDS = [(300, "A"), (420, "A"), (540, "Zoe"), (600, "A")]
WINDOWS = [(0, "A", 2), (0, "Zoe", 1), (600, "A", 1)]
CHANGES: list[tuple[int, dict[str, Any] | None, dict[str, Any]]] = [
    (300, None, {"item": "A", "cnt": 1}),
    (420, {"item": "A", "cnt": 1}, {"item": "A", "cnt": 2}),
    (540, None, {"item": "Zoe", "cnt": 1}),
    (600, {"item": "A", "cnt": 2}, {"item": "A", "cnt": 3}),
]


def at(seconds: int, form: str = "%Y-%m-%d %H:%M:%S", zone: int = 0) -> str:
    return datetime.fromtimestamp(EIGHT + seconds + zone * 3600, UTC).strftime(form)


def ms(seconds: int) -> int:
    return (EIGHT + seconds) * 1000


def lines(rows: Sequence[Any]) -> str:
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def signed(add: Any, take: Any) -> str:
    """The changes one by one: `take` of the old row, if there is one, and `add` of the new one."""
    return lines([row for t, old, new in CHANGES for row in ([take(old, t)] if old else []) + [add(new, t)]])


def paned(row: Any) -> str:
    return lines([row(start, item, n) for start, item, n in WINDOWS])


def spark_window(start: int) -> dict[str, str]:
    form = "%Y-%m-%dT%H:%M:%S.000+02:00"
    return {"start": at(start, form, 2), "end": at(start + 600, form, 2)}


RULE = "+----+---------------------+---------------------+------+-----+\n"
ENVELOPES = [
    {"before": old, "after": new, "op": "u" if old else "c", "ts_ms": ms(t), "source": {"db": "x"}}
    for t, old, new in CHANGES
]
GONE = {"item": "X", "cnt": 9}
DELETION = [
    {"before": None, "after": GONE, "op": "c", "ts_ms": ms(700)},
    {"before": GONE, "after": None, "op": "d", "ts_ms": ms(700)},
]

RECORDINGS = {
    "Flink's filesystem sink, JSON without an ending": (
        PANES, "part-7d5-0-0",
        paned(lambda s, i, n: {"window_start": at(s), "window_end": at(s + 600), "item": i, "cnt": n}), {},
    ),
    "Spark's windows with the offset of a session": (
        PANES, "part-0.json", paned(lambda s, i, n: {"window": spark_window(s), "item": i, "cnt": n}), {},
    ),
    "Spark's windows as columns start and end": (
        PANES, "part-0.csv", "start,end,item,cnt\n" + paned(lambda s, i, n: f"{at(s)},{at(s + 600)},{i},{n}"), {},
    ),
    "milliseconds since 1970": (
        PANES, "ms.csv", "window_end,item,cnt\n" + paned(lambda s, i, n: f"{ms(s + 600)},{i},{n}"), {},
    ),
    "microseconds since 1970": (
        PANES, "us.csv", "window_end,item,cnt\n" + paned(lambda s, i, n: f"{ms(s + 600)}000,{i},{n}"), {},
    ),
    "Kafka Connect's schema and payload": (
        PANES, "connect.jsonl",
        paned(lambda s, i, n: {"schema": {}, "payload": {"window_end": ms(s + 600), "item": i, "cnt": n}}),
        {},
    ),
    "ksqlDB's push query": (
        PANES, "push.jsonl",
        lines([{"queryId": "q", "columnNames": ["ITEM", "WINDOWSTART", "WINDOWEND", "CNT"]}])
        + paned(lambda s, i, n: [i, ms(s), ms(s + 600), n]), {},
    ),
    "a table of Flink's SQL client": (
        PANES, "client.txt",
        RULE + "| op | window_start | window_end | item | cnt |\n" + RULE
        + paned(lambda s, i, n: f"| +I | {at(s)} | {at(s + 600)} | {i} | {n} |") + RULE + "3 rows in set\n", {},
    ),
    "a table of Spark's console": (
        PANES, "console.txt",
        "-----\nBatch: 0\n-----\n+-----+----+---+\n|window|item|cnt|\n+-----+----+---+\n"
        + paned(lambda s, i, n: f"|{{{at(s)}, {at(s + 600)}}}|{i}   |{n}  |") + "+-----+----+---+\n\n", {},
    ),
    "a table of psql": (
        PANES, "psql.txt",
        " item | window_end | cnt \n------+------------+-----\n"
        + paned(lambda s, i, n: f" {i} | {at(s + 600)} | {n}") + "(3 rows)\n\n", {},
    ),
    "envelopes of Debezium with schema and payload": (
        VIEW, "topic.jsonl", lines([{"schema": {"type": "struct"}, "payload": envelope} for envelope in ENVELOPES]), {},
    ),
    "envelopes with a tombstone after a deletion": (
        VIEW, "topic.jsonl", lines([*ENVELOPES, *DELETION, "null"]), {},
    ),
    "Flink's debezium-json": (
        VIEW, "flink.jsonl",
        signed(lambda r, *_: {"before": None, "after": r, "op": "c"},
               lambda r, *_: {"before": r, "after": None, "op": "d"}),
        {"at": EIGHT + 600},
    ),
    "Flink's changelog-json": (
        VIEW, "changelog.jsonl",
        signed(lambda r, *_: {"data": r, "op": "+U"}, lambda r, *_: {"data": r, "op": "-U"}), {"at": EIGHT + 600},
    ),
    "Canal": (
        VIEW, "canal.jsonl",
        signed(lambda r, *_: {"data": [r], "type": "INSERT"}, lambda r, *_: {"data": [r], "type": "DELETE"}),
        {"at": EIGHT + 600},
    ),
    "Feldera's insert and delete": (
        VIEW, "feldera.jsonl", signed(lambda r, *_: {"insert": r}, lambda r, *_: {"delete": r}), {"at": EIGHT + 600},
    ),
    "records of upsert-kafka with a tombstone": (
        VIEW, "records.jsonl",
        lines([{"key": {"item": new["item"]}, "value": new, "timestamp": ms(t)} for t, _, new in CHANGES]
              + [{"key": {"item": "X"}, "value": None, "timestamp": ms(700)}]), {},
    ),
    "kcat's records, which are JSON in texts": (
        VIEW, "kcat.jsonl",
        lines([{"topic": "t", "partition": 0, "offset": i, "ts": ms(t), "key": new["item"], "payload": json.dumps(new)}
               for i, (t, _, new) in enumerate(CHANGES)] + [{"ts": ms(700), "key": "X", "payload": None}]),
        {},
    ),
    "keys and values of the console consumer": (
        VIEW, "consumer.txt",
        lines([f'{{"item": "{new["item"]}"}}\t{json.dumps(new)}' for _, _, new in CHANGES] + ['{"item": "X"}\tnull']),
        {"at": EIGHT + 600},
    ),
    "RisingWave's subscription": (
        VIEW, "cursor.jsonl",
        signed(lambda r, t: {**r, "op": "UpdateInsert", "rw_timestamp": ms(t)},
               lambda r, t: {**r, "op": "UpdateDelete", "rw_timestamp": ms(t)}), {},
    ),
    "Avro's JSON, with a type beside each value": (
        VIEW, "avro.jsonl",
        lines([{"item": {"string": new["item"]}, "cnt": {"long": new["cnt"]}, "op": op, "ts_ms": ms(t)}
               for t, _, new in CHANGES for op in ["+U"]]),
        {"kind": "upsert", "key": ["item"]},
    ),
    "Materialize's SUBSCRIBE as tabs": (
        VIEW, "subscribe.tsv",
        "mz_timestamp\tmz_diff\titem\tcnt\n"
        + signed(lambda r, t: f"{ms(t)}\t1\t{r['item']}\t{r['cnt']}",
                 lambda r, t: f"{ms(t)}\t-1\t{r['item']}\t{r['cnt']}"),
        {},
    ),
    "SUBSCRIBE with progress": (
        VIEW, "progress.csv",
        "mz_timestamp,mz_progressed,mz_diff,item,cnt\n"
        + signed(lambda r, t: f"{ms(t)},f,1,{r['item']},{r['cnt']}\n{ms(t) + 1},t,,,",
                 lambda r, t: f"{ms(t)},f,-1,{r['item']},{r['cnt']}"), {},
    ),
    "SUBSCRIBE … ENVELOPE UPSERT": (
        VIEW, "upsert.csv",
        "mz_timestamp,mz_state,item,cnt\n"
        + lines([f"{ms(t)},upsert,{new['item']},{new['cnt']}" for t, _, new in CHANGES] + [f"{ms(700)},delete,X,"]), {},
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bids.csv").write_text("item,ts\n" + lines([f"{item},{at(t)}" for t, item in BIDS]))


def holds(query: str, name: str, text: str, options: dict[str, Any]) -> bool:
    Path(name).write_text(text)
    return check_recording(query, {"Bid": "bids.csv"}, name, **options).holds


@pytest.mark.parametrize("case", RECORDINGS)
def test_right_as_it_is_and_wrong_with_another_item(case: str) -> None:
    query, name, text, options = RECORDINGS[case]
    first, _, rest = text.rpartition("Zoe")
    assert holds(query, name, text, options)
    assert not holds(query, name, f"{first}Joe{rest}", options)


@pytest.mark.parametrize("unit", [1, 1000, 1_000_000])
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_numbers_in_a_timestamp_of_the_input(unit: int, ending: str) -> None:
    rows = [{"item": item, "ts": (EIGHT + t) * unit} for t, item in BIDS]
    text = "item,ts\n" + lines([f"{row['item']},{row['ts']}" for row in rows]) if ending == "csv" else lines(rows)
    Path(f"numbers.{ending}").write_text(text)
    _, name, panes, _ = RECORDINGS["Spark's windows with the offset of a session"]
    Path(name).write_text(panes)
    assert check_recording(PANES, {"Bid": f"numbers.{ending}"}, name).holds


def test_csv_without_a_header_gets_its_names_from_an_option() -> None:
    Path("part-0-0").write_text(paned(lambda s, i, n: f'"{at(s)}","{at(s + 600)}",{i},{n}'))
    named = ("--columns", "window_start,window_end,item,cnt", "--no-explain")
    assert snapeq("check", PANES, "--stream", "Bid=bids.csv", "--output", "part-0-0", *named).out.startswith("AGREED")


def test_what_lines_and_numbers_are_taken_for_is_said() -> None:
    _, name, text, _ = RECORDINGS["kcat's records, which are JSON in texts"]
    Path(name).write_text(text)
    ran = snapeq("check", VIEW, "--stream", "Bid=bids.csv", "--output", name, "--no-explain")
    assert f"snapeq: {name}: its lines are taken for records of Kafka, whose value is the row" in ran.err
    _, name, text, _ = RECORDINGS["milliseconds since 1970"]
    Path(name).write_text(text)
    ran = snapeq("check", PANES, "--stream", "Bid=bids.csv", "--output", name, "--no-explain")
    assert "window_end is taken for milliseconds since 1970; if it is something else, say --engine-unit" in ran.err


LATER = EIGHT * 1000 + 10**11


def changes_by_the_clock(last: int = 3) -> str:
    """The changes as a connector writes them, years later."""
    changes = [(t, old, new if t < 600 else {**new, "cnt": last}) for t, old, new in CHANGES]
    return lines([{"before": o, "after": n, "op": "u" if o else "c", "ts_ms": LATER + t} for t, o, n in changes])


@pytest.mark.parametrize(
    ("last", "options", "verdict"),
    [
        (3, (), "AGREED: at instant 2020-04-15T08:10:00Z both"),
        (4, (), "REFUTED: they differ first at instant 2020-04-15T08:10:00Z"),
        (3, ("--time", "none"), "AGREED: at instant 2020-04-15T08:10:00Z both"),
        (
            3,
            ("--time", "ts_ms", "--engine-unit", "SECOND"),
            "REFUTED: they differ first at instant 2020-04-15T08:05:00Z",
        ),
    ],
)
def test_a_log_that_was_written_later_is_judged_by_its_end(last: int, options: Sequence[str], verdict: str) -> None:
    Path("log.jsonl").write_text(changes_by_the_clock(last))
    given = ("--stream", "Bid=bids.csv", "--output", "log.jsonl", "--no-explain")
    ran = snapeq("check", VIEW, *given, *options)
    assert ran.out.startswith(verdict)
    assert ("ts_ms is taken for the time of writing" in ran.err) == (not options)


def test_a_log_without_a_header_is_named_as_it_was_given() -> None:
    Path("subscribe.tsv").write_text("1\t1\tA\t1\n")
    with pytest.raises(SnapeqError, match=r"^subscribe.tsv: line 1: two columns are called '1'; expected a first line"):
        check_recording(VIEW, {"Bid": "bids.csv"}, "subscribe.tsv", at=EIGHT)


WRONG = {
    "a value that is cut off": (
        "t.txt", RULE + "| item | cnt | window_end |\n" + RULE + "| Aaaaa... | 1 | 2020-04-15 08:10:00 |\n" + RULE,
        "t.txt, line 4: 'Aaaaa...' is cut off; expected whole values",
    ),
    "a row of a table with too few values": (
        "t.txt", RULE + "| item | cnt | window_end |\n" + RULE + "| A | 1 |\n" + RULE,
        "t.txt, line 4: 2 values in this row of a table; expected 3: item, cnt, window_end",
    ),
    "a list that is too short": (
        "p.jsonl", lines([{"columnNames": ["item", "cnt", "window_end"]}, ["A", 1]]),
        "p.jsonl, line 2: expected a list of 3 values: item, cnt, window_end",
    ),
    "two rows in one line": (
        "c.jsonl", lines([{"data": [{"item": "A"}, {"item": "B"}], "type": "INSERT"}]),
        "c.jsonl, line 1: 2 rows in data; expected one object",
    ),
    "a record without an object": (
        "k.jsonl", lines([{"key": "A", "value": "hello"}]), "k.jsonl, line 1: the value of this record is no object",
    ),
    "null among rows": (
        "n.jsonl", lines([{"item": "A", "cnt": 1, "window_end": 1}, "null"]), "n.jsonl: line 2: null is no object",
    ),
    "an unknown ending": ("x.xlsx", "item\n", "x.xlsx: the ending '.xlsx' names no format; expected one of .csv"),
    "a wrong value keeps its line": (
        "m.jsonl", lines([{"data": {"item": "A", "cnt": 1}, "op": "+I"}, {"data": {"item": "A", "cnt": 1}, "op": "?"}]),
        "m.jsonl, line 2: column __op: the operation '?' is unknown",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_refused_with_the_line_of_the_given_file(case: str) -> None:
    name, text, message = WRONG[case]
    Path(name).write_text(text)
    with pytest.raises(SnapeqError) as error:
        check_recording(PANES, {"Bid": "bids.csv"}, name, at=EIGHT)
    assert message in str(error.value)
