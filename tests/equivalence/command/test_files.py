"""run, check, diff and explain over files."""

import json
from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq

QUERY = """
CREATE STREAM Bid(item INT, price FLOAT, who TEXT, ts BIGINT) ORDERED BY ts;
SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 3) GROUP BY item;
"""
BIDS = 'ts,who,item,price\n0,ann,1,5.5\n1,"",1,\n1,,2,1e3\n9,joe,1,2\n'
ANSWER = "item,n,_start,_end,_count\n1,1,0,1,1\n1,2,1,3,1\n2,1,1,4,1\n1,1,3,4,1\n1,1,9,12,1\n"
RUN = ("run", "q.sql", "--stream", "Bid=bids.csv")
CHECK = ("check", "q.sql", "--stream", "Bid=bids.csv", "--output")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("q.sql").write_text(QUERY)
    Path("bids.csv").write_text(BIDS)
    Path("right.csv").write_text(ANSWER)
    return tmp_path


def test_run_prints_the_canonical_form() -> None:
    assert snapeq(*RUN).out == ANSWER
    assert snapeq(*RUN, "--engine", "reference", "--horizon", "12").out == ANSWER
    assert snapeq(*RUN, "--engine", "reference", "--horizon", "99999999999").out == ANSWER
    assert snapeq(*RUN, "--engine", "reference").out == ANSWER
    assert snapeq(*RUN, "--engine", "physical.engines.interval.engine:IntervalEngine").out == ANSWER


def test_run_stops_at_the_horizon() -> None:
    assert snapeq(*RUN, "--horizon", "2").out == "item,n,_start,_end,_count\n1,1,0,1,1\n1,2,1,2,1\n2,1,1,2,1\n"


@pytest.mark.parametrize("engine", ["interval", "reference", "dataflow"])
def test_run_looks_beyond_the_horizon_where_the_query_does(engine: str) -> None:
    catalogue = QUERY.partition("SELECT")[0]
    asked = (*RUN[2:], "--horizon", "2", "--engine", engine)
    lead = f"{catalogue} SELECT item, LEAD(item, 2) OVER (ORDER BY ts, item) AS later FROM Bid"
    assert snapeq("run", lead, *asked).out == "item,later,_start,_end,_count\n1,2,0,1,1\n1,1,1,2,1\n2,,1,2,1\n"
    sessions = f"{catalogue} SELECT item, session_end FROM Bid WINDOW(SESSION 3)"
    assert snapeq("run", sessions, *asked).out == "item,session_end,_start,_end,_count\n1,4,0,2,2\n2,4,0,2,1\n"


@pytest.mark.parametrize("engine", ["interval", "reference", "dataflow", "stored"])
def test_a_session_that_never_ends_is_not_there(engine: str) -> None:
    Path("open.csv").write_text("id,a,b\n1,5,\n2,0,1\n")
    query = "CREATE STREAM Open(id INT, a BIGINT, b BIGINT) VALID (a, b); SELECT id FROM Open WINDOW(SESSION 3)"
    ran = snapeq("run", query, "--stream", "Open=open.csv", "--slack", "5", "--horizon", "9", "--engine", engine)
    assert ran.out == "id,_start,_end,_count\n2,0,3,1\n"


FAR = """
CREATE STREAM Bid(item INT, price FLOAT, who TEXT, ts BIGINT) ORDERED BY ts;
CREATE TABLE Item(id INT);
"""


def test_the_reference_answers_about_milliseconds() -> None:
    query = FAR + "SELECT item FROM Bid WINDOW(RANGE 2592000000), Item WHERE item = id"
    Path("bids.csv").write_text(f"ts,who,item,price\n1700000000000,ann,1,5.5\n{2**62},joe,1,1\n")
    Path("items.csv").write_text("id\n1\n1\n")
    asked = ("run", query, "--stream", "Bid=bids.csv", "--stream", "Item=items.csv")
    spans = [(1700000000000, 1702592000000), (2**62, 2**62 + 2592000000)]
    expected = "item,_start,_end,_count\n" + "".join(f"1,{start},{end},2\n" for start, end in spans)
    assert snapeq(*asked, "--engine", "reference").out == expected
    assert snapeq(*asked).out == expected


def test_the_reference_does_not_list_every_instant_of_a_window_over_what_lasts() -> None:
    Path("open.csv").write_text("id,a,b\n1,5,\n")
    query = "CREATE STREAM Open(id INT, a BIGINT, b BIGINT) VALID (a, b); SELECT id FROM Open WINDOW(RANGE 2592000000)"
    asked = ("run", query, "--stream", "Open=open.csv")
    refused = snapeq(*asked, "--engine", "reference", "--horizon", "99999999999")
    assert refused.code == 2
    assert "TimeWindow(size=2592000000, slide=1) brings the plan to 2,592,000,000 changes or more" in refused.err


