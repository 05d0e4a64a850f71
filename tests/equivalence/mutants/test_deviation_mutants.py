"""Deviations as engines: what can be named in a recording is caught by the cases of the suite."""

import pytest

from equivalence.deviations.catalogue import CATALOGUE
from equivalence.deviations.deviation import Deviation
from equivalence.mutants import DEVIATING, MUTANTS
from equivalence.mutants.engines.deviation_mutants import ELSEWHERE, DeviatingEngine
from equivalence.mutants.kill import kill
from equivalence.mutants.mutant import Mutant

SOME = DEVIATING[::7]
"""`snapeq verify` tries all of them."""


@pytest.mark.parametrize("mutant", SOME, ids=lambda mutant: mutant.name)
def test_a_deviation_is_caught(mutant: Mutant) -> None:
    assert kill(mutant, cases=600).finding is not None


def test_an_engine_without_a_deviation_is_right() -> None:
    nothing = Deviation("nothing", "", "none", "plan", "at the window", lambda *_: (), lambda situation, _: situation)
    assert kill(Mutant(DeviatingEngine(nothing), "engine"), cases=200).finding is None


def test_all_deviations_but_those_of_recordings_are_mutants() -> None:
    names = {mutant.name for mutant in MUTANTS}
    for deviation in CATALOGUE:
        assert (f"deviation: {deviation.name}" in names) is (deviation.knob not in ELSEWHERE)
