"""Built-in functions in the conformance suite: who gets plans that call them, and that all of them are tried."""

from collections import Counter

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.function_calls import signatures
from equivalence.cases.random_rows import TYPES
from equivalence.cases.search import CaseOutcome
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in, situations_of
from equivalence.conformance.check_engine import check_engine
from equivalence.conformance.judge import judge
from equivalence.conformance.subject.by_command.capabilities import Capabilities, read_hello
from equivalence.conformance.subject.in_process import InProcess
from equivalence.verdicts.json.reading import DocumentError
from physical.engine import ENGINES
from physical.engines.interval.engine import IntervalEngine
from semantics import Plan, Unsupported, parse_plan
from semantics.functions.calls import built_ins
from semantics.plan import Filter, Map
from semantics.sql import parse_query, read_script

CALL = parse_plan("S(s str) | map(upper(s) as u)")


class Plain(IntervalEngine):
    """An engine that says nothing of functions."""

    knows_functions = False


def names(plan: Plan) -> set[str]:
    return {f.name for node in plan.walk() for e in node.own_expressions for f in built_ins(e)}


def test_an_engine_that_says_nothing_gets_no_calls() -> None:
    with InProcess(Plain()) as subject:
        assert not any(situation.calls_functions for situation in situations_of(subject))
        with pytest.raises(Unsupported, match="does not say knows_functions = True, and the plan calls upper"):
            subject.check_support(CALL)
    with InProcess(IntervalEngine()) as subject:
        assert any(situation.calls_functions for situation in situations_of(subject))
        subject.check_support(CALL)


def test_a_command_gets_the_functions_that_it_lists() -> None:
    assert Capabilities("any").lacking(CALL) == "function 'upper'"
    said = read_hello({"protocol": 1, "engine": "mine", "functions": ["upper"]})
    assert said.lacking(CALL) is None
    with pytest.raises(DocumentError, match=r"hello: functions: expected some of .*; got 'uper'"):
        read_hello({"protocol": 1, "engine": "mine", "functions": ["uper"]})


def test_every_function_of_these_types_is_drawn() -> None:
    drawn: Counter[str] = Counter()
    for seed in range(150):
        plan = attempt_in(SeededChoices(f"drawn {seed}"), Map, SITUATIONS["functions"]).plan
        drawn.update(names(plan))
    known = {way[0] for type_ in TYPES for ways in signatures(type_) for way in ways}
    assert known - drawn.keys() == set()


@pytest.mark.parametrize("name", ENGINES)
def test_oracle_our_engines_know_functions(name: str) -> None:
    with InProcess(ENGINES[name]) as subject:
        cells = [(Map, "functions"), (Filter, "functions in conditions")]
        outcomes = [
            judge(subject, attempt_in(SeededChoices(f"{name} {seed}"), operator, SITUATIONS[situation]))
            for seed in range(8)
            for operator, situation in cells
        ]
    assert all(isinstance(outcome, CaseOutcome) for outcome in outcomes), outcomes
    assert outcomes.count(CaseOutcome.FIRED) >= 6


def test_oracle_functions_of_columns_of_other_types() -> None:
    declared = "CREATE STREAM S(t TIMESTAMP, d DATE, p DECIMAL(9, 2), ts BIGINT) ORDERED BY ts"
    query = "SELECT DATE_TRUNC('day', t) AS day, ROUND(p, 1) AS r, YEAR(d) AS y, GREATEST(p, 1) AS g FROM S"
    assert check_engine(IntervalEngine(), parse_query(query, read_script(declared)), examples=60).kind == "agreed"
