"""Lockstep with the model notices stores that are wrong; here a sample, all of them in `snapeq verify`."""

import pytest

from equivalence.mutants import STORES, StoreMutant, kill_store


@pytest.mark.parametrize("mutant", STORES[::2], ids=lambda mutant: mutant.name)
def test_a_wrong_store_is_noticed(mutant: StoreMutant) -> None:
    assert kill_store(mutant, cases=100).failure is not None