def test_run_as_json() -> None:
    document = json.loads(snapeq(*RUN, "--json").out)
    assert document["columns"] == ["item", "n", "_start", "_end", "_count"]
    assert document["rows"][1] == [1, 2, 1, 3, 1]


def test_a_plan_in_the_notation_reads_interval_files() -> None:
    Path("s.csv").write_text("x,_start,_end\n7,0,\n7,2,4\n")
    assert snapeq("run", "S(x int)", "--stream", "S=s.csv").out == "x,_start,_end,_count\n7,0,2,1\n7,2,4,2\n7,4,,1\n"


def test_a_text_that_is_empty_is_not_null() -> None:
    catalogue = QUERY.partition("SELECT")[0]
    rows = json.loads(snapeq("run", f"{catalogue} SELECT who FROM Bid", *RUN[2:], "--json").out)["rows"]
    assert [row[0] for row in rows] == ["ann", None, "", "joe"]


def test_check_takes_any_form_of_the_right_answer() -> None:
    Path("theirs.jsonl").write_text(
        '{"n": 1, "item": 1, "_start": 9, "_end": 12}\n{"n": 1, "item": 2, "_start": 1, "_end": 4}\n'
        '{"n": 1, "item": 1, "_start": 3, "_end": 4}\n{"n": 2, "item": 1, "_start": 1, "_end": 2}\n'
        '{"n": 2, "item": 1, "_start": 2, "_end": 3}\n{"n": 1, "item": 1, "_start": 0, "_end": 1}\n'
    )
    assert snapeq(*CHECK, "theirs.jsonl").code == 0
    assert snapeq(*CHECK, "right.csv", "--horizon", "5").code == 0


def test_check_shows_the_first_wrong_instant() -> None:
    Path("wrong.csv").write_text(ANSWER.replace("1,2,1,3,1", "1,2,1,4,1"))
    ran = snapeq(*CHECK, "wrong.csv")
    assert ran.code == 1
    assert ran.out == (
        "REFUTED: they differ first at instant 3\n"
        "the right answer holds 2 rows there\n    (1, 1)\n    (2, 1)\n"
        "wrong.csv holds 3 rows there\n  ≠ (1, 2)\n    (1, 1)\n    (2, 1)\n"
        "1 row differs in 1 instant and 1 key: 0 missing, 1 too many, 0 not as often as they should\n"
        "  at 3 (1, 2) should not be there\n"
        "input rows that decide the first one (1):\n  Bid row 2: (1, null, '') at 1\n"
        "explained by: some retractions lost: retractions lost at instant 3; 1 of 1 difference\n"
    )
    document = json.loads(snapeq(*CHECK, "wrong.csv", "--json").out)
    assert document["verdict"] == "refuted"
    assert document["counterexample"]["instant"] == 3
    assert document["counterexample"]["left"] == [[1, 1], [2, 1]]


def test_check_reads_other_units() -> None:
    lines = [line.split(",") for line in ANSWER.splitlines()]
    scaled = [lines[0], *([*row[:2], row[2] + "000", row[3] + "000", row[4]] for row in lines[1:])]
    Path("ms.csv").write_text("\n".join(",".join(row) for row in scaled) + "\n")
    assert snapeq(*CHECK, "ms.csv", "--engine-unit", "milliseconds").code == 0
    assert snapeq(*CHECK, "ms.csv").code == 1


def test_diff_writes_a_page() -> None:
    Path("other.csv").write_text(ANSWER.replace("1,2,1,3,1", "1,2,1,3,2"))
    assert snapeq("diff", "right.csv", "other.csv", "--html", "page.html").code == 1
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<strong>1</strong> refuted" in page
    assert "they differ first at instant 1" in page
    assert snapeq("diff", "right.csv", "right.csv", "--html", "page.html").code == 0
    assert "<strong>1</strong> as they should be" in Path("page.html").read_text(encoding="utf-8")


def test_diff_of_what_differs_in_count_only() -> None:
    Path("twice.csv").write_text(ANSWER.replace("1,1,9,12,1", "1,1,9,12,2"))
    ran = snapeq("diff", "right.csv", "twice.csv")
    assert (ran.code, ran.out.splitlines()[0]) == (1, "REFUTED: they differ first at instant 9")
    assert snapeq("diff", "right.csv", "right.csv").out == "AGREED: at every instant both hold the same\n"


