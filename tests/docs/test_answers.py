"""What the playground asks Python: answers without any package but sqlglot, and errors that say where."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from docs.generate.playground import archive, modules
from docs.play.answers import answer
from semantics.sql.dialects.registry import DIALECTS
from tests.paths import ROOT
from tests.quality.test_light import BLOCKED

BIDS = "CREATE STREAM Bid(item TEXT, price INT, ts BIGINT) ORDERED BY ts;"
TOTALS = f"{BIDS} SELECT item, SUM(price) AS total FROM Bid WINDOW(RANGE 4) GROUP BY item"
FLINK = """CREATE TABLE Bid (item STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
SELECT window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end"""


def ask(do: str, **request: object) -> Any:
    return json.loads(answer(json.dumps({"do": do, **request})))


def query(text: str, dialect: str = "snapeq") -> dict[str, str]:
    return {"text": text, "dialect": dialect}


def test_every_operator_has_its_runs() -> None:
    got = ask("run", query=query(TOTALS), events={"Bid": [["a", 5, 1, 2], ["a", None, 3, 4]]})
    assert [operator["label"] for operator in got["operators"]] == [
        "Bid(item str, price int)",
        "window(range 4)",
        "group(item; sum(price) as total)",
    ]
    assert got["operators"][-1]["runs"] == [[["a", 5], 1, 5, 1], [["a", None], 5, 7, 1]]
    assert [operator["reducible"] for operator in got["operators"]] == [False, False, True]
    assert [operator["inputs"] for operator in got["operators"]] == [[], [0], [1]]


def test_events_come_in_any_order_and_may_last() -> None:
    got = ask("run", query=query(f"{BIDS} SELECT item FROM Bid"), events={"Bid": [["b", 1, 7, None], ["a", 1, 2, 5]]})
    assert got["operators"][-1]["runs"] == [[["a"], 2, 5, 1], [["b"], 7, got["horizon"], 1]]


def test_integers_beyond_those_of_javascript_come_as_texts() -> None:
    large = 2**53 + 1
    got = ask("run", query=query(f"{BIDS} SELECT price - 1 AS p FROM Bid"), events={"Bid": [["a", str(large), 1, 2]]})
    assert got["operators"][-1]["runs"] == [[[str(large - 1)], 1, 2, 1]]


def test_panes_of_a_dialect_are_dated() -> None:
    got = ask("run", query=query(FLINK, "flink"), events={"Bid": [["a", 1000, 1001]]})
    assert got["streams"] == [{"name": "Bid", "columns": [["item", "str"]], "dated": True, "milliseconds": 1}]
    assert got["operators"][-1]["runs"] == [[["1970-01-01 00:01:00", 1], 59_999, 60_000, 1]]
    assert "WINDOW(RANGE 60000)" in got["reading"]


def test_what_is_wrong_is_an_answer_with_its_place() -> None:
    got = ask("run", query=query(f"{BIDS}\nSELECT prise FROM Bid"), events={})
    assert got["error"]["message"].startswith("line 2, column 8: unknown column prise; ")
    bad = ask("run", query=query(TOTALS), events={"Bid": [["a", "x", 1, 2]]})
    assert "'x'" in bad["error"]["message"]


def test_deep_nesting_is_an_answer_too() -> None:
    assert "error" in ask("read", query=query(f"{BIDS} SELECT {'(' * 5000}1{')' * 5000} AS x FROM Bid"))


def test_queries_are_compared_and_the_case_comes_as_events() -> None:
    longer = TOTALS.replace("RANGE 4", "RANGE 5")
    got = ask("compare", queries=[query(TOTALS), query(longer)])
    assert (got["kind"], got["case"]["instant"]) == ("refuted", 4)
    assert got["headline"].startswith("REFUTED (by samples; ")
    assert "wrong" in got["text"]
    left, right = (ask("run", query=query(text), events=got["case"]["events"]) for text in (TOTALS, longer))
    assert left["operators"][-1]["runs"] != right["operators"][-1]["runs"]


def test_queries_that_agree_have_no_case() -> None:
    early = f"{BIDS} SELECT item FROM (SELECT item, price FROM Bid WHERE price > 3) AS b WINDOW(RANGE 4)"
    late = f"{BIDS} SELECT item FROM Bid WINDOW(RANGE 4) WHERE price > 3"
    got = ask("compare", queries=[query(early), query(late)])
    assert (got["kind"], got["case"]) == ("agreed", None)
    assert "neighbours" in got["headline"]


def test_what_cannot_be_compared_says_why() -> None:
    other = TOTALS.replace("price INT", "price FLOAT")
    assert "declared in two ways" in ask("compare", queries=[query(TOTALS), query(other)])["error"]["message"]


def test_the_page_offers_every_dialect() -> None:
    script = (ROOT / "docs" / "play" / "main.js").read_text(encoding="utf-8")
    found = re.search(r'DIALECTS = "([\w ]+)"', script)
    assert found is not None
    assert sorted(found[1].split()) == sorted(DIALECTS)


IN_THE_BROWSER = """
import json
sys.path.insert(0, "python.zip")
from docs.play.answers import answer, __file__
assert "python.zip" in __file__
both = [{"text": text, "dialect": "snapeq"} for text in json.loads(sys.argv[1])]
print(len(json.loads(answer(json.dumps({"do": "run", "query": both[0], "events": {}})))["operators"]))
print(json.loads(answer(json.dumps({"do": "compare", "queries": both})))["kind"])
"""


def test_the_archive_holds_all_that_the_page_needs(tmp_path: Path) -> None:
    """In a Python that has nothing else: no other package, and no solvers."""
    (tmp_path / "python.zip").write_bytes(archive())
    without_sqlglot = BLOCKED.replace("'sqlglot', ", "").replace(", 'sqlglot'", "").replace("'sqlglot'", "")
    queries = json.dumps([TOTALS, TOTALS.replace("SUM", "MAX")])
    ran = subprocess.run(
        [sys.executable, "-S", "-c", without_sqlglot + IN_THE_BROWSER, queries],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.split() == ["3", "refuted"], ran.stderr


def test_the_archive_is_what_the_page_says_it_is() -> None:
    names = {name for name, _ in modules()}
    assert {"semantics/algebra.py", "sqlglot/__init__.py", "docs/play/answers.py"} <= names
    assert not any(name.startswith(("physical/kernels", "equivalence/command")) for name in names)
