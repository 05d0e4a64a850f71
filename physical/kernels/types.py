"""Array types, and the number that stands for ∞. They are here so that kernels import nothing from above."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ENDLESS: Final = 2**63 - 1
"""FOREVER among 64-bit integers; every instant is before it."""
