"""Plans on Spark: stateless operators as its own expressions, all others by the kernels of the interval engine."""

import physical.kernels  # noqa: F401  # first of all: see there
