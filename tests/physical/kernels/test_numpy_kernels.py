"""What numpy does in the place of a kernel, against that kernel; and when it does."""

from typing import Any

import numpy as np
import pytest

from physical.columns.column import ColumnVector
from physical.columns.interval_bounds import bounds
from physical.columns.stream import PhysicalStream
from physical.kernels import dense_numbers, jit, multiplicity, numpy_kernels, sort
from physical.kernels.jit import JitKernel, Loading
from physical.kernels.types import ENDLESS, Ints
from semantics import Schema, Type


def listed(arrays: tuple[Ints, ...]) -> list[tuple[int, ...]]:
    return list(zip(*(array.tolist() for array in arrays), strict=True))


def both(kernel: Any, *arguments: Any) -> tuple[Any, Any]:
    assert isinstance(kernel, JitKernel)
    assert kernel.plain is not None
    return kernel.plain(*arguments), kernel.compiled()(*arguments)


def stream(seed: int) -> tuple[PhysicalStream, np.random.Generator]:
    random = np.random.default_rng(seed)
    start = np.sort(random.integers(0, 9, seed % 23))
    end = np.where(random.random(len(start)) < 0.2, ENDLESS, start + random.integers(1, 5, len(start)))
    return PhysicalStream(Schema.of(x=int), (ColumnVector(Type.INT, start),), start, end), random


@pytest.mark.parametrize("seed", range(60))
def test_rows_get_the_same_numbers(seed: int) -> None:
    codes = np.random.default_rng(seed).integers(-5, [3, 2**40][seed % 2], seed)
    numbers, kernels = both(dense_numbers.dense, codes)
    assert [array.tolist() for array in numbers] == [array.tolist() for array in kernels]


@pytest.mark.parametrize("seed", range(60))
def test_ends_come_in_the_same_order(seed: int) -> None:
    elements, random = stream(seed)
    there = random.integers(0, 4, len(elements))
    ours, kernels = both(sort.departures, there, elements.end, ENDLESS)
    assert listed(ours) == listed(kernels)
    ours, kernels = both(sort.merged, elements.start, there, *kernels)
    assert listed(ours) == listed(kernels)
    assert len({tuple(order) for order in both(sort.stable_order, elements.end)}) == 1
    assert len({*both(sort.is_sorted, elements.end)}) == 1


@pytest.mark.parametrize("operation", [multiplicity.LEFT_COUNT, multiplicity.SURPLUS, multiplicity.COMMON])
@pytest.mark.parametrize("seed", range(60))
def test_runs_are_the_same(seed: int, operation: int) -> None:
    left, random = stream(seed)
    right, _ = stream(seed + 7)
    sides = [(random.integers(0, 4, len(side)), side) for side in (left, right)]
    one, other = (bounds(*side) for side in sides)
    found = both(multiplicity.runs, operation, 4, *sort.merged(*one, *other), 2)
    assert sorted(listed(found[0])) == sorted(listed(found[1]))
    assert numpy_kernels.is_sorted(found[0][1])
    ours, kernels = both(multiplicity.runs, multiplicity.LEFT_COUNT, 4, *one, 1)
    assert sorted(listed(ours)) == sorted(listed(kernels))


def test_kernels_have_a_stand_in_only_while_there_is_little_to_do() -> None:
    loading = Loading()
    assert loading.can_wait((np.zeros(jit.NUMBERS_BEFORE_NUMBA // 2),))
    assert not loading.can_wait((np.zeros(jit.NUMBERS_BEFORE_NUMBA // 2), 1))
    assert not loading.can_wait((np.zeros(0),))


def test_once_numba_is_loaded_kernels_work() -> None:
    loading = Loading()
    assert loading.can_wait(())
    loading.numba()
    assert not loading.can_wait(())
