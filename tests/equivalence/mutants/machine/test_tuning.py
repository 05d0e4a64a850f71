"""Constants that only say how much is done at once."""

import pytest

from equivalence.mutants.machine.targets import target_mutations
from equivalence.mutants.machine.tuning import TUNED, Tuned, in_small_steps


@pytest.mark.parametrize("tuned", TUNED, ids=lambda tuned: tuned.name)
def test_small_steps_begin_and_end(tuned: Tuned) -> None:
    before = getattr(tuned.owner, tuned.attribute)
    with in_small_steps():
        assert getattr(tuned.owner, tuned.attribute) == tuned.small != before
    assert getattr(tuned.owner, tuned.attribute) == before


def test_they_are_not_mutated() -> None:
    defined = {(m.module, m.function, name) for m in target_mutations() for name in m.defines}
    assert ("physical.runtime.run_whole", "", "CHUNK") not in defined
    assert ("physical.files.run_in_batches", "", "PATIENCE") not in defined
    assert ("physical.kernels.exact", "", "LIMB") in defined
