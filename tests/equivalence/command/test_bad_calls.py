"""Bad command lines and bad files: one message on stderr, nothing on stdout, no traceback, the promised exit code."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.equivalence.command.command import snapeq

CASE: dict[str, Any] = {
    "streams": {"S": [[1, 0, 1]]},
    "plans": ["S(x int)", "S(x int) | distinct"],
    "instant": 0,
    "left": [[1]],
    "right": [],
}
SAVED: dict[str, Any] = {"verdict": "refuted", "evidence": {}, "counterexample": CASE}
DEEP = "S(x int)" + " | distinct" * 300
HUGE = "union(" * 800 + "S(x int)"


def without(key: str) -> dict[str, Any]:
    return {name: part for name, part in CASE.items() if name != key}


COMMAND_LINES = [
    (("nonsense",), 2, "No such command 'nonsense'"),
    (("equiv", "S(x int)"), 2, "Missing argument 'Q2'"),
    (("equiv", "S(x int)", "S(x int)", "S(x int)"), 2, "unexpected extra argument"),
    (("equiv", "S(x int", "S(x int)"), 2, "snapeq: Q1: column 8: expected ')', got the end in: S(x int▶"),
    (("equiv", "S(x int)", "S(x int) | sort(x)"), 2, "snapeq: Q2: column 12: expected an operator: filter, map"),
    (("equiv", "S(x int) | filter(x)", "S(x int)"), 2, "snapeq: Q1: Filter: predicate must be BOOL, got INT (x); columns: x INT"),
    (("equiv", "S(x int)", "S(x int) | map(x > 1 as y)"), 2, "snapeq: plans with different columns cannot be equivalent: x INT; y BOOL"),
    (("equiv", "S(x int)", "union(S(x int), S(y int, z int) | map(y as x))"), 2, "snapeq: "),
    (("equiv", "no_such_file", "S(x int)"), 2, "snapeq: Q1: expected a plan, like 'S(x int) | distinct', a query in SQL, or a file of text that holds one, got 'no_such_file'"),
    (("equiv", "", "S(x int)"), 2, "snapeq: Q1: expected a plan"),
    (("equiv", ".", "S(x int)"), 2, "snapeq: Q1: expected a plan"),
    (("equiv", "\0(", "S(x int)"), 2, "snapeq: Q1: column 1: expected a source or a two-sided operator, got '\\x00' in: ▶·("),
    (("equiv", DEEP, "S(x int)"), 2, "snapeq: Q1: the text is nested too deeply: S(x int) | distinct"),
    (("equiv", "S(x int) | filter(x > 0" + " or x > 0" * 300 + ")", "S(x int)"), 2, "snapeq: Q1: the text is nested too deeply"),
    (("equiv", HUGE, "S(x int)"), 2, "snapeq: Q1: the text is nested too deeply: union(union("),
    (("equiv", "S(x int)" + " " * 100_001 + "| distinct", "S(x int)"), 2, "snapeq: Q1: expected a plan of at most 100000 characters, got 100019"),
    (("equiv", "S(x int)", "S(x int)", "--by", "magic"), 2, "'magic' is not one of 'prove', 'exhaust', 'sample'"),
    (("equiv", "S(x int)", "S(x int)", "--examples", "0"), 2, "Invalid value for '--examples'"),
    (("equiv", "S(x int)", "S(x int)", "--seed", "x"), 2, "Invalid value for '--seed'"),
    (("equiv", "SELECT x FROM S", "S(x int)"), 2, "snapeq: Q1: query: line 1, column 15: unknown stream S; expected a CREATE STREAM before it"),
    (("equiv", "S(x int)", "S(x int)", "--catalog", "c.sql"), 2, "snapeq: c.sql: No such file or directory"),
    (("equiv", "S(x int)", "S(x int) | distinct", "--save", "no/such/folder"), 2, "snapeq: no/such/folder: there is no folder no/such; expected a name in a folder that is there"),
    (("equiv", "S(x int)", "S(x int", "--test", "no/test.py"), 2, "snapeq: no/test.py: there is no folder no"),
    (("rules", "no-such-rule", "--junit", "no/j.xml"), 2, "snapeq: no/j.xml: there is no folder no"),
    (("rules", "no-such-rule", "--html", "."), 2, "snapeq: .: this is a folder"),
    (("replay", "no_such_file.json", "--test", "no/test.py"), 2, "snapeq: no/test.py: there is no folder no"),
    (("run", "SELECT x FROM S", "--functions", "../x"), 2, "snapeq: --functions ../x: expected the name of a Python module, as package.module"),
    (("run", "SELECT x FROM S", "--functions", ".x"), 2, "snapeq: --functions .x: expected the name of a Python module"),
    (("replay",), 2, "Missing argument 'CASE.json'"),
    (("replay", "no_such_file.json"), 2, "snapeq: no_such_file.json: No such file or directory"),
    (("replay", "."), 2, "snapeq: .: Is a directory"),
    (("conform",), 2, "Missing argument 'ENGINE'"),
    (("conform", "fast"), 2, "snapeq: expected an engine: apsw, beam, bytewax, chdb, d2ts, daft, dataflow, datafusion, db-ivm, delta, duckdb, feldera, flink, flink-windows, incremental, interval, ksqldb, materialize, pathway, pglite, polars, polars-frames, postgres, postgres-views, reevaluation, risingwave, sail, spark, sqlite, stored, package.module:object or command:…, got 'fast'"),
    (("conform", "no.such.module:engine"), 2, "snapeq: engine no.such.module:engine: there is no module 'no', not even in this folder"),
    (("fuzz", "no.such.module:rules"), 2, "snapeq: no.such.module:rules: there is no module 'no', not even in this folder"),
    (("fuzz", "os:no_such_name"), 2, "snapeq: os:no_such_name: the module has no 'no_such_name'; it has"),
    (("conform", "os:no_such_name"), 2, "snapeq: engine os:no_such_name: the module has no 'no_such_name'; it has"),
    (("conform", "os:getcwd"), 2, "snapeq: engine os:getcwd: expected an object with name, supports(plan) and run(plan, sources); <built-in function getcwd> lacks supports, run, name"),
    (("conform", "fractions:Fraction"), 2, "lacks supports, run, name"),
    (("conform", "os:"), 2, "snapeq: expected an engine"),
    (("conform", "a b:c"), 2, "snapeq: expected an engine"),
    (("conform", "interval", "--cases", "0"), 2, "Invalid value for '--cases'"),
    (("rules", "--examples", "none"), 2, "Invalid value for '--examples'"),
    (("verify", "--only", "optimism"), 2, "is not one of"),
    (("run", "SELECT x FROM S", "--horizon", "9" * 30), 2, "Invalid value for '--horizon': expected a number of 64 bits, at most 9223372036854775806"),
    (("run", "SELECT x FROM S", "--slack", "9" * 19), 2, "Invalid value for '--slack': expected a number of 64 bits"),
    (("check", "SELECT x FROM S", "--output", "o.csv", "--offset", "-" + "9" * 30), 2, "Invalid value for '--offset': expected a number of 64 bits"),
    (("live", "c.sql", "--slack", "9" * 5000), 2, "Invalid value for '--slack'"),
]  # fmt: skip

FILES = [
    ("", 2, "expected JSON: Expecting value"),
    ("{", 2, "expected JSON: Expecting property name"),
    ("\ud800", 2, "this is no text in UTF-8; expected a saved case"),
    ("[" * 100_000, 2, "the document is nested too deeply"),
    ('{"a": 1' + "0" * 5000 + "}", 2, "expected JSON: Exceeds the limit"),
    ('{"plans": [NaN]}', 2, 'expected JSON, which has no NaN; write "NaN" in quotes'),
    ('{"plans": [], "plans": []}', 2, "expected every name once in an object, got ['plans', 'plans']"),
    ("[]", 2, "case: expected an object, got []"),
    ("{}", 2, "case: expected an object with verdict, evidence, counterexample, raw (optional), engine (optional), equivalence (optional); it lacks verdict, evidence, counterexample"),
    (" " * 1_000_001, 2, "expected at most 1000000 characters, got 1000001"),
    (" " * 4_000_001, 2, "expected a file of at most 4000000 bytes"),
    ({"verdict": "agreed", "evidence": {}, "counterexample": None}, 2, "case: expected a counterexample, got a verdict without one: agreed"),
    ({**SAVED, "verdict": "perhaps"}, 2, "verdict: expected one of agreed, proved, refuted, unknown, vacuous, got 'perhaps'"),
    ({**SAVED, "pickle": "gASV"}, 2, "equivalence (optional); it has 'pickle'"),
    ({**SAVED, "engine": "os:system"}, 2, "it is about the engine 'os:system'; name it with --engine or --command to run it"),
    ({**SAVED, "equivalence": "roughly"}, 2, "equivalence: expected one of list, multiset, set, snapshot-list, snapshot-multiset, snapshot-set, got 'roughly'"),
    ({**SAVED, "raw": ["T"]}, 2, "raw: expected names of streams, got 'T'"),
    ({**SAVED, "raw": ["S"], "counterexample": {**CASE, "streams": {"S": [[1, 0, 2]]}}}, 2, "streams.S: expected elements of one instant in a raw stream"),
    (without("instant"), 2, "counterexample: expected an object with streams, plans, instant, left, right, blamed (optional), way (optional); it lacks instant"),
    ({**CASE, "plans": []}, 2, "plans: expected one or two, got none"),
    ({**CASE, "plans": ["S(x int)"] * 3}, 2, "plans: expected a list of at most 2 items, got 3"),
    ({**CASE, "plans": ["S(x int)", "S(x str)"]}, 2, "plans: source 'S' has columns x INT and x STR"),
    ({**CASE, "plans": ["S(x int)", "__import__('os')"]}, 2, "plans[1]: column 12: expected a column name"),
    ({**CASE, "plans": [DEEP]}, 2, "nested too deeply"),
    ({**CASE, "plans": ["S(x int)"]}, 2, "case: expected two plans to compare, or one plan and an engine"),
    ({**CASE, "instant": 10**20}, 2, "instant: expected a whole number from 0 to 18446744073709551616, got 100000000000000000000"),
    ({**CASE, "instant": 0.5}, 2, "instant: expected a whole number from 0 to 18446744073709551616, got 0.5"),
    ({**CASE, "instant": True}, 2, "instant: expected a whole number from 0 to 18446744073709551616, got True"),
    ({**CASE, "streams": {}}, 2, "streams: expected an object with S; it lacks S"),
    ({**CASE, "streams": {"S": [], "T": []}}, 2, "streams: expected an object with S; it has 'T'"),
    ({**CASE, "streams": {"S": [[1, 0]]}}, 2, "streams.S[0]: expected a row (x INT), a start and an end, got [1, 0]"),
    ({**CASE, "streams": {"S": [["1", 0, 1]]}}, 2, "streams.S[0]: x must be INT, got '1'"),
    ({**CASE, "streams": {"S": [[True, 0, 1]]}}, 2, "streams.S[0]: x must be INT, got True"),
    ({**CASE, "streams": {"S": [[2**64, 0, 1]]}}, 2, "streams.S[0]: x must fit into 64 bits"),
    ({**CASE, "streams": {"S": [[1, 3, 3]]}}, 2, "streams.S[0]: expected an end after the start 3, or null, got 3"),
    ({**CASE, "streams": {"S": [[1, -1, 3]]}}, 2, "streams.S[0]: start: expected a whole number"),
    ({**CASE, "streams": {"S": [[1, 4, 5], [1, 3, 5]]}}, 2, "streams.S: IntervalStream: elements must be in the order of time"),
    ({**CASE, "left": [[1, 2]]}, 2, "left[0]: expected a list of at most 1 items, got 2"),
    ({**CASE, "left": 7}, 2, "left: expected a list of at most 10000 items, got 7"),
    ({**CASE, "blamed": "S"}, 2, "blamed: column 2: expected '('"),
    ({**CASE, "plans": ["S(x float)"] * 2, "streams": {"S": [["nan", 0, 1]]}}, 2, "streams.S[0]: x: expected one of -Infinity, Infinity, NaN, got 'nan'"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "code", "message"), COMMAND_LINES, ids=range(len(COMMAND_LINES)))
def test_bad_command_lines(arguments: tuple[str, ...], code: int, message: str) -> None:
    ran = snapeq(*arguments)
    assert message in ran.err
    assert (ran.code, "Traceback" in ran.err) == (code, False)
    assert ran.out == ""


@pytest.mark.parametrize(("content", "code", "message"), FILES, ids=range(len(FILES)))
def test_bad_files(content: str | dict[str, Any], code: int, message: str, tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    text = content if isinstance(content, str) else json.dumps(content)
    case.write_text(text, encoding="utf-8", errors="surrogatepass")
    ran = snapeq("replay", str(case))
    assert message in ran.err
    assert (ran.code, ran.out, "Traceback" in ran.err) == (code, "", False)
