"""`snapeq check` names the mistake, counts what differs, and says what it could not have shown."""

import json
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq

QUERY = """
CREATE STREAM Bid(item INT, price INT, ts BIGINT) ORDERED BY ts;
SELECT item, COUNT(*) AS n, SUM(price) AS total FROM Bid WINDOW(RANGE 10 SLIDE 10) GROUP BY item;
"""
BIDS = [(i + i // 4, i % 3 if i % 7 else None, i % 5 if i % 6 else None) for i in range(60)]
CHECK = ("check", "q.sql", "--stream", "Bid=bids.csv", "--output", "out.jsonl", "--as", "panes")


def csv(rows: list[tuple[int, int | None, int | None]]) -> str:
    return "ts,item,price\n" + "".join(",".join("" if v is None else str(v) for v in row) + "\n" for row in rows)


def panes(members: Callable[[int, int], bool]) -> str:
    """What an engine would write, computed by hand: which rows are in the pane that ends at e."""
    lines = []
    for end in range(10, 100, 10):
        groups: dict[int | None, list[int | None]] = {}
        for t, item, price in BIDS:
            if members(t, end):
                groups.setdefault(item, []).append(price)
        for item, prices in groups.items():
            known = [price for price in prices if price is not None]
            row = {"item": item, "n": len(prices), "total": sum(known) if known else None}
            lines.append(json.dumps({**row, "window_start": end - 10, "window_end": end}))
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.sql").write_text(QUERY)
    Path("bids.csv").write_text(csv(BIDS))


def test_a_wrong_output_is_explained() -> None:
    Path("out.jsonl").write_text(panes(lambda t, e: e - 10 <= t <= e))
    ran = snapeq(*CHECK, "--html", "page.html")
    assert ran.code == 1
    assert "explained by: window end inclusive: pane ends are inclusive (window [s, e] instead of [s, e))" in ran.out
    assert "input rows that decide the first one" in ran.out
    page = Path("page.html").read_text()
    assert "<svg" in page
    assert "window end inclusive" in page


def test_the_case_of_a_page_holds_all_rows_that_it_needs() -> None:
    Path("q.sql").write_text(QUERY.replace("COUNT(*) AS n, ", "").replace(" SLIDE 10", ""))
    Path("bids.csv").write_text("ts,item,price\n0,1,3\n2,2,4\n5,1,6\n7,3,8\n")
    Path("out.jsonl").write_text(
        '{"item": 1, "total": 3, "window_end": 10}\n{"item": 3, "total": 8, "window_end": 10}\n'
    )
    assert snapeq(*CHECK, "--html", "page.html").code == 1
    page = unescape(Path("page.html").read_text())
    assert "let Bid = interval(item int, price int): (1, 3)@[0,1) (2, 4)@[2,3) (1, 6)@[5,6)\n" in page
    assert "at instant 9 the left holds  {(1, 9), (2, 4)}\n             the right holds {(1, 3)}" in page


def test_json_has_the_deviations() -> None:
    Path("out.jsonl").write_text(panes(lambda t, e: e - 8 <= t < e))
    document = json.loads(snapeq(*CHECK, "--json").out)
    (found,) = document["deviations"]
    assert {key: found[key] for key in ("name", "sentence", "parameters")} == {
        "name": "evicted early",
        "sentence": "rows leave the window 2 instants early",
        "parameters": {"instants": 2},
    }
    assert found["explains"] == found["of"] > 0
    difference = document["evidence"]["difference"]
    assert difference["missing"] + difference["extra"] + difference["wrong_multiplicity"] > 0
    assert difference["responsible"][0]["source"] == "Bid"


def test_panes_that_end_elsewhere_are_named() -> None:
    """They are no panes of the query, so only the deviation says what they are."""
    rows = [json.loads(line) for line in panes(lambda t, e: e - 10 <= t < e).splitlines()]
    earlier = [{**row, "window_end": row["window_end"] - 1} for row in rows]
    Path("out.jsonl").write_text("".join(json.dumps(row) + "\n" for row in earlier))
    assert "explained by: pane end written inclusive" in snapeq(*CHECK).out


def test_a_right_output_has_no_name_and_says_what_it_could_not_show() -> None:
    Path("out.jsonl").write_text(panes(lambda t, e: e - 10 <= t < e))
    ran = snapeq(*CHECK)
    assert ran.code == 0
    assert "explained by" not in ran.out
    assert "known deviations" in ran.out
    assert json.loads(snapeq(*CHECK, "--json").out)["deviations"] == []
    assert snapeq(*CHECK, "--no-explain").out == "AGREED: in every pane both hold the same\n"


def test_suggested_rows_are_printed() -> None:
    Path("bids.csv").write_text("ts,item,price\n1,1,5\n12,2,5\n")
    lines = [{"item": 1, "n": 1, "total": 5, "window_end": 10}, {"item": 2, "n": 1, "total": 5, "window_end": 20}]
    Path("out.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = snapeq(*CHECK, "--suggest-input")
    assert ran.code == 0
    assert "with these further rows it would also show" in ran.out
    assert "NULL groups dropped" in ran.out
    assert "  Bid: (" in ran.out


def test_intervals_are_explained_too() -> None:
    wrong = "item,n,total,_start,_end,_count\n1,1,5,1,4,1\n"
    Path("bids.csv").write_text("ts,item,price\n1,1,5\n")
    Path("q.sql").write_text(QUERY.replace("RANGE 10 SLIDE 10", "RANGE 2"))
    Path("theirs.csv").write_text(wrong)
    ran = snapeq("check", "q.sql", "--stream", "Bid=bids.csv", "--output", "theirs.csv")
    assert ran.code == 1
    assert "at [3, 4) (1, 1, 5)" in ran.out or "at 3 (1, 1, 5) should not be there" in ran.out
    assert "explained by: window one instant too long" in ran.out


def test_large_files_are_looked_at_in_part() -> None:
    rows: list[tuple[int, int | None, int | None]] = [(t, t % 5, 1) for t in range(3000) if t % 10 or t >= 2000]
    Path("bids.csv").write_text(csv(rows))
    lines = []
    for end in range(10, 3010, 10):
        for item in range(5):
            prices = [1 for t, i, _ in rows if i == item and end - 10 <= t <= end]
            row = {"item": item, "n": len(prices), "total": len(prices), "window_end": end}
            lines += [json.dumps(row)] if prices else []
    Path("out.jsonl").write_text("\n".join(lines) + "\n")
    ran = snapeq(*CHECK)
    assert "explained by: window end inclusive" in ran.out
    assert "in all" in ran.out


def test_late_rows_that_are_dropped_otherwise_are_named() -> None:
    """An engine that drops a late row for all panes, where the policy drops it pane by pane."""
    arrivals = [(1, 1), (12, 1), (16, 2), (14, 1), (31, 1), (24, 2), (44, 1)]
    Path("bids.csv").write_text("ts,item,price\n" + "".join(f"{t},{item},1\n" for t, item in arrivals))
    Path("q.sql").write_text(QUERY.replace("RANGE 10 SLIDE 10", "RANGE 10 SLIDE 5"))
    kept = [(t, item) for i, (t, item) in enumerate(arrivals) if t >= max([0, *(u for u, _ in arrivals[:i])])]
    lines = []
    for end in range(5, 60, 5):
        for item in (1, 2):
            n = sum(1 for t, i in kept if i == item and end - 10 <= t < end)
            lines += [json.dumps({"item": item, "n": n, "total": n, "window_end": end})] if n else []
    Path("out.jsonl").write_text("\n".join(lines) + "\n")
    ran = snapeq(*CHECK, "--watermark", "ts", "--late", "drop-pane")
    assert ran.code == 1
    assert "late rows dropped per" in ran.out
