"""Calls that a session, an operator and a run must refuse, or must not: no generated case makes them."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np

from equivalence.mutants.machine.trial import Trial
from physical.columns.column import from_values
from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import interval_graph
from physical.engines.interval.operator import IntervalOperator
from physical.engines.interval.run_plan import run
from physical.engines.interval.session import Session
from physical.files.canonical_runs import counted
from physical.runtime.operator_graph import OperatorGraph
from semantics import Plan, Schema, SnapeqError, Type, parse_plan

SCHEMA: Final = Schema.of(x=int)
QUERY: Final = parse_plan("A(x int) | window(range 5)")
FILTERED: Final = parse_plan("A(x int) | window(range 5) | filter(x >= 0 or x < 0 or x is null)")
MAPPED: Final = parse_plan("A(x int) | window(range 5) | map(x as y, x as z)")
BOTH: Final = parse_plan("union(A(x int), B(x int)) | window(range 5)")
_ENDLESS: Final = "A(x int) | window(range unbounded) | filter({}) | distinct"
ENDING_WITH_TIME: Final = parse_plan(_ENDLESS.format("now < x and x > 0"))
BEGINNING_WITH_TIME: Final = parse_plan(_ENDLESS.format("now > x"))
ENDING_BY_CHANCE: Final = parse_plan(_ENDLESS.format("now < x or x > 0"))
OTHER_SCHEMA: Final = parse_plan("A(x str) | window(range 5)")
OTHER_SOURCE: Final = parse_plan("B(x int) | window(range 5)")
GROWING: Final = parse_plan("A(x int) | window(range unbounded) | aggregate(count(*) as n)")

GROWING_ON_ONE_SIDE: Final = parse_plan(
    "union(A(x int) | window(range 5), A(x int) | window(range unbounded)) | distinct"
)


def _stream(*spans: tuple[int, int], schema: Schema = SCHEMA) -> PhysicalStream:
    """Elements that nobody has looked at yet."""
    start, end = (np.array([span[i] for span in spans], np.int64) for i in (0, 1))
    return PhysicalStream(schema, (from_values([1] * len(spans), Type.INT),), start, end)


def _running() -> Session:
    session = Session({"A": SCHEMA})
    session.add("q", QUERY)
    session.push("A", _stream((2, 3)))
    return session


def _started(name: str, query: Plan) -> bool:
    """Does a running session take a further query?"""
    session = _running()
    session.add(name, query)
    return name in session.queries


def _of_two_sources() -> Session:
    """The second source has promised more than the first."""
    session = Session({"A": SCHEMA, "B": SCHEMA})
    session.add("q", BOTH)
    session.heartbeat(5, "B")
    return session


def _changing() -> Session:
    session = _running()
    session.migrate("q", FILTERED)
    return session


def _waiting() -> Session:
    """An element waits for others that may come late."""
    session = Session({"A": SCHEMA}, slack=3)
    session.add("q", QUERY)
    session.push("A", _stream((2, 3)))
    return session


def _without_queries() -> Session:
    session = _running()
    session.remove("q")
    return session


def _closed() -> Session:
    session = _running()
    session.close()
    return session


def _operator() -> IntervalOperator:
    """A single operator that has seen something, as someone uses it who builds a plan by hand."""
    _, found = _graph().operators  # the source and the window
    assert isinstance(found, IntervalOperator)
    found.push(_stream((2, 3)))
    return found


def _graph() -> OperatorGraph:
    graph = interval_graph()
    graph.query(QUERY, frozenset({"A"}))
    return graph


def _closed_operator() -> IntervalOperator:
    operator = _operator()
    operator.close()
    return operator


WINDOWS: Final = {
    operator: parse_plan(f"A(x int) | {step}")
    for operator, step in {
        "a time window": "window(range 5)",
        "a landmark window": "window(landmark 0 reset 5)",
        "a window of rows": "window(rows 2)",
        "a window of rows of a key": "window(partition by x rows 2)",
        "a session window": "window(session 3)",
        "functions over rows in order": "over(lag(x, 1) as before)",
    }.items()
}


def _lasting(plan: Plan) -> object:
    """The operator at the root gets rows that nobody has split into instants."""
    operator = interval_graph().query(plan, frozenset({"A"})).operator
    assert isinstance(operator, IntervalOperator)
    return operator.push(_stream((2, 5)))


def _adding(plan: Plan) -> None:
    _running().add("r", plan)


def _beyond_time() -> object:
    """One session ends in time, another one would end after all of it."""
    return run(WINDOWS["a session window"], {"A": _stream((2, 3), (2**63 - 3, 2**63 - 2))})


def _ending(*spans: tuple[int, int]) -> Session:
    """It has cut these elements into pieces as far as time has come, and goes to the end of time."""
    session = Session({"A": SCHEMA})
    session.add("q", QUERY)
    session.push("A", _stream(*spans))
    session.close()
    return session


NAMES: Final[Mapping[str, Callable[[], object]]] = {
    "a query twice": lambda: _running().add("q", QUERY),
    "a query over an unknown source": lambda: _running().add("r", OTHER_SOURCE),
    "a query over other columns": lambda: _running().add("r", OTHER_SCHEMA),
    "a query whose state grows": lambda: _running().add("r", GROWING),
    **{
        f"a query that looks at all rows so far by {function}": partial(
            _adding, parse_plan(f"A(x int) | over({function} as y)")
        )
        for function in ("sum(x) rows unbounded", "first(x) range unbounded", "last(x) rows unbounded", "row_number()")
    },
    "a query whose state grows on one side": lambda: _running().add("r", GROWING_ON_ONE_SIDE),
    "an unknown query removed": lambda: _running().remove("r"),
    "a query removed twice": lambda: _without_queries().remove("q"),
    "an unknown query subscribed to": lambda: _running().subscribe("r", print),
    "an unknown source": lambda: _running().push("B", _stream((3, 4))),
    "other columns": lambda: _running().push("A", _stream((3, 4), schema=Schema.of(y=int))),
    "a late element": lambda: _running().push("A", _stream((1, 4))),
    "an element without an instant": lambda: _running().push("A", _stream((4, 4))),
    "a heartbeat that goes back": lambda: _running().heartbeat(1),
    "a query whose rows end only by chance": lambda: _running().add("r", ENDING_BY_CHANCE),
    "a query whose rows begin with time": lambda: _running().add("r", BEGINNING_WITH_TIME),
    "a heartbeat that takes one of two sources back": lambda: _of_two_sources().heartbeat(3),
    "a plan of other columns for a running query": lambda: _running().migrate("q", MAPPED),
    "a plan for an unknown query": lambda: _running().migrate("r", QUERY),
    "a second plan before the first has taken over": lambda: _changing().migrate("q", FILTERED),
    "a column that results need for themselves": lambda: counted(Schema.of(x=int, _start=int)),
    "a heartbeat of an unknown source": lambda: _running().heartbeat(4, "B"),
    "an element after the end": lambda: _closed().push("A", _stream((2**63 - 1, 2**63 - 1))),
    "a query after the end": lambda: _closed().add("r", QUERY),
    "a heartbeat after the end": lambda: _closed().heartbeat(2**63 - 1),
    "a batch at a port that is not there": lambda: _operator().push(_stream((3, 4)), 1),
    "a batch at a port before the first": lambda: _operator().push(_stream((3, 4)), -1),
    "a batch of other columns": lambda: _operator().push(_stream((3, 4), schema=Schema.of(s=str))),
    "a late batch": lambda: _operator().push(_stream((1, 4))),
    "a batch in disorder": lambda: _operator().push(_stream((4, 5), (3, 4))),
    "a batch after the end": lambda: _closed_operator().push(_stream((2**63 - 2, 2**63 - 1))),
    "a heartbeat that takes an operator back": lambda: _operator().heartbeat(1),
    "a heartbeat at a port that is not there": lambda: _operator().heartbeat(4, 1),
    "a run without its stream": lambda: run(QUERY, {}),
    "a run over other columns": lambda: run(QUERY, {"A": _stream((0, 1), schema=Schema.of(y=int))}),
    "a run over streams in disorder": lambda: run(QUERY, {"A": _stream((3, 4), (1, 2))}),
    "a run over an empty interval": lambda: run(QUERY, {"A": _stream((3, 4), (4, 4))}),
    **{f"rows that last below {name}": partial(_lasting, plan) for name, plan in WINDOWS.items()},
    "the end of time with what lasts for ever in pieces": lambda: _ending((2, 4), (3, 2**63 - 1)),
    "a session that ends after all time": _beyond_time,
    "a run over the time before time": lambda: run(QUERY, {"A": _stream((-1, 4))}),
}


def _spans(*batches: PhysicalStream) -> list[tuple[int, int]]:
    return [span for batch in batches for span in zip(batch.start.tolist(), batch.end.tolist(), strict=True)]


def _after_heartbeat(t: int) -> Session:
    session = _running()
    session.heartbeat(t)
    return session


UNBOUNDED_WITHOUT_STATE: Final = tuple(
    parse_plan(f"A(x int) | {steps}")
    for steps in (
        "window(range unbounded)",
        "window(range unbounded) | filter(x > 0)",
        "window(range unbounded) | map(x as y)",
        "window(range unbounded) | rstream",
        "window(range unbounded) | filter(x > 0) | window(range 2)",
        "window(range 2) | distinct | window(range unbounded)",
    )
)


def _refuses_without_state() -> bool:
    session = Session({"A": SCHEMA})
    for number, plan in enumerate(UNBOUNDED_WITHOUT_STATE):
        session.add(str(number), plan)
    return len(session.operators) == 0


GOOD_CALLS: Final[Mapping[str, Callable[[], bool]]] = {
    "an operator gives out a batch": lambda: _spans(_operator().push(_stream((3, 4)))) != [(3, 8)],
    "an operator takes what starts with the last": lambda: _operator().watermark != 2,
    "what lasts for some time is cut up to the end of time": lambda: not _ending((2, 4), (3, 5)).closed,
    "an empty batch gives nothing": lambda: len(_operator().push(_stream())) != 0,
    "a heartbeat may repeat what is known": lambda: len(_operator().heartbeat(2)) != 0,
    "a closed operator has given out all": lambda: len(_closed_operator().close()) != 0,
    "a closed operator promises that nothing comes": lambda: _closed_operator().progress < 2**62,
    "a heartbeat of a session may repeat what is known": lambda: _after_heartbeat(2).closed,
    "unbounded windows below what has no state are accepted": _refuses_without_state,
    "rows may end with time": lambda: not _started("r", ENDING_WITH_TIME),
    "a session that waits for nothing holds nothing": lambda: Session({"A": SCHEMA}, slack=3).state.elements != 0,
    "a session holds what waits for others": lambda: _waiting().state.elements != 1,
    "columns of other names are left to results": lambda: len(counted(Schema.of(x=int, start=int))) != 3,
}


def bad_calls(_seed: int, _size: int) -> Iterator[Trial]:
    """One trial for every call."""
    for number, (name, call) in enumerate(NAMES.items()):
        yield Trial("bad calls", number, partial(_accepted, name, call))
    for number, (name, wrong) in enumerate(GOOD_CALLS.items()):
        yield Trial("good calls", number, partial(_broken, name, wrong))


def _broken(name: str, wrong: Callable[[], bool]) -> str | None:
    return f"not so: {name}" if wrong() else None


def _accepted(name: str, call: Callable[[], object]) -> str | None:
    try:
        call()
    except SnapeqError:
        return None
    return f"accepted: {name}"
