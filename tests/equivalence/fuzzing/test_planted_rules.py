"""Wrong rewrites that are planted: those that queries meet often are found soon, and nothing right is blamed."""

import pytest

from equivalence.fuzzing.callable_optimizer import CallableOptimizer
from equivalence.fuzzing.campaign import Campaign
from equivalence.fuzzing.check_optimizer import check_optimizer
from equivalence.fuzzing.rewrites_under_test import RewritesUnderTest
from equivalence.fuzzing.sql_rewrite import normal
from tests.equivalence.fuzzing.further_planted_rules import PLACED, PLANS, TEXTS
from tests.equivalence.fuzzing.planted_rules import PLANTED

SOON = ("grouped_tables_always_have_partners", "lists_need_no_null", "joins_with_true_have_partners")
OFTEN = ("derived_tables_need_no_distinct", "full_joins_are_left_joins", "everything_equals_itself")


def test_planted_rules_are_found() -> None:
    rules = {name: PLANTED[name] for name in OFTEN} | {"spelling": normal}
    run = Campaign(RewritesUnderTest(CallableOptimizer("planted", rules), proofs=False))
    run.run(lambda number: number < 200 and len({finding.rule for finding in run.findings}) < len(OFTEN))
    assert {finding.rule for finding in run.findings} == set(OFTEN)


def test_rules_about_a_shape_in_its_place_are_found() -> None:
    run = Campaign(RewritesUnderTest(CallableOptimizer("planted", PLACED), proofs=False))
    run.run(lambda number: number < 600 and len({finding.rule for finding in run.findings}) < len(PLACED))
    assert {finding.rule for finding in run.findings} == set(PLACED)


def test_every_planted_rule_changes_something() -> None:
    texts = [
        "SELECT q.a AS x FROM (SELECT DISTINCT a, b FROM t) AS q FULL JOIN u ON TRUE WHERE q.a = q.a",
        "SELECT t.a AS x FROM t LEFT JOIN u ON TRUE WHERE COALESCE(u.a, 1) = 1",
        "SELECT t.a AS x FROM t LEFT JOIN u ON TRUE",
        "SELECT t.a AS x FROM t WHERE NOT t.a IN (SELECT u.a FROM u)",
        "SELECT t.a AS x FROM t WHERE t.a IN (SELECT u.a FROM u)",
        "SELECT a AS x FROM t UNION SELECT a AS x FROM u",
        "SELECT a AS x FROM t EXCEPT SELECT a AS x FROM u",
        "SELECT q.a AS x FROM (SELECT a AS a FROM t ORDER BY 1 LIMIT 1) AS q WHERE q.a > 1",
        "SELECT COUNT(a) AS x, COUNT(DISTINCT a) AS y, SUM(a) AS z FROM t GROUP BY b, a",
        "SELECT b AS x FROM t GROUP BY b, a",
        "SELECT COUNT(*) AS x FROM t HAVING COUNT(*) > 1",
        "SELECT NULLIF(a, 1) AS x FROM t WHERE NOT (a = 1 AND b = 1) AND a BETWEEN 1 AND 2 AND a IS DISTINCT FROM b",
        "SELECT a AS x FROM t WHERE a = 1 OR b = 1",
        "SELECT a AS x FROM t WHERE EXISTS (SELECT COUNT(*) AS n FROM u) AND NOT (a = 1) IS TRUE",
    ]
    changed = {name for name, rule in PLANTED.items() for text in texts if rule(normal(text)) != normal(text)}
    assert changed == set(PLANTED)


@pytest.mark.parametrize("name", SOON)
def test_a_further_rule_of_texts_is_found(name: str) -> None:
    def rule(sql: str) -> str:
        return TEXTS[name](sql)

    assert check_optimizer(rule).kind == "refuted"


@pytest.mark.parametrize("name", PLANS)
def test_a_rule_of_plans_is_found(name: str) -> None:
    verdict = check_optimizer(PLANS[name])
    assert (verdict.kind, verdict.evidence["finding"]) == ("refuted", "WrongResult")
