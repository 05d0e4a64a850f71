"""Long-running sessions: sharing, slack, late elements, queries that come and go, and bad input."""

from collections.abc import Callable

import numpy as np
import pytest

from physical import PhysicalStream, Session, run
from physical.columns.stream import joined
from physical.kernels.types import Ints
from semantics import RawStream, Schema, SchemaError, SnapeqError, StreamError, WindowError, col, count, source
from semantics.builder.query import Query

A = source("A", x=int)
B = source("B", x=int)
SOURCES = {"A": A.schema, "B": B.schema}


def raw(*elements: tuple[int, int]) -> RawStream:
    return RawStream(A.schema, [((x,), t) for x, t in elements])


class Collected:
    """A subscriber that keeps what it gets."""

    def __init__(self, session: Session, name: str, query: Query) -> None:
        self.schema = query.schema
        self.batches: list[PhysicalStream] = []
        session.add(name, query)
        session.subscribe(name, self.batches.append)

    @property
    def whole(self) -> PhysicalStream:
        return joined([PhysicalStream.empty(self.schema), *self.batches])


def test_a_session_gives_what_a_run_gives() -> None:
    query = A.window(5).union(B.window(3)).group_by("x").aggregate(n=count())
    session = Session(SOURCES)
    got = Collected(session, "q", query)
    session.push("A", raw((1, 0), (2, 3)))
    session.push("B", raw((1, 1), (2, 4)))
    session.push("A", raw((1, 9)))
    session.close()
    assert got.whole.equivalent(run(query, {"A": raw((1, 0), (2, 3), (1, 9)), "B": raw((1, 1), (2, 4))}))


def test_elements_within_the_slack_are_put_in_order() -> None:
    query = A.window(2).distinct()
    session = Session(SOURCES, slack=3)
    got = Collected(session, "q", query)
    session.push("A", disordered((1, 5), (2, 3), (3, 4)))
    session.push("A", disordered((4, 8), (5, 6)))
    session.close()
    assert got.whole.equivalent(run(query, {"A": raw((2, 3), (3, 4), (1, 5), (5, 6), (4, 8))}))
    assert session.late == {"A": 0, "B": 0}


def disordered(*elements: tuple[int, int]) -> PhysicalStream:
    ordered = PhysicalStream.of(raw(*sorted(elements, key=lambda e: e[1])))
    ranks = np.argsort(np.argsort([t for _, t in elements], kind="stable"), kind="stable")
    return ordered.take(ranks)


def test_late_elements_are_refused_or_counted() -> None:
    strict, lenient = Session(SOURCES, slack=1), Session(SOURCES, slack=1, drop_late=True)
    query = A.window(2)
    results = [Collected(session, "q", query) for session in (strict, lenient)]
    for session in (strict, lenient):
        session.push("A", raw((1, 5)))
    with pytest.raises(StreamError, match="push: elements must start at 4 or later, got 2"):
        strict.push("A", raw((7, 2), (8, 6)))
    lenient.push("A", raw((7, 2), (8, 6)))
    strict.push("A", raw((8, 6)))
    assert (strict.late["A"], lenient.late["A"]) == (0, 1)
    for session, got in zip((strict, lenient), results, strict=True):
        session.close()
        assert got.whole.equivalent(run(query, {"A": raw((1, 5), (8, 6))}))


def test_a_heartbeat_brings_out_all_that_is_valid_before_it() -> None:
    session = Session(SOURCES)
    got = Collected(session, "q", A.window(10).aggregate(n=count()))
    session.push("A", raw((1, 0)))
    session.heartbeat(4)
    assert [(i.start, i.end) for _, i in got.whole.to_interval().elements] == [(0, 4)]


def test_queries_added_together_share_their_subplans() -> None:
    session = Session(SOURCES)
    session.add("one", A.window(5).distinct())
    session.add("two", A.window(5).aggregate(n=count()))
    session.push("A", raw((1, 0)))
    names = sorted(operator.name for operator in session.operators)
    assert names == ["A", "Aggregation", "Distinct", "Split", "TimeWindow"]


