"""Engines with switches: which switch is to blame, what is no fault, and the engines that are here."""

from collections.abc import Mapping, Sequence

import pytest

from equivalence.fuzzing.campaign import Campaign
from equivalence.fuzzing.engines.all_engines import ENGINES
from equivalence.fuzzing.engines.switched_engine import SwitchedEngine
from equivalence.fuzzing.fuzz_finding import FuzzFinding
from equivalence.fuzzing.judge import Outcome
from equivalence.fuzzing.relational_schema import RelationalSchema, Table
from equivalence.fuzzing.small_databases import Tables
from equivalence.fuzzing.switches_under_test import EVERY, Switches, SwitchesUnderTest, Trial
from semantics import SnapeqError, Type
from tests.equivalence.fuzzing.switched_sqlite import SwitchedSqlite

SCHEMA = RelationalSchema((Table("t", (("a", Type.INT),)), Table("u", (("a", Type.INT), ("b", Type.INT)))))
TABLES: Tables = {"t": [(1,), (None,)], "u": [(1, 2), (1, None)]}
QUERY = "SELECT q.a AS x0 FROM (SELECT t.a + 1 AS a FROM t JOIN u ON t.a = u.a) AS q WHERE q.a > 1 AND 1 = 1"
FAST = [name for name in ENGINES if name not in ("spark", "sail", "flink")]


def no_distinct(sql: str) -> str:
    return sql.replace("SELECT DISTINCT", "SELECT")


def nothing(sql: str) -> str:
    return sql


def fails(sql: str) -> str:
    if "UNION" in sql:
        raise ValueError("no unions")
    return sql


def found(engine: Switches, queries: int = 150) -> Campaign:
    run = Campaign(SwitchesUnderTest(engine))
    run.run(lambda number: number < queries and not run.findings)
    return run


def finding(engine: Switches) -> FuzzFinding:
    (one,) = found(engine).findings
    return one


def test_the_switch_that_mends_an_answer_is_to_blame() -> None:
    one = finding(SwitchedSqlite({"nothing": nothing, "no_distinct": no_distinct}))
    assert one.rule == "no_distinct"
    assert one.rewritten == "wrong as it is, right after SET no_distinct = off"
    assert one.oracle == "on against off"
    assert "JOIN" not in one.query
    assert sum(map(len, one.tables.values())) <= 2


def test_an_internal_error_with_the_switch_to_blame() -> None:
    one = finding(SwitchedSqlite({"fails": fails}))
    assert one.rule == "fails"
    assert one.got == "internal error: no unions"
    assert one.query.count("SELECT") == 2


def test_what_no_switch_mends_is_the_fault_of_all() -> None:
    one = finding(SwitchedSqlite({"first": no_distinct, "second": no_distinct}))
    assert one.rule == EVERY
    assert one.oracle == "reference"
    assert any(name.startswith("sqlite") for name in one.confirmed_by)


def test_what_no_other_system_confirms_is_no_finding() -> None:
    run = Campaign(SwitchesUnderTest(SwitchedSqlite({"first": no_distinct, "second": no_distinct}), systems=()))
    run.run(lambda number: number < 60)
    assert not run.findings
    assert run.tally[EVERY][Outcome.UNCONFIRMED] > 0


class CountedSqlite(SwitchedSqlite):
    """It knows how often each switch was tried."""

    looks = 0
    close_looks = 0

    def trials(
        self, schema: RelationalSchema, databases: Sequence[Tables], sql: str, off: Sequence[str]
    ) -> Mapping[str, Trial]:
        self.looks += not off
        self.close_looks += bool(off)
        return super().trials(schema, databases, sql, off)


def test_most_queries_that_look_right_are_tried_with_everything_on_alone() -> None:
    engine = CountedSqlite({"nothing": nothing})
    run = found(engine, 80)
    assert 10 < run.tally[EVERY]["fired"] == engine.close_looks < 40
    assert engine.looks + engine.close_looks > 80


def undone(sql: str) -> str:
    return sql.replace("LIMIT 91", "LIMIT 1")


def hidden(sql: str) -> str:
    return sql.replace("LIMIT 1", "LIMIT 91")


def test_what_is_wrong_without_a_switch_is_said_to_be() -> None:
    one = finding(SwitchedSqlite({"undone": hidden, "redone": undone}))
    assert one.rewritten == "wrong after SET redone = off"


def test_what_a_query_needs_is_no_fault() -> None:
    run = found(SwitchedSqlite({"undone": hidden, "redone": undone}, needed=("redone",)), 60)
    assert not run.findings


@pytest.mark.parametrize("name", FAST)
def test_an_engine_that_is_here(name: str) -> None:
    engine = ENGINES[name]
    if not engine.environment.is_installed:
        pytest.skip(f"{name} is not installed")
    switched = SwitchedEngine(engine)
    trials = switched.trials(SCHEMA, [TABLES], QUERY, switched.switches)
    assert {str(sorted(trial.answers[0])) for trial in trials.values() if isinstance(trial.answers[0], list)} == {
        "[(2,), (2,)]"
    }
    assert sum(trial.plan != trials[""].plan for trial in trials.values()) >= 2
    fired = next(switch for switch in switched.switches if trials[switch].plan != trials[""].plan)
    text = switched.reproduction(fired, QUERY, SCHEMA, TABLES)
    assert "snapeq" not in text
    compile(text, "reproduction", "exec")
    with pytest.raises(SnapeqError, match=f"{name} has no switch none; expected"):
        _ = SwitchedEngine(engine, "none").switches


def test_an_internal_error_of_duckdb_has_optimizers_to_blame() -> None:
    """docs/findings/duckdb-full-join-of-distinct.md"""
    if not ENGINES["duckdb"].environment.is_installed:
        pytest.skip("duckdb is not installed")
    sql = (
        "SELECT q2.b AS x0 FROM (SELECT DISTINCT q3.a AS x0 FROM t AS q3) AS q1 FULL JOIN u AS q2 ON q1.x0 = q2.a "
        "FULL JOIN t AS q4 ON q1.x0 = q4.a WHERE q2.b > 0"
    )
    engine = SwitchedEngine(ENGINES["duckdb"], "join_elimination")
    (one,) = [seen for seen in SwitchesUnderTest(engine).observe(sql, SCHEMA, {}) if seen.outcome is Outcome.REFUTED]
    assert one.rule == "join_elimination"
