"""The support table of the documentation says what the engine says."""

import re

from equivalence.cases.random_plans import OPERATORS
from equivalence.reference_checks.golden import corpus_folder, load_corpus
from physical.engines.delta.engine import DeltaEngine
from tests.paths import ROOT

PAGE = ROOT / "docs" / "engines" / "delta.md"


def documented() -> dict[str, bool]:
    """The first two columns of the table, one operator each."""
    rows = re.findall(r"^\| ([A-Z][\w, ]*) \| (yes|no) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: answer == "yes" for names, answer in rows for name in names.split(", ")}


def test_the_table_names_every_operator_and_says_what_the_engine_supports() -> None:
    table = documented()
    assert set(table) == {operator.__name__ for operator in OPERATORS}
    examples = {type(node).__name__: node for case in load_corpus(corpus_folder()) for node in case.plan.walk()}
    assert {name: DeltaEngine().supports(examples[name]) for name in table} == table
