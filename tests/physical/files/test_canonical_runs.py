"""The canonical form of a stream that comes in batches is that of the whole stream."""

import numpy as np
import pytest

from physical.columns.column import rows
from physical.columns.stream import PhysicalStream, joined
from physical.files.canonical_runs import RunsOperator
from physical.kernels.types import ENDLESS
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
