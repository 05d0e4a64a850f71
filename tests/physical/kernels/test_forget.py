"""A kernel that was changed in a running process is compiled anew, with its bounds checked."""

import numpy as np
import pytest

from physical.kernels.jit import JitKernel
from physical.kernels.types import Ints


def third(values: Ints) -> int:
    return int(values[2])


def last(values: Ints) -> int:
    return int(values[-1])


def test_a_kernel_that_is_forgotten_is_what_its_function_is_now() -> None:
    kernel = JitKernel(third)
    kernel.forget()
    assert kernel(np.array([5, 6, 7])) == 7
    with pytest.raises(IndexError):
        kernel(np.array([5, 6]))
    kernel.function.__code__ = last.__code__
    kernel.forget()
    assert kernel(np.array([5, 6])) == 6
