"""Small batches are treated by rows and large ones in columns: whoever has the state, results are the same."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON
from equivalence.cases.strategies import plans
from physical.columns.row_batch import RowBatch, from_rows
from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL_ALGEBRA, interval_graph
from physical.engines.interval.row_operators import TWINS
from physical.runtime import operator_graph, row_operator
from physical.runtime.operator_graph import OperatorGraph
from semantics import (
    ArithmeticOverflow,
    IntervalStream,
    LogicalStream,
    Plan,
    Schema,
    StreamError,
    col,
    count,
    parse,
    source,
)
from tests.physical.engines.interval.schedules import scheduled
from tests.seeded_cases import random_case

SEEDS = st.integers(0, 2**32)
in_columns = partial(OperatorGraph, replace(INTERVAL_ALGEBRA, twin=lambda _: None))


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two elements are few and five are many, so that the state goes to and fro."""
    monkeypatch.setattr(row_operator, "FEW_ELEMENTS", 2)
    monkeypatch.setattr(operator_graph, "ELEMENTS_PER_MOVE", 2)


def inputs_of(plan: Plan, seed: int) -> dict[str, PhysicalStream]:
    case = random_case(Random(seed), plan.sources())
    return {name: PhysicalStream.of(stream) for name, stream in case.items()}


@settings(max_examples=300)
@given(plans(depth=3, awkward=True), SEEDS, st.sampled_from((1, 3, 8)))
def test_differential_rows_and_columns(plan: Plan, seed: int, largest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_operator, "FEW_ELEMENTS", 2)
        patch.setattr(operator_graph, "ELEMENTS_PER_MOVE", 2)
        inputs = inputs_of(plan, seed)
        by_columns = outcome(plan, inputs, Random(seed), largest, in_columns)
        by_rows = outcome(plan, inputs, Random(seed), largest, interval_graph)
    assert by_rows == by_columns


def outcome(
    plan: Plan, inputs: dict[str, PhysicalStream], random: Random, largest: int, graph: Callable[[], OperatorGraph]
) -> LogicalStream | str:
    """The result of a random schedule, or why there is none: an element without an end cannot be split."""
    try:
        result = scheduled(plan, inputs, random, largest, lambda _: graph())
    except ArithmeticOverflow:
        reject()
    except StreamError as error:
        return str(error)
    return result.checked("result").to_logical(CASE_HORIZON)


A, B = source("A", x=int), source("B", y=int)
STATEFUL = {
    "split": A,
    "union": A.union(B),
    "grouping": A.group_by("x").aggregate(n=count()),
    "distinct": A.distinct(),
    "join": A.join(B, col("x") == col("y")),
}


def interval(schema: Schema, *elements: tuple[int, int, int]) -> RowBatch:
    return RowBatch(schema, [((x,), start, end) for x, start, end in elements])


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("name", STATEFUL)
def test_looking_at_the_state_changes_nothing(name: str) -> None:
    """Whoever asks for an operator gets its state in columns; the next small batch takes it back."""
    query = STATEFUL[name] if name != "split" else A.window(2)
    outputs = []
    for looks in (False, True):
        graph, given = interval_graph(), list[PhysicalStream]()
        graph.query(query.plan, frozenset()).subscribers.append(given.append)
        for t in range(12):
            for source_name, nodes in graph.sources.items():
                schema = {"A": A, "B": B}[source_name].schema
                for node in nodes:
                    node.push(interval(schema, (t % 3, t, t + 5), (t % 2, t, t + 2)), 0)
            if looks:
                assert all(sum(map(len, operator.held())) < 40 for operator in graph.operators)
        outputs.append([element for batch in given for element in batch.to_elements()])
    assert sorted(outputs[0]) == sorted(outputs[1])


def test_rows_are_made_into_columns_once() -> None:
    batch = interval(A.schema, (1, 0, 5), (2, 3, 4))
    assert batch.in_columns() is batch.in_columns()
    assert batch.to_interval() == parse("interval(x int): (1)@[0, 5) (2)@[3, 4)")
    assert batch.take(batch.start > 0).to_elements() == [((2,), 3, 4)]


def test_floats_that_count_as_one_are_one_in_rows() -> None:
    schema = Schema.of(v=float)
    stream = from_rows(schema, [((float("nan"),), 0, 1), ((float("nan"),), 1, 2), ((-0.0,), 2, 3)])
    (first, *_), (second, *_), (zero, *_) = stream.to_elements()
    assert first == second
    assert str(zero[0]) == "0.0"


def test_an_empty_stream_has_no_rows() -> None:
    assert PhysicalStream.of(IntervalStream(A.schema)).to_elements() == []


def test_every_twin_is_of_its_operator_and_of_no_subclass() -> None:
    for kind in TWINS:
        assert not any(kind is not other and issubclass(kind, other) for other in TWINS)
