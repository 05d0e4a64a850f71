"""Every name on the map exists, and the table of the prover's passes is that of the pipeline."""

import re
from importlib import import_module
from importlib.util import find_spec

import pytest

from equivalence.prover.pipeline import PASSES
from tests.paths import ROOT
from tests.quality.rooms import PACKAGES

TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(rf"`((?:{'|'.join(PACKAGES)})\.[\w.]+)`", TEXT)))
PASS_ROW = re.compile(r"^\| ([a-z ]+) \| [^|]+ \| ([^|]+) \|$", re.M)


def exists(name: str) -> bool:
    """Is it a module, or something that is defined in one?"""
    parts = name.split(".")
    depth = next(i for i in range(len(parts), 0, -1) if is_module(".".join(parts[:i])))
    found: object = import_module(".".join(parts[:depth]))
    for part in parts[depth:]:
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("name", NAMES)
def test_every_name_exists(name: str) -> None:
    assert exists(name)


def test_a_name_that_does_not_exist_is_seen() -> None:
    assert len(NAMES) > 50
    assert not exists("equivalence.sampling.sample.check_nothing")
    assert not exists("equivalence.sampling.nowhere")


def test_the_passes_are_those_of_the_pipeline() -> None:
    rows = [row for row in PASS_ROW.findall(TEXT.partition("## The prover")[2]) if row[0] != "pass"]
    assert rows == [(each.name, each.gives) for each in PASSES]
