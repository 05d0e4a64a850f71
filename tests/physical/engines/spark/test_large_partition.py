"""A partition that does not fit into memory gives the same as one that does; no Spark is started."""

from collections.abc import Iterator

import pyarrow as pa
import pytest

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from physical import PhysicalStream
from physical.columns.arrow_types import arrow_type
from physical.columns.stream import in_order, joined
from physical.engines.spark import large_partition
from physical.engines.spark.canonical_jobs import FirstDifference, Runs
from physical.engines.spark.frame import END, START, from_batches, to_table
from physical.engines.spark.worker_tasks import TAG, Batches, Task, all_slots, slots, source
from physical.files.counted import counted_schema
from semantics import Interval, Plan, Schema
from semantics.lookahead import known_until, last_change
from semantics.plan import Source
from tests.physical.engines.spark.lifted import drawn, reference


def batches_of(streams: list[PhysicalStream], size: int = 2) -> Iterator[pa.RecordBatch]:
    """The rows of all inputs as a task gets them: few at once, and in no order of time."""
    everything = all_slots([stream.schema for stream in streams])
    for tag, stream in enumerate(streams):
        table = to_table(stream.take(slice(None, None, -1))).rename_columns([*slots(stream.schema), START, END])
        columns = [
            table[slot] if slot in table.column_names else pa.nulls(len(table), arrow_type(type_))
            for slot, type_ in everything.items()
        ]
        whole = pa.table([*columns, table[START], table[END], [tag] * len(table)], [*everything, START, END, TAG])
        yield from whole.to_batches(size)


def worked(task: "Task | Runs", streams: list[PhysicalStream], schema: Schema) -> PhysicalStream:
    made: Batches = task(batches_of(streams))
    parts = [from_batches(pa.Table.from_batches([batch]), schema) for batch in made]
    return in_order(joined([PhysicalStream.empty(schema), *parts]))


def over_tasks(plan: Plan, names: list[str]) -> Plan:
    """The same plan over the sources of a task."""
    if isinstance(plan, Source):
        return source(names.index(plan.name), plan.schema)
    return plan.with_inputs(*(over_tasks(child, names) for child in plan.inputs))


def seen_until(plan: Plan, case: Case) -> int:
    """Up to when a task has to look for results up to the horizon."""
    return known_until(plan, CASE_HORIZON, lambda name: last_change(case[name]))


@pytest.fixture(autouse=True)
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_partition, "ROWS_IN_MEMORY", 2)
    monkeypatch.setattr(large_partition, "ROWS_ON_THE_WAY", 2)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_a_plan_over_rows_on_disk(operator: type[Plan]) -> None:
    plan, cases = drawn(operator, 1)
    names = sorted(plan.sources())
    schemas = tuple(plan.sources()[name] for name in names)
    large = [case for case in cases if sum(len(PhysicalStream.of(case[name])) for name in names) > 2]
    assert large
    for case in large[:5]:
        streams = [PhysicalStream.of(case[name]) for name in names]
        task = Task(over_tasks(plan, names), schemas, seen_until(plan, case))
        found = worked(task, streams, plan.schema)
        assert found.to_logical(CASE_HORIZON) == reference(plan, case)
        runs = worked(Runs(task), streams, counted_schema(plan.schema))
        expected = [((*row, n), span) for row, span, n in found.canonical().to_runs()]
        assert sorted(map(repr, runs.to_interval().elements)) == sorted(map(repr, expected))


def test_rows_are_on_disk() -> None:
    stream = PhysicalStream.from_elements(Schema.of(x=int), [((i,), Interval(i, i + 1)) for i in range(20)])
    inputs = large_partition.TaskInputs.of(batches_of([stream]), (stream.schema,))
    assert (inputs.is_large, inputs.waiting, inputs.chronons) == (True, [], [True])
    assert sum(map(len, inputs.in_batches()[0])) == 20
    assert not large_partition.TaskInputs.of(batches_of([stream]), (stream.schema,), 20).is_large


@pytest.mark.parametrize("missing", [None, 2, 17])
def test_oracle_streams_on_disk_are_compared(missing: int | None) -> None:
    schema = counted_schema(Schema.of(x=int))
    rows = [((i % 3, 1), Interval(i, i + 4)) for i in range(20)]
    other = [row for i, row in enumerate(rows) if i != missing]
    streams = [PhysicalStream.from_elements(schema, one) for one in (rows, other)]
    found = [batch.to_pydict()["instant"] for batch in FirstDifference(schema)(batches_of(streams))]
    assert found == ([] if missing is None else [[missing]])