@pytest.mark.parametrize(
    "form", ["x,_start,_end\n{},0,5\n0.5,0,5\n", '{{"x":{},"_start":0,"_end":5}}\n{{"x":0.5,"_start":0,"_end":5}}\n']
)
def test_diff_does_not_round_integers_among_floats(form: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{i}.{'csv' if form.startswith('x') else 'jsonl'}" for i in range(2)]
    for file, number in zip(files, (9007199254740993, 9007199254740992), strict=True):
        file.write_text(form.format(number))
    ran = snapeq("diff", *map(str, files))
    assert (ran.code, ran.out) == (2, "")
    assert "column x: 9007199254740993 is no double and would be rounded" in ran.err
    assert snapeq("diff", str(files[1]), str(files[1])).code == 0


def test_a_reference_that_cannot_be_checked_is_mentioned() -> None:
    text = "CREATE TABLE T(x INT); CREATE STREAM S(x INT REFERENCES T(x), t INT) ORDERED BY t; SELECT x FROM S"
    Path("s.csv").write_text("x,t\n1,0\n")
    assert snapeq("run", text, "--stream", "S=s.csv").err == "snapeq: S REFERENCES T: not checked, T is not given\n"


def test_explain_shows_three_plans() -> None:
    out = snapeq("explain", "q.sql").out
    assert "logical plan" in out
    assert "● group(item; count(*) as n)" in out
    assert "group(item; count(*) as n) — one sweep per group of a slice" in out
    assert snapeq("explain", "q.sql", "--dot").out.startswith("digraph plans {")
    assert snapeq("explain", "q.sql", "--svg").out.count("<rect") == 9
    assert set(json.loads(snapeq("explain", "q.sql", "--json").out)) == {
        "logical",
        "optimised",
        "derivation",
        "physical",
    }


def test_explain_shows_the_incremental_plan() -> None:
    out = snapeq("explain", "q.sql", "--engine", "incremental").out
    assert "group(item; count(*) as n) — synchronous replication: count(*) as sum of counts" in out
    assert "window(range 3) — split into basic windows: at most 3, one for every instant with elements" in out


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (b"\xef\xbb\xbfx,f,s,ts\n1,2,a,3\n", '1,2,"a",3,4,1'),
        (b"x,f,s,ts\r\n1,2,a,3\r\n", '1,2,"a",3,4,1'),
        (b'x,f,s,ts\n1,2,"a\nb",3\n', '1,2,"a\nb",3,4,1'),
        (b'x,f,s,ts\n1,nan,"",3\n,inf,,3\n', ',inf,,3,4,1\n1,nan,"",3,4,1'),
        (b"ts,more,s,f,x\n3,!,a,2,1\n", '1,2,"a",3,4,1'),
        (b"x,f,s,ts\n\n1,2,a,9223372036854775806\n", '1,2,"a",9223372036854775806,,1'),
        (b"x,f,s,ts\n", ""),
    ],
)
def test_odd_files_that_are_right(text: bytes, rows: str, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_bytes(text)
    query = "CREATE STREAM S(x INT, f FLOAT, s TEXT, ts BIGINT) ORDERED BY ts; SELECT x, f, s FROM S"
    ran = snapeq("run", query, "--stream", f"S={tmp_path / 'S.csv'}")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"x,f,s,_start,_end,_count\n{rows}".rstrip("\n") + "\n"


@pytest.mark.parametrize(
    ("window", "start", "end"),
    [
        ("RANGE 100", 9223372036854775800, ""),
        ("LANDMARK 0 RESET 100", 9223372036854775800, ""),
        ("RANGE 9223372036854775807", 9223372036854775800, ""),
        ("ROWS 9223372036854775807", 9223372036854775800, ""),
    ],
)
def test_windows_near_the_end_of_time_last_for_ever(window: str, start: int, end: str, tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text(f"x,ts\n1,{start}\n", encoding="utf-8")
    query = f"CREATE STREAM S(x INT, ts BIGINT) ORDERED BY ts; SELECT x FROM S WINDOW({window})"
    ran = snapeq("run", query, "--stream", f"S={tmp_path / 'S.csv'}")
    assert (ran.code, ran.out) == (0, f"x,_start,_end,_count\n1,{start},{end},1\n")


def test_what_comes_after_the_last_slide_is_never_seen(tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("x,ts\n1,9223372036854775803\n", encoding="utf-8")
    query = "CREATE STREAM S(x INT, ts BIGINT) ORDERED BY ts; SELECT x FROM S WINDOW(RANGE 200 SLIDE 100)"
    ran = snapeq("run", query, "--stream", f"S={tmp_path / 'S.csv'}")
    assert (ran.code, ran.out) == (0, "x,_start,_end,_count\n")
