"""The canonical form of a stream that comes in batches is that of the whole stream."""

import numpy as np
import pytest

from physical.columns.column import rows
from physical.columns.row_numbers import perhaps_twins
from physical.columns.stream import PhysicalStream, joined
from physical.files.canonical_runs import RunsOperator, _runs_of_all, by_row, counted, runs_of
from physical.kernels.types import ENDLESS
from semantics import Interval, Schema
from semantics.stream import canonical
from tests.physical.files.random_streams import SCHEMA, batches, drawn, pieces


def streamed(stream: PhysicalStream, size: int, room: int, patience: int) -> PhysicalStream:
    operator = RunsOperator(stream.schema, room=room)
    operator.patience = patience
    results = [PhysicalStream.empty(operator.schema)]
    for batch in batches(stream, size):
        results += [operator.push(batch), operator.heartbeat(int(batch.start[-1]), force=False)]
    results += [operator.heartbeat(ENDLESS), *operator.rest()]
    return joined(results)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("room", "patience"), [(10**6, 0), (3, 0), (10**6, 10**6)])
def test_oracle_runs_are_the_canonical_form_in_its_order(seed: int, room: int, patience: int) -> None:
    stream = drawn(seed, variety=seed % 4)
    found = streamed(stream, 1 + seed % 7, room, patience)
    expected = canonical(stream.to_interval())
    spans = zip(found.start.tolist(), found.end.tolist(), strict=True)
    runs = [(row, start, end) for row, (start, end) in zip(rows(found.columns), spans, strict=True)]
    wanted = [((*row, n), i.start, ENDLESS if i.end == float("inf") else int(i.end)) for row, i, n in expected]
    assert list(map(repr, runs)) == list(map(repr, wanted))


@pytest.mark.parametrize("twins", [0, 1, 7, 40])
def test_differential_rows_that_occur_once_are_told_apart_quickly(twins: int) -> None:
    chance = np.random.default_rng(twins)
    rows_, size = np.arange(600) - 300, 600 + twins
    picked = np.concatenate([rows_, chance.choice(rows_, twins)])[chance.permutation(size)]
    start = np.sort(chance.integers(0, 400, size))
    numbers = [(None if x == 7 else int(x), None if x % 50 == 0 else str(x), 0.0 if x == 9 else -0.0) for x in picked]
    ends = start + chance.integers(1, 9, size)
    elements = [(row, Interval(int(s), int(e))) for row, s, e in zip(numbers, start, ends, strict=True)]
    stream = PhysicalStream.from_elements(Schema.of(x=int, s=str, f=float), elements)
    quick, thorough = (by_row(of(stream, counted(stream.schema))) for of in (runs_of, _runs_of_all))
    assert repr(quick.to_elements()) == repr(thorough.to_elements())


def test_rows_that_hold_null_may_be_twins() -> None:
    values = [(1, None), (2, None), (1, None), (None, None), (3, "a"), (None, None), (1, "a")]
    stream = PhysicalStream.from_elements(Schema.of(x=int, s=str), [(row, Interval(0, 1)) for row in values])
    assert perhaps_twins(stream.columns).tolist() == [True, False, True, True, False, True, False]


def test_what_waits_for_a_long_run_waits_on_disk() -> None:
    many = np.arange(1000)
    from physical.columns.column import ColumnVector
    from semantics import Schema, Type

    values = np.where(many == 0, 0, many)
    start, end = many, np.where(many == 0, 5000, many + 1)
    stream = PhysicalStream(Schema.of(x=int), (ColumnVector(Type.INT, values),), start, end)
    operator = RunsOperator(stream.schema, room=50)
    operator.patience = 0
    most = 0
    for batch in batches(stream, 10):
        operator.push(batch)
        operator.heartbeat(int(batch.start[-1]))
        most = max(most, operator.state.elements)
    operator.heartbeat(ENDLESS)
    assert most < 100
    assert len(operator.over.files) > 10
    assert [int(s) for batch in operator.rest() for s in batch.start] == list(range(1000))
    assert not operator.over.files


def test_schema_is_left_alone() -> None:
    assert RunsOperator(SCHEMA).schema.names == (*SCHEMA.names, "_count")


@pytest.mark.parametrize("seed", range(10))
def test_pieces_have_the_same_runs(seed: int) -> None:
    stream = drawn(seed)
    left, right = (streamed(s, 5, 10**6, 0) for s in (stream, pieces(stream, seed)))
    assert left.equivalent(right)
    assert len(left) == len(right)