def test_a_query_sees_what_is_pushed_after_it_was_added_whatever_else_runs() -> None:
    query = A.window(5).aggregate(n=count())
    session = Session(SOURCES)
    early = Collected(session, "early", query)
    session.push("A", raw((1, 0), (1, 1)))
    late = Collected(session, "late", query)
    session.push("A", raw((1, 2), (1, 3)))
    session.remove("early")
    heard = len(early.batches)
    session.push("A", raw((1, 4)))
    session.close()
    assert late.whole.equivalent(run(query, {"A": raw((1, 2), (1, 3), (1, 4))}))
    assert len(early.batches) == heard


def test_removing_one_of_two_equal_queries_leaves_the_other() -> None:
    session = Session(SOURCES)
    one, two = (Collected(session, name, A.window(5)) for name in ("one", "two"))
    session.remove("one")
    session.push("A", raw((1, 0)))
    session.close()
    assert one.batches == []
    assert two.whole.equivalent(run(A.window(5), {"A": raw((1, 0))}))


def test_removing_one_of_two_sharing_queries_leaves_the_other() -> None:
    session = Session(SOURCES)
    session.add("one", A.window(5).distinct())
    two = Collected(session, "two", A.window(5).filter(col("x") > 1))
    session.push("A", raw((2, 0)))
    session.remove("one")
    session.push("A", raw((3, 1)))
    session.close()
    assert two.whole.equivalent(run(A.window(5).filter(col("x") > 1), {"A": raw((2, 0), (3, 1))}))


def test_unbounded_windows_need_leave() -> None:
    query = A.landmark(0).aggregate(n=count())
    with pytest.raises(WindowError, match=r"add: aggregate\(count\(\*\) as n\) is above an unbounded window"):
        Session(SOURCES).add("q", query)
    Session(SOURCES, allow_unbounded=True).add("q", query)
    Session(SOURCES).add("q", A.landmark(0).filter(col("x") > 1))


def _closed() -> Session:
    session = Session(SOURCES)
    session.close()
    return session


@pytest.mark.parametrize(
    ("attempt", "kind", "message"),
    [
        (lambda s: s.push("C", raw()), SchemaError, "push: unknown source 'C'; sources: A, B"),
        (lambda s: s.push("A", RawStream(Schema.of(y=str))), StreamError, "push: source 'A' must have columns x INT, got y STR"),
        (lambda s: s.push("A", raw((1, 2))), StreamError, "push: elements must start at 7 or later, got 2"),
        (lambda s: s.push("A", PhysicalStream.of(raw((1, 9))).valid_during(*_times(9, 9))), StreamError, "push: element 0 must have an end after its start, got [9, 9)"),
        (lambda s: s.heartbeat(3, "A"), StreamError, "heartbeat: A must not go back before 7, got 3"),
        (lambda s: s.heartbeat(3), StreamError, "heartbeat: A must not go back before 7, got 3"),
        (lambda s: s.add("q", A), SchemaError, "add: there is a query 'q' already"),
        (lambda s: s.add("p", source("C", x=int)), SchemaError, "add: unknown source 'C'; sources: A, B"),
        (lambda s: s.add("p", source("A", x=str)), SchemaError, "add: source 'A' has columns x INT, the query wants x STR"),
        (lambda s: s.remove("p"), SchemaError, "remove: unknown query 'p'; queries: q"),
        (lambda s: s.subscribe("p", print), SchemaError, "subscribe: unknown query 'p'; queries: q"),
        (lambda s: _closed().push("A", raw((1, 0))), StreamError, "push: the session is closed"),
        (lambda s: _closed().heartbeat(3), StreamError, "heartbeat: the session is closed"),
        (lambda s: _closed().add("q", A), StreamError, "add: the session is closed"),
    ],
)  # fmt: skip
def test_bad_input_is_named_and_nothing_is_lost(
    attempt: Callable[[Session], object], kind: type[SnapeqError], message: str
) -> None:
    session = Session(SOURCES)
    got = Collected(session, "q", A.window(3).distinct())
    session.push("A", raw((1, 6), (2, 7)))
    with pytest.raises(kind) as caught:
        attempt(session)
    assert str(caught.value) == message
    session.push("A", raw((3, 8)))
    session.close()
    assert got.whole.equivalent(run(A.window(3).distinct(), {"A": raw((1, 6), (2, 7), (3, 8))}))


def _times(start: int, end: int) -> tuple[Ints, Ints]:
    return np.array([start]), np.array([end])
