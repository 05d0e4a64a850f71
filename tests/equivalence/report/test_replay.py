"""Whatever is wrong with an engine comes with a plan and streams, and can be saved, read and run again."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from equivalence import check_engine
from equivalence.cases.choices import SeededChoices
from equivalence.cases.delivery import Delivery
from equivalence.cases.schedules import DISORDER_SLACK, choose_schedule
from equivalence.report.regression import as_test
from equivalence.report.replay import replay
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.json.document import SavedCase, read_case, to_json
from equivalence.verdicts.json.reading import DocumentError, read_json
from equivalence.verdicts.verdict import Verdict
from physical import run
from physical.engines.interval.engine import IntervalEngine
from physical.runtime.graph_session import GraphSession
from semantics import Multiset, Plan, Schema, parse, parse_plan
from semantics.constraint import elements_of

PLAN = parse_plan("A(x int) | filter(x > 0)")
STREAMS = {"A": parse("interval(x int): (1)@[0,2) (2)@[0,∞) (null)@[1,3) (1)@[2,4) (3)@[5,6)")}


class Failing(IntervalEngine):
    """Does something else than it should, if the input holds anything."""

    def __init__(self, action: Callable[[Any], Any]) -> None:
        self.action = action

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int | None = None) -> Any:
        found = run(plan, sources, horizon)
        return self.action(found) if len(found) else found


def raises(_: object) -> None:
    raise ValueError("no rows, please")


def hangs(_: object) -> None:
    while True:
        pass


ACTIONS: list[tuple[Callable[[Any], Any], FaultKind]] = [
    (raises, FaultKind.RAISES),
    (hangs, FaultKind.HANGS),
    (lambda _: 7, FaultKind.WRONG_SCHEMA),
    (lambda s: [(("x",), 0, 1)] * len(s), FaultKind.WRONG_SCHEMA),
    (lambda s: [*s.to_interval().elements, ((1,), -1, 0)], FaultKind.INVALID_INTERVAL),
    (lambda _: [((1,), 1, 2), ((1,), 0, 2)], FaultKind.UNSORTED_OUTPUT),
    (lambda _: [((1,), 0, 1)] * 100_000, FaultKind.ENDLESS_OUTPUT),
]


@pytest.mark.parametrize(("action", "name"), ACTIONS, ids=[name for _, name in ACTIONS])
def test_every_fault_comes_with_a_small_case_that_replays(action: Callable[[Any], Any], name: FaultKind) -> None:
    limit = 0.5 if name is FaultKind.HANGS else 60
    verdict = check_engine(Failing(action), PLAN, examples=40, time_limit=limit)
    found = verdict.counterexample
    assert isinstance(found, EngineFault)
    assert (found.fault, found.plan, found.blamed) == (name, PLAN, PLAN)
    if name is not FaultKind.HANGS:  # of which only few smaller cases are tried
        assert [len(elements_of(stream)) for stream in found.streams.values()] == [1]
        case = read_case(read_json(json.dumps(to_json(verdict, engine="failing"))))
        assert case == SavedCase(found, "failing")
        again = replay(case, Failing(action))
        assert again.kind == "refuted"
        assert str(again.evidence["error"]).startswith(f"interval: {name}: ")
    assert replay(SavedCase(found), IntervalEngine()).kind == "agreed"


def test_a_fault_as_text_shows_streams_plan_and_blame() -> None:
    verdict = check_engine(Failing(raises), PLAN, examples=40)
    lines = str(verdict.counterexample).splitlines()
    assert lines[0].startswith("Raises: ValueError: no rows, please; handed over ")
    assert lines[1].startswith("let A = ")
    assert lines[2:] == [
        "plan A(x int) | filter(x > 0)",
        "to blame is filter(x > 0) in A(x int) | filter(x > 0)",
    ]


class Forgetful(IntervalEngine):
    """Its sessions lose every second batch; as a whole it is right."""

    def session(self, sources: Mapping[str, Schema], slack: int = 0, patience: int = 0) -> GraphSession:
        session = super().session(sources, slack, patience)
        push, pushed = session.push, []

        def losing(source: str, elements: Any) -> None:
            pushed.append(source)
            if len(pushed) % 2:
                push(source, elements)

        session.push = losing  # type: ignore[method-assign]
        return session


def test_what_only_a_schedule_shows_is_run_again_by_the_same_schedule() -> None:
    delivery = Delivery(schedule=choose_schedule(SeededChoices(1), STREAMS, slack=DISORDER_SLACK), slack=DISORDER_SLACK)
    found = Counterexample((PLAN,), STREAMS, 5, Multiset([(3,)]), Multiset(), PLAN, delivery)
    case = read_case(read_json(json.dumps(to_json(Verdict("refuted", {}, found)))))
    assert case.found.delivery is not None
    assert case.found.delivery.to_json() == delivery.to_json()
    assert replay(case, Forgetful()).kind == "refuted"
    assert replay(case, IntervalEngine()).kind == "agreed"
    assert replay(SavedCase(Counterexample((PLAN,), STREAMS, 5, Multiset(), Multiset())), Forgetful()).kind == "agreed"


def test_a_fault_as_a_test_fails_as_long_as_the_fault_is_there() -> None:
    fault = EngineFault(PLAN, STREAMS, 5, "Crashed", "the process ended with exit code 3", PLAN)
    text = as_test(fault, engine="interval")
    space: dict[str, Any] = {}
    exec(compile(text, "test", "exec"), space)  # our own text
    space["test_crashed"]()
    assert "replay(case, 'interval')" in text


@pytest.mark.parametrize(
    "delivery",
    [
        {"columns": 3},
        {"rows": True},
        {"schedule": []},
        {"schedule": [{"push": [], "source": "B"}], "slack": 0},
        {"schedule": [{"push": [], "source": "A"}], "slack": 0},
        {"schedule": [{"push": [[1]], "source": "A"}], "slack": 0},
        {"schedule": [{"heartbeat": -1}], "slack": 0},
        {"schedule": [{"heartbeat": 1, "source": 7}], "slack": 0},
        {"schedule": [{}], "slack": -1},
        [],
    ],
)
def test_a_way_that_is_none_is_an_error(delivery: object) -> None:
    fault = EngineFault(PLAN, STREAMS, 5, "Raises", "no").to_json() | {"way": delivery}
    with pytest.raises(DocumentError):
        read_case({"verdict": "refuted", "evidence": {}, "counterexample": fault})
