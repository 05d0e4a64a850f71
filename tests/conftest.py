"""Hypothesis runs the same cases everywhere in CI, and new ones on a developer's machine."""

import os

from hypothesis import HealthCheck, settings

from physical.kernels.jit import loading

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("local", max_examples=100, **_COMMON)  # type: ignore[arg-type]  # a mixed dict
settings.register_profile("ci", max_examples=200, derandomize=True, database=None, **_COMMON)  # type: ignore[arg-type]
settings.load_profile("ci" if os.environ.get("CI") else "local")

loading.left = 0  # tests want kernels from the first element on; what stands in for them has tests of its own
