"""Runs of the fuzzer: findings, blame, what is known, what is unknown, and where a run goes on."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from equivalence.fuzzing.callable_optimizer import CallableOptimizer
from equivalence.fuzzing.campaign import Campaign, Known
from equivalence.fuzzing.judge import Judge, Outcome
from equivalence.fuzzing.relational_schema import RelationalSchema, Table
from equivalence.fuzzing.resumption import read_known, resumed, saved
from equivalence.fuzzing.rewrites_under_test import RewritesUnderTest
from equivalence.fuzzing.sql_executors import executors
from equivalence.fuzzing.sql_rewrite import Rewrite, Way
from equivalence.fuzzing.sqlglot_optimizer import SqlglotOptimizer
from semantics import SnapeqError, Type

SCHEMA = RelationalSchema((Table("t", (("a", Type.INT),)), Table("u", (("a", Type.INT), ("b", Type.INT)))))
KEYED = RelationalSchema((Table("t", (("a", Type.INT),), key=("a",)),))


def unions(sql: str) -> str:
    return sql.replace("UNION ALL", "UNION")


def campaign(seed: int = 0, known: tuple[Known, ...] = ()) -> Campaign:
    return Campaign(RewritesUnderTest(CallableOptimizer("mine", {"unions": unions}), proofs=False), seed, known)


def judged(before: str, after: str, schema: RelationalSchema = SCHEMA) -> Outcome:
    return Judge(schema, seconds=60).judge(Rewrite(Way("rule"), before, after)).outcome


@pytest.fixture(scope="module")
def found() -> Campaign:
    run = campaign()
    run.run(lambda number: number < 300 and not run.findings)
    return run


def test_a_wrong_rule_is_found_on_a_small_query_and_little_data(found: Campaign) -> None:
    (finding,) = found.findings
    assert finding.rule == "unions"
    assert finding.query.count("SELECT") == 2
    assert "JOIN" not in finding.query
    assert sum(map(len, finding.tables.values())) <= 2
    assert len(finding.expected) > len(finding.got)


def test_the_reproduction_runs_without_snapeq(found: Campaign, tmp_path: Path) -> None:
    (finding,) = found.findings
    script = finding.reproduction.replace("after = unions(before)", "after = before.replace('UNION ALL', 'UNION')")
    assert "snapeq" not in script
    assert "equivalence" not in script
    file = tmp_path / "reproduction.py"
    file.write_text(script)
    done = subprocess.run([sys.executable, "-I", str(file)], capture_output=True, text=True, check=True)
    texts = done.stdout.splitlines()
    assert texts[0] == finding.query
    assert texts[1] != texts[3]


def test_a_known_finding_refutes_nothing(found: Campaign) -> None:
    (finding,) = found.findings
    known = Known("unions", finding.query)
    run = campaign(known=(known,))
    run.run(lambda number: number <= finding.number)
    assert not run.findings
    assert known.seen == 1


def test_known_findings_are_read_from_a_report(found: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    file.write_text(json.dumps(found.to_json()))
    assert [(one.rule, one.query) for one in read_known(file)] == [("unions", found.findings[0].query)]
    file.write_text('[{"rule": "unions"}]')
    with pytest.raises(SnapeqError, match="each with a rule and a query"):
        read_known(file)


def test_a_run_goes_on_where_it_stopped(found: Campaign) -> None:
    last = found.number
    first, second = campaign(), campaign()
    first.run(lambda number: number < last // 2)
    resumed(second, saved(first))
    second.run(lambda number: number < last)
    assert second.to_json() == found.to_json()
    third = campaign(seed=1)
    with pytest.raises(SnapeqError, match="expected mine, seed 1"):
        resumed(third, saved(first))


@pytest.mark.parametrize("text", ["[]", "{}", '{"optimizer": "mine", "seed": 0}', "null"])
def test_a_file_that_no_run_wrote_is_refused(text: str) -> None:
    with pytest.raises(SnapeqError, match="expected what --resume of this version wrote"):
        resumed(campaign(), text)


def test_a_finding_is_as_it_was_after_a_pause(found: Campaign) -> None:
    again = campaign()
    resumed(again, saved(found))
    assert again.findings == found.findings


def test_a_rule_that_fired_seldom_is_unknown() -> None:
    run = Campaign(RewritesUnderTest(CallableOptimizer("mine", {"nothing": lambda sql: sql}), proofs=False))
    run.run(lambda number: number < 3)
    assert run.unknown == ["nothing"]
    assert run.to_json()["rules"] == {
        "nothing": dict.fromkeys(("fired", "proved", "agreed", "refuted", "unreadable"), 0)
    }


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("SELECT a AS x FROM t", 'SELECT "a" AS "x" FROM "t"', Outcome.PROVED),
        ("SELECT a AS x FROM t WHERE a > 1 AND a < 3", "SELECT a AS x FROM t WHERE a < 3 AND a > 1", Outcome.PROVED),
        ("SELECT a AS x FROM t WHERE a = a", "SELECT a AS x FROM t", Outcome.REFUTED),
        ("SELECT COUNT(*) AS x FROM t", "SELECT COUNT(*) AS x FROM t HAVING COUNT(*) > 0", Outcome.REFUTED),
        ("SELECT a AS x FROM t", "SELECT a AS x FROM t ORDER BY RANDOM()", Outcome.UNREADABLE),
        ("SELECT a AS x FROM t", "SELECT c AS x FROM t", Outcome.REFUTED),
        ("SELECT a AS x FROM t", "SELECT NO_SUCH_FUNCTION(a) AS x FROM t", Outcome.UNREADABLE),
    ],
)
def test_judgements(before: str, after: str, outcome: Outcome) -> None:
    assert judged(before, after) is outcome


def test_declared_keys_count() -> None:
    before, after = "SELECT DISTINCT a AS x FROM t", "SELECT a AS x FROM t"
    assert judged(before, after) is Outcome.REFUTED
    assert judged(before, after, KEYED) is Outcome.PROVED


def test_a_difference_that_no_system_shows_is_not_a_finding() -> None:
    judge = Judge(SCHEMA, systems=())
    rewrite = Rewrite(Way("rule"), "SELECT a AS x FROM t WHERE a = a", "SELECT a AS x FROM t")
    assert judge.judge(rewrite).outcome is Outcome.UNCONFIRMED


def test_sqlglot_is_blamed_for_merging_constants_below_outer_joins() -> None:
    """docs/findings/sqlglot-merge-subqueries-outer-join.md"""
    sql = "SELECT q.x AS x FROM t LEFT JOIN (SELECT 1 AS x, u.a AS a FROM u) AS q ON t.a = q.a"
    optimizer = SqlglotOptimizer("merge_subqueries")
    outcomes = [Judge(SCHEMA).judge(one).outcome for one in optimizer.rewrites(sql, SCHEMA, [Way("merge_subqueries")])]
    assert outcomes == [Outcome.REFUTED]


def test_sqlglot_has_no_such_rule() -> None:
    with pytest.raises(SnapeqError, match="sqlglot has no rule nothing; expected"):
        SqlglotOptimizer("nothing")


@pytest.mark.skipif(len(executors()) < 2, reason="DuckDB is not installed")
def test_what_the_reference_cannot_read_is_shown_on_little_data_too() -> None:
    rules = {"ranks": lambda sql: sql.replace(" RANK()", " DENSE_RANK()")}
    schema = RelationalSchema((Table("t", (("a", Type.INT), ("b", Type.INT))),))
    sql = "SELECT q1.a AS x0, RANK() OVER (ORDER BY q1.a NULLS LAST) AS x1 FROM t AS q1 WHERE q1.b IS NOT NULL"
    (seen,) = RewritesUnderTest(CallableOptimizer("ranks", rules)).observe(sql, schema, {"ranks": 0})
    assert seen.shrink is not None
    finding = seen.shrink(0)
    assert finding.oracle == "execution"
    assert len(finding.tables["t"]) == 3  # two that tie, and one behind them
