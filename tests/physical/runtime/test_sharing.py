"""One graph of running queries: who comes later shares what holds nothing that it must not see."""

from itertools import pairwise
from random import Random

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import choose_case
from equivalence.cases.random_plans import choose_plan
from physical import PhysicalStream, Session
from physical.columns.stream import joined
from physical.engine import ENGINES
from semantics import RawStream, Schema, evaluate, parse_plan

SCHEMA = Schema.of(x=int)
S = "S(x int)"
HORIZON = 50


def raw(*times: int) -> RawStream:
    return RawStream(SCHEMA, [((t % 3,), t) for t in times])


def _session(*plans: str) -> Session:
    session = Session({"S": SCHEMA}, raw=["S"])
    for number, plan in enumerate(plans):
        session.add(f"q{number}", parse_plan(plan))
    return session


def test_a_stateless_prefix_is_shared_by_a_later_query() -> None:
    session = _session(f"{S} | filter(x > 0) | window(range 5)")
    session.push("S", raw(1, 2))
    before = len(session.operators)
    session.add("later", parse_plan(f"{S} | filter(x > 0) | window(range 5) | distinct"))
    assert len(session.operators) == before + 1


def test_state_is_not_shared_while_it_holds_something() -> None:
    plan = f"{S} | window(range 5) | distinct"
    session = _session(plan)
    session.push("S", raw(1, 2))
    session.add("with a state of its own", parse_plan(plan))
    assert [operator.name for operator in session.operators].count("Distinct") == 2


def test_state_is_shared_when_it_is_empty_again() -> None:
    plan = f"{S} | window(range 5) | distinct"
    session = _session(plan)
    session.push("S", raw(1, 2))
    session.heartbeat(20)
    session.add("later", parse_plan(plan))
    assert [operator.name for operator in session.operators].count("Distinct") == 1


def test_elements_that_wait_for_others_are_not_seen_by_a_later_query() -> None:
    session = Session({"S": SCHEMA}, raw=["S"], slack=5)
    early: list[PhysicalStream] = []
    late: list[PhysicalStream] = []
    session.add("early", parse_plan(S))
    session.subscribe("early", early.append)
    session.push("S", raw(1, 2))
    session.add("late", parse_plan(S))
    session.subscribe("late", late.append)
    session.push("S", raw(3))
    session.close()
    assert joined(early).start.tolist() == [1, 2, 3]
    assert joined(late).start.tolist() == [3]


def test_a_total_speaks_from_the_beginning_of_time() -> None:
    total = parse_plan(f"{S} | window(range 2) | total(count(*) as n)")
    session = Session({"S": SCHEMA}, raw=["S"])
    session.add("early", total)
    session.heartbeat(10)
    results: list[PhysicalStream] = []
    session.add("late", total)
    session.subscribe("late", results.append)
    session.push("S", raw(12))
    session.close()
    assert joined(results).to_logical(20) == evaluate(total, {"S": raw(12)}, 20)


def test_removing_a_query_takes_nothing_away_from_another() -> None:
    session = _session(f"{S} | window(range 5) | distinct")
    session.push("S", raw(1))
    results: list[PhysicalStream] = []
    session.add("later", parse_plan(f"{S} | window(range 5)"))
    session.subscribe("later", results.append)
    session.remove("q0")
    session.push("S", raw(2, 3))
    session.close()
    assert joined(results).start.tolist() == [2, 3]


@pytest.mark.parametrize("engine", ["interval", "delta", "incremental", "reevaluation", "dataflow", "stored"])
@pytest.mark.parametrize("seed", range(12))
def test_oracle_queries_that_come_and_go_see_what_is_pushed_while_they_are_there(engine: str, seed: int) -> None:
    """Three queries over the same streams, each added somewhere; two of them are equal, and one is removed."""
    random = Random(f"{engine}/{seed}")
    choices = SeededChoices(f"sharing/{seed}")
    plan = choose_plan(choices, awkward=False)
    case = choose_case(choices, plan.sources(), awkward=False)
    streams = {name: PhysicalStream.of(stream) for name, stream in case.items()}
    other = next((node for node in plan.walk() if node is not plan), plan)
    session = ENGINES[engine].session({name: stream.schema for name, stream in streams.items()})  # type: ignore[attr-defined]  # these have sessions
    instants = sorted(random.sample(range(1, 12), 3))
    results: dict[int, list[PhysicalStream]] = {}
    for number, (added, until) in enumerate(pairwise([0, *instants, HORIZON])):
        if number == 3:
            session.remove("0")
        else:
            results[number] = []
            session.add(str(number), plan if number % 2 == 0 else other)
            session.subscribe(str(number), results[number].append)
        for name, stream in streams.items():
            due = stream.take((stream.start >= added) & (stream.start < until))
            if len(due):
                session.push(name, due)
        session.heartbeat(until)
    for number in (1, 2):
        asked, since = (plan if number % 2 == 0 else other), [0, *instants][number]
        seen = {name: stream.take(stream.start >= since).to_interval() for name, stream in streams.items()}
        given = {name: seen[name] for name in asked.sources()}
        found = joined([PhysicalStream.empty(asked.schema), *results[number]])
        assert found.to_logical(HORIZON) == evaluate(asked, given, HORIZON)
