"""Results as a log of changes, piece by piece: exactly the steps between the snapshots of the reference."""

from collections import Counter
from dataclasses import replace
from random import Random

import pyarrow as pa
import pytest

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.random_plans import OPERATORS
from physical.columns.stream import PhysicalStream
from physical.engines.delta.changelog import changelog
from physical.engines.delta.convert import to_deltas
from physical.engines.spark.continuous.changes import changes, key_of, log
from physical.engines.spark.continuous.packed_rows import CHANGE, COUNT
from physical.engines.spark.continuous.part import QueryPart
from physical.engines.spark.frame import START, from_batches
from semantics import LogicalStream, Plan, parse, parse_plan
from semantics.value import Row
from tests.physical.engines.spark.lifted import drawn, reference, without_endless_rows
from tests.physical.engines.spark.test_continuous_part import STEPS, _a_batch, _shuffled, job_of

Steps = Counter[tuple[int, Row]]


def logs_of_all_steps(plan: Plan, case: Case, random: Random) -> list[pa.Table]:
    """What a part logs that goes to sleep after every batch."""
    job, memory, opened = replace(job_of(plan), changelog=True), None, b""
    streams = {name: PhysicalStream.of(case[name]) for name, _ in job.streams}
    batch_of = {name: [_a_batch(int(s), random) for s in stream.start] for name, stream in streams.items()}
    logs = []
    for number, watermark in enumerate(STEPS):
        part = QueryPart(job, memory, opened=opened)
        part.take({n: _shuffled(s, batch_of[n], number, random) for n, s in streams.items()}, watermark)
        if number == len(STEPS) - 1:
            part.end(CASE_HORIZON)
        logs.append(part.given())
        memory, opened = part.memory(), part.opened()
    return logs


def steps_of(logs: list[pa.Table], plan: Plan) -> Steps:
    """The changes, rows that go as negative ones."""
    found: Steps = Counter()
    for table in logs:
        elements = from_batches(table, plan.schema).to_interval().elements
        assert table[START].to_pylist() == sorted(table[START].to_pylist()), "in the order of time"
        signs = [count if change[0] == "+" else -count for change, count in _marks(table)]
        for (row, span), sign in zip(elements, signs, strict=True):
            assert (span.start, row) not in found, "every change is told once"
            found[span.start, row] = sign
    return found


def _marks(table: pa.Table) -> list[tuple[str, int]]:
    return list(zip(table[CHANGE].to_pylist(), table[COUNT].to_pylist(), strict=True))


def steps_between(snapshots: LogicalStream) -> Steps:
    """How each snapshot of the reference differs from the one before."""
    before: Counter[Row] = Counter()
    found: Steps = Counter()
    for t, snapshot in enumerate(snapshots.snapshots):
        now = Counter(dict(snapshot.items()))
        found.update({(t, row): now[row] - before[row] for row in {*now, *before} if now[row] != before[row]})
        before = now
    return found


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_oracle_the_log_is_the_steps_between_the_snapshots(operator: type[Plan]) -> None:
    random = Random(5)
    plan, drawn_cases = drawn(operator, 3)
    cases = without_endless_rows(plan, drawn_cases)
    assert cases
    for case in cases[:4]:
        right = reference(plan, case)
        assert right is not None
        steps = steps_of(logs_of_all_steps(plan, case, random), plan)
        wanted = {change: n for change, n in steps.items() if change[0] < CASE_HORIZON}
        assert wanted == steps_between(right), (plan, case)


def stream(text: str) -> PhysicalStream:
    return PhysicalStream.of(parse(f"interval(k int, n int): {text}"))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("S(x int) | window(range 2) | group(x; count(*) as n)", (0,)),
        ("S(x int) | window(range 2) | aggregate(count(*) as n) | filter(n > 1)", ()),
        ("S(x int) | window(range 2) | distinct", None),
    ],
)
def test_keys_that_are_plain_to_see(text: str, key: tuple[int, ...] | None) -> None:
    assert key_of(parse_plan(text)) == key


def log_of(elements: PhysicalStream, key: tuple[int, ...] | None) -> list[tuple[int, int, int, str, int]]:
    table = log(changes(elements, 0, 100), key)
    return list(zip(*(table[name].to_pylist() for name in (START, "c0", "c1", CHANGE, COUNT)), strict=True))


def test_a_row_that_another_of_its_key_follows_is_updated() -> None:
    counts = stream("(1, 1)@[0, 2) (2, 1)@[0, 9) (1, 2)@[2, 4) (1, 1)@[5, ∞)")
    assert log_of(counts, (0,)) == [
        (0, 1, 1, "+I", 1), (0, 2, 1, "+I", 1),
        (2, 1, 1, "-U", 1), (2, 1, 2, "+U", 1),
        (4, 1, 2, "-D", 1), (5, 1, 1, "+I", 1), (9, 2, 1, "-D", 1),
    ]  # fmt: skip
    assert [change for *_, change, _ in log_of(counts, None)] == ["+I", "+I", "-D", "+I", "-D", "+I", "-D"]


def test_without_a_key_copies_are_counted_and_cuts_are_no_changes() -> None:
    copies = stream("(1, 1)@[0, 2) (1, 1)@[0, 3) (1, 1)@[2, 3)")
    assert log_of(copies, None) == [(0, 1, 1, "+I", 2), (3, 1, 1, "-D", 2)]
    assert len(log(changes(PhysicalStream.empty(copies.schema), 0, 9), None)) == 0


@pytest.mark.parametrize("key", [None, (0,)], ids=["no key", "key"])
def test_differential_the_log_of_signed_elements(key: tuple[int, ...] | None) -> None:
    """Another room logs changes, too: of signed elements, one for each copy."""
    random = Random(11)
    for _ in range(40):
        spans = [(random.randrange(8), random.randrange(1, 5), k, n) for k in range(3) for n in (1, 2)]
        elements = stream(" ".join(f"({k}, {n})@[{a}, {a + b})" for a, b, k, n in sorted(_alone(spans))))
        theirs = changelog(to_deltas(elements), [] if key is None else ["k"]).to_rows()
        mine = [(change, (k, n), t) for t, k, n, change, count in log_of(elements, key) for _ in range(count)]
        assert Counter(mine) == Counter(theirs)


def _alone(spans: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Of each key what starts as the one before ends, so that there is one row at most."""
    found, last = [], dict[int, int]()
    for start, length, key, value in sorted(spans):
        begins = max(start, last.get(key, 0))
        found.append((begins, length, key, value))
        last[key] = begins + length
    return found
