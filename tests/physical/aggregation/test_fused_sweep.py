"""The fused aggregation against the script, and the sorts and merges below it against numpy."""

import numpy as np
import pytest

from physical.aggregation.fused_sweep import fused_segments
from physical.aggregation.segments import Segments, aggregate_segments
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.kernels.sort import departures, merged
from physical.kernels.spans import inspected
from physical.kernels.types import ENDLESS, Ints
from semantics import Schema, Type
from semantics.aggregate import Aggregate, Avg, CountRows, Max, Median, Min, Sum
from semantics.expression import Ref

X = Ref(0, Type.INT)
COMMON: list[Aggregate] = [CountRows(), Sum(X), Avg(X), Min(X), Max(X)]


def stream(seed: int, size: int, *, in_order: bool) -> PhysicalStream:
    random = np.random.default_rng(seed)
    start = np.sort(random.integers(0, 30, size))
    end = start + (7 if in_order else random.integers(1, 12, size))
    end[size - size // 5 :] = ENDLESS
    values = random.integers(-9, 9, size)
    return PhysicalStream(Schema.of(x=int), (ColumnVector(Type.INT, values),), start, end)


def segments(found: Segments) -> list[tuple[object, ...]]:
    columns = [column.to_values() for column in found.columns]
    return sorted(zip(found.start.tolist(), found.group.tolist(), found.end.tolist(), *columns, strict=True))


def both(functions: list[Aggregate], s: PhysicalStream, groups: Ints) -> tuple[Segments | None, Segments]:
    count = int(groups.max(initial=-1)) + 1
    arguments = [None if function.argument is None else s.columns[0] for function in functions]
    slow = aggregate_segments(functions, arguments, groups, count, s.start, s.end)
    return fused_segments(functions, arguments, groups, count, s), slow


@pytest.mark.parametrize("group_count", [1, 2, 7])
@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("functions", [COMMON[:3], COMMON, [CountRows()]], ids=["sums", "extremes", "count"])
def test_fused_gives_what_the_script_gives(functions: list[Aggregate], in_order: bool, group_count: int) -> None:
    for seed in range(60):
        s = stream(seed, seed, in_order=in_order)
        groups = np.minimum(np.random.default_rng(seed).integers(0, group_count, seed), np.arange(seed))
        fast, slow = both(functions, s, groups)
        if fast is None:
            assert functions == COMMON
            assert not in_order
        else:
            assert segments(fast) == segments(slow)
            assert (np.diff(fast.start) >= 0).all()


@pytest.mark.parametrize("value", [2**61, -(2**63), 2**63 - 1])
def test_sums_that_could_overflow_are_left_to_the_script(value: int) -> None:
    s = stream(0, 4, in_order=True).with_columns(Schema.of(x=int), [ColumnVector(Type.INT, np.array([value, 0, 0, 0]))])
    assert both([Sum(X)], s, np.zeros(4, np.int64))[0] is None


@pytest.mark.parametrize("value", [2**52, 2**53 - 1, 2**53 + 1, -(2**53) - 1, 2**57 + 1])
def test_means_are_rounded_once_where_sums_are_no_floats(value: int) -> None:
    values = ColumnVector(Type.INT, np.array([value, 1, value // 2, 0, 2, 3]))
    s = stream(0, 6, in_order=True).with_columns(Schema.of(x=int), [values])
    fast, slow = both([Avg(X)], s, np.zeros(6, np.int64))
    assert fast is not None
    assert segments(fast) == segments(slow)


def test_null_and_other_aggregates_are_left_to_the_script() -> None:
    s = stream(0, 4, in_order=True)
    mask = np.array([True, False, True, True])
    with_null = s.with_columns(s.schema, [ColumnVector(Type.INT, np.where(mask, s.columns[0].values, 0), mask)])
    assert both([Sum(X)], with_null, np.zeros(4, np.int64))[0] is None
    assert both([Median(X)], s, np.zeros(4, np.int64))[0] is None


@pytest.mark.parametrize("span", [1, 50, 10**12, 2**61])
def test_departures_are_all_that_ends_in_order(span: int) -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        end, keys = random.integers(1, span + 1, 40), random.integers(0, 5, 40)
        end[random.random(40) < 0.1] = ENDLESS
        times, leaving = departures(keys, end, ENDLESS)
        assert (np.diff(times) >= 0).all()
        finite = end != ENDLESS
        expected = sorted(zip(end[finite].tolist(), keys[finite].tolist(), strict=True))
        assert sorted(zip(times.tolist(), leaving.tolist(), strict=True)) == expected


def test_merged_marks_what_comes_from_the_second_list_and_puts_it_first() -> None:
    one, two = np.array([1, 3, 3, 8]), np.array([0, 3, 9])
    times, codes = merged(one, np.array([10, 11, 12, 13]), two, np.array([20, 21, 22]))
    assert times.tolist() == [0, 1, 3, 3, 3, 8, 9]
    assert codes.tolist() == [41, 20, 43, 22, 24, 26, 45]


@pytest.mark.parametrize(
    ("start", "end", "sound", "chronons"),
    [
        ([0, 1], [1, 2], True, True),
        ([0, 1], [1, 3], True, False),
        ([1, 0], [2, 1], False, True),
        ([-1], [0], False, True),
        ([3], [3], False, False),
        ([], [], True, True),
    ],
)
def test_one_look_at_all_intervals(start: list[int], end: list[int], sound: bool, chronons: bool) -> None:
    longest = max((e - s for s, e in zip(start, end, strict=True)), default=0)
    expected = (sound, chronons, max(longest, 0))
    assert inspected(np.array(start, np.int64), np.array(end, np.int64)) == expected
