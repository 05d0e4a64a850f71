"""Modules that have moved answer to their former names, and are the same modules."""

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from equivalence.former_names import FORMER_NAMES
from tests.paths import ROOT


@pytest.mark.parametrize("former", FORMER_NAMES)
def test_a_former_name_gives_the_module_of_today(former: str) -> None:
    found = import_module(former)
    assert found is import_module(FORMER_NAMES[former])
    assert found is sys.modules[former]
    assert found.__name__ == FORMER_NAMES[former]
    assert found.__spec__ is not None
    assert found.__spec__.name == FORMER_NAMES[former]


@pytest.mark.parametrize("former", FORMER_NAMES)
def test_a_former_name_hides_no_module(former: str) -> None:
    place = ROOT.joinpath(*former.split("."))
    assert not place.exists()
    assert not place.with_suffix(".py").exists()


def test_other_names_are_not_found() -> None:
    assert find_spec("equivalence.nonsense") is None
    assert find_spec("equivalence.generate.nonsense") is None
