"""Systems of a test end with it."""

from collections.abc import Iterator

import pytest

from tests.physical.live.systems import RUNNING, kill


@pytest.fixture(autouse=True)
def _no_system_left() -> Iterator[None]:
    yield
    for system in list(RUNNING):
        kill(system)
