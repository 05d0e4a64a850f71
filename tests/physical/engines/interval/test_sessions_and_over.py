"""Session windows and OVER in running queries: when results come out, what is held, and what is refused."""

import pytest

from physical.columns.stream import PhysicalStream
from physical.engines.interval.run_plan import run
from physical.engines.interval.session import Session
from physical.planning.planner import unbounded_state
from semantics import ArithmeticOverflow, Schema, WindowError, parse, parse_plan

S = Schema.of(k=int)
Row = tuple[object, ...]


class Running:
    """A query over S, and what it has given out."""

    def __init__(self, plan: str) -> None:
        self.session = Session({"S": S})
        self.session.add("q", parse_plan(plan))
        self.rows: list[tuple[Row, int, int]] = []
        self.session.subscribe("q", lambda batch: self.rows.extend(batch.to_elements()))

    def push(self, k: int, t: int) -> None:
        self.session.push("S", PhysicalStream.of(parse(f"raw(k int): ({k})@{t}")))


def test_a_session_is_out_when_its_gap_has_passed() -> None:
    running = Running("S(k int) | window(partition by k session 3)")
    running.push(1, 5)
    running.session.heartbeat(7)
    assert running.rows == []
    running.session.heartbeat(8)
    assert running.rows == [((1, 5, 8), 5, 8)]


def test_touching_instants_wait_one_instant_longer() -> None:
    running = Running("S(k int) | window(session 3 touching)")
    running.push(1, 5)
    running.session.heartbeat(8)
    assert running.rows == []
    running.push(2, 8)
    running.session.heartbeat(12)
    assert running.rows == [((1, 5, 11), 5, 11), ((2, 5, 11), 5, 11)]


def test_a_session_waits_for_those_that_began_before_it() -> None:
    running = Running("S(k int) | window(partition by k session 3)")
    for k, t in [(1, 0), (2, 1), (1, 2), (1, 4)]:
        running.push(k, t)
    running.session.heartbeat(6)
    assert running.rows == []
    running.session.heartbeat(7)
    assert [row for row, _, _ in running.rows] == [(1, 0, 7)] * 3 + [(2, 1, 4)]


def test_a_row_with_lead_is_out_when_the_next_has_come() -> None:
    running = Running("S(k int) | over(lead(k, 1) as next)")
    running.push(1, 0)
    running.session.heartbeat(5)
    assert running.rows == []
    running.push(2, 7)
    running.session.heartbeat(8)
    assert running.rows == [((1, 2), 0, 1)]
    running.session.close()
    assert running.rows[1:] == [((2, None), 7, 8)]


def test_over_holds_only_what_later_rows_need() -> None:
    running = Running("S(k int) | over(sum(k) rows 2 as s)")
    for t in range(100):
        running.push(t, t)
    running.session.heartbeat(100)
    assert running.rows[-1] == ((99, 99 + 98 + 97), 99, 100)
    assert running.session.state.elements <= 3


@pytest.mark.parametrize("function", ["sum(k) rows unbounded", "first(k) range unbounded", "row_number()"])
def test_functions_of_all_rows_so_far_are_unbounded(function: str) -> None:
    plan = parse_plan(f"S(k int) | over({function} as r)")
    assert unbounded_state(plan) == plan


def test_what_looks_back_a_little_is_bounded() -> None:
    assert unbounded_state(parse_plan("S(k int) | over(lag(k, 3) as a, sum(k) range 5 as b)")) is None
    assert unbounded_state(parse_plan("S(k int) | window(session 5)")) is None


def test_an_end_beyond_64_bits_overflows() -> None:
    plan, stream = parse_plan("S(k int) | window(session 9)"), parse(f"raw(k int): (1)@{2**63 - 5}")
    with pytest.raises(ArithmeticOverflow, match="SessionWindow must fit into 64 bits"):
        run(plan, {"S": stream})


@pytest.mark.parametrize("text", ["session 0", "partition by k session -1"])
def test_a_gap_is_an_instant_at_least(text: str) -> None:
    with pytest.raises((WindowError, Exception), match="gap"):
        parse_plan(f"S(k int) | window({text})")
