"""`check_optimizer` of texts and of plans, and its fixture."""

from collections.abc import Callable

import pytest

from equivalence import check_optimizer
from equivalence.fuzzing.callable_optimizer import takes_sql
from semantics import Plan
from semantics.plan import Distinct
from snapeq import Verdict


def no_distinct(plan: Plan) -> Plan:
    return plan.input if isinstance(plan, Distinct) else plan


def longer(sql: str) -> str:
    return sql.replace("COUNT(*)", "COUNT(1)")


def raises(sql: str) -> str:
    if "UNION" in sql:
        raise ValueError("no unions")
    return sql


def test_which_functions_take_sql() -> None:
    assert takes_sql(longer)
    assert takes_sql(lambda sql: sql.upper())
    assert not takes_sql(no_distinct)
    assert not takes_sql(lambda plan: plan)
    assert not takes_sql(lambda plan: plan.input)


def test_plans_are_checked_as_before() -> None:
    verdict = check_optimizer(no_distinct)
    assert verdict.evidence["finding"] == "WrongResult"


def test_a_function_that_changes_little_is_unknown() -> None:
    verdict = check_optimizer(longer, examples=40)
    assert (verdict.kind, verdict.holds) == ("unknown", False)
    assert "50 are needed" in str(verdict.evidence["why"])


def test_a_function_that_raises() -> None:
    verdict = check_optimizer(raises, examples=200)
    assert (verdict.kind, verdict.evidence["finding"]) == ("refuted", "Raises")
    assert "ValueError: no unions" in str(verdict.evidence["error"])


def test_the_fixture(snapeq_check_optimizer: Callable[..., Verdict]) -> None:
    with pytest.raises(pytest.fail.Exception, match="REFUTED"):
        snapeq_check_optimizer(lambda sql: sql.replace("UNION ALL", "UNION"), examples=300)
