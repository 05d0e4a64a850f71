"""The support table of the documentation says what the engine says."""

import re

from equivalence.cases.random_plans import OPERATORS
from physical.engines.delta.engine import DeltaEngine
from tests.golden_corpus import golden_corpus
from tests.paths import ROOT

PAGE = ROOT / "docs" / "engines" / "delta.md"


def documented() -> dict[str, bool]:
    """The first two columns of the table, one operator each."""
    rows = re.findall(r"^\| ([A-Z][\w, ]*) \| (yes|no) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: answer == "yes" for names, answer in rows for name in names.split(", ")}


def test_the_table_names_every_operator_and_says_what_the_engine_supports() -> None:
    table = documented()
    assert set(table) == {operator.__name__ for operator in OPERATORS}
    supported = {
        type(node).__name__ for case in golden_corpus() for node in case.plan.walk() if DeltaEngine().supports(node)
    }
    assert {name: name in supported for name in table} == table
