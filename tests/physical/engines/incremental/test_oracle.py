"""Both engines against the reference, whole and in chunks, at once and as sessions."""

import pytest

from equivalence import conform
from physical.engines.incremental.engine import IncrementalEngine, ReevaluationEngine


@pytest.mark.parametrize("chunks", [1, 3, None], ids=["whole basic windows", "three chunks", "adapting chunks"])
def test_oracle_incremental(chunks: int | None) -> None:
    assert conform(IncrementalEngine(chunks), cases=250, seed=8).findings == ()


def test_oracle_reevaluation() -> None:
    assert conform(ReevaluationEngine(), cases=150, seed=8).findings == ()
