"""Every parser as a function of a text that returns, or raises a SnapeqError; and texts to begin with."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from json import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from equivalence.cases.functions import KNOWN_FUNCTIONS
from equivalence.conformance.known_gaps import known_gaps
from equivalence.reference_checks.golden import SUFFIX, corpus_folder, parse_case
from equivalence.report.html import page
from equivalence.report.junit import ReportedVerdict, junit
from equivalence.report.regression import as_test
from equivalence.report.replay import replay
from equivalence.report.text import explain
from equivalence.verdicts.json.document import read_case
from equivalence.verdicts.json.reading import read_json
from equivalence.verdicts.verdict import Verdict
from physical.files.layout import Layout
from physical.files.reader import FileReader
from semantics import Schema, Scope, SnapeqError, parse, parse_expression, parse_plan, show, show_expression
from semantics.sql import parse_query, parse_script, to_sql, without_now_windows

Target = Callable[[str], None]
LAYOUT: Final = Layout(Schema.of(x=int, f=float, b=bool, s=str), "since", "until", timestamps=("until",))
SCOPE: Final = Scope(Schema.of(x=int, f=float, b=bool, s=str))


def anything(text: str) -> None:
    """What `parse` reads it also writes, and reads again as the same."""
    found = parse(text, KNOWN_FUNCTIONS)
    if not isinstance(found, Schema):
        assert parse(show(found), KNOWN_FUNCTIONS) == found


def plan(text: str) -> None:
    found = parse_plan(text, KNOWN_FUNCTIONS)
    assert parse_plan(show(found), KNOWN_FUNCTIONS) == found


def expression(text: str) -> None:
    found = parse_expression(text, SCOPE, KNOWN_FUNCTIONS)
    assert parse_expression(show_expression(found, SCOPE), SCOPE, KNOWN_FUNCTIONS) == found


def golden_case(text: str) -> None:
    parse_case("fuzzed", text)


def saved_case(text: str) -> None:
    """A saved counterexample is read, shown in every form, and run again if it has two plans."""
    case = read_case(read_json(text))
    explain(case.found)
    as_test(case.found)
    judged = [ReportedVerdict("case", Verdict("refuted", {}, case.found))]
    junit("fuzzed", judged).encode()
    page("fuzzed", judged).encode()
    replay(case)


def gaps(text: str) -> None:
    with TemporaryDirectory() as folder:
        for ending in ("toml", "json"):
            path = Path(folder) / f"gaps.{ending}"
            path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
            with suppress(SnapeqError):
                known_gaps(path, ["Filter", "Join"], ["plain", "ties"])


def query(text: str) -> None:
    """A query in SQL, with what it declares itself, prints as text that is read as the same plan."""
    script = parse_script(text)
    assert parse_query(to_sql(script.plan, script.catalogue), script.catalogue) == without_now_windows(script.plan)


def csv_file(text: str) -> None:
    _read_file("csv", text)


def json_file(text: str) -> None:
    _read_file("jsonl", text)


def _read_file(ending: str, text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"stream.{ending}"
        path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
        list(FileReader(path, LAYOUT).batches())


TARGETS: Final[Mapping[str, Target]] = {
    target.__name__: target
    for target in (anything, plan, expression, golden_case, saved_case, gaps, query, csv_file, json_file)
}


def survive(target: Target, text: str) -> None:
    """Run a target; our own errors are what bad input is meant to end in."""
    with suppress(SnapeqError):
        target(text)


def beginnings(name: str) -> Iterator[str]:
    """Texts that the target can read, for the fuzzer to change."""
    cases = [path.read_text(encoding="utf-8") for path in sorted(corpus_folder().glob(f"*{SUFFIX}"))]
    lines = [line.partition(": ") for case in cases for line in case.splitlines()]
    match name:
        case "anything":
            yield from (value for _, _, value in lines)
        case "plan":
            yield from (value for key, _, value in lines if key == "plan")
        case "expression":
            yield from EXPRESSIONS
        case "golden_case":
            yield from cases
        case "saved_case":
            yield from map(dumps, SAVED)
        case "gaps":
            yield from ('[gaps]\n"Join/ties" = "no"\n"*/plain" = "not yet"', '{"gaps": {"Filter": "no"}}')
        case "query":
            yield from QUERIES
        case "csv_file":
            yield from CSV_FILES
        case "json_file":
            yield from JSON_FILES


EXPRESSIONS: Final = (
    "x + 1 > 2 and not (f / 2.5e3 <= x mod 7 or b)",
    "case when s like 'a%' escape '\\\\' then coalesce(x, -1) else null:int end",
    "x between 1 and 3 or s in ('a', 'it\\'s') or f is not distinct from nan",
    "even(twice(x)) and shorten(s, 2) is null and halve(f) < -inf",
)
_PLANS: Final = ["S(x int, f float) | window(range 2) | distinct", "S(x int, f float) | filter(x > 0)"]
SAVED: Final = (
    {"streams": {"S": [[1, 0.5, 0, 1]]}, "plans": _PLANS, "instant": 1, "left": [[1, "NaN"]], "right": []},
    {
        "verdict": "refuted",
        "evidence": {"how": "sampled"},
        "counterexample": {
            "streams": {"A": [["a", 0, 1], [None, 1, 2]], "B": [[7, 0, None]]},
            "plans": ["join(A(x str), B(y int); left.x is null)", "A(x str) | group(x; count(*) as y)"],
            "instant": 3,
            "left": [],
            "right": [["a", 2]],
            "blamed": "A(x str)",
        },
        "raw": ["A"],
        "equivalence": "snapshot-set",
    },
)
_DECLARED: Final = """SET TIME UNIT MINUTE;
CREATE STREAM Bid(item INT NOT NULL, price FLOAT, ts TIMESTAMP, PRIMARY KEY (item)) ORDERED BY ts;
CREATE STREAM Open(item INT REFERENCES Bid(item), s TEXT, a BIGINT, b BIGINT) VALID (a, b);
"""
QUERIES: Final = tuple(
    _DECLARED + query
    for query in (
        "SELECT DISTINCT item, price * 2 AS twice FROM Bid WINDOW(RANGE 2 HOURS SLIDE 1 HOUR) WHERE price > 1.5e3",
        "SELECT s, COUNT(*) AS n FROM Open AS O WINDOW(ROWS 5 WITH TIES) GROUP BY s HAVING MAX(item) > 1",
        "SELECT * FROM Bid B WINDOW(PARTITION BY item ROWS 2) LEFT JOIN Open O ON B.item = O.item AND s LIKE 'a%'",
        "ISTREAM(SELECT item FROM Bid WHERE item NOT IN (SELECT item FROM Open O WHERE O.item = Bid.item))",
        "WITH H AS (SELECT item FROM Bid WINDOW(LANDMARK 0)) SELECT item FROM H EXCEPT ALL SELECT item FROM Open",
        "SELECT item FROM Bid WHERE price >= ALL (SELECT price FROM Bid WINDOW(RANGE UNBOUNDED))",
    )
)
CSV_FILES: Final = (
    'x,f,b,s,since,until\n1,2.5,true,a,0,1970-01-01T00:00:05\n,nan,,"it, ""s""",3,\n',
    'until,since,s,b,f,x\r\n1970-01-01 00:00:09+00:00,0,"",false,-1e300,-9223372036854775808\r\n',
    's,b,f,x,since,until,_count\n"a\nb",true,-0.0,7,5,1970-01-01T00:01:00Z,3\n',
)
JSON_FILES: Final = (
    '{"x": 1, "f": 2.5, "b": true, "s": "a", "since": 0, "until": "1970-01-01T00:00:05"}\n',
    '{"until": null, "since": 3, "s": "\\u00e9", "b": null, "f": -1e300, "x": null}\n\n',
)
