"""Every example of docs/language.md does what the page says."""

import doctest

import pytest

from tests.semantics.sql.guide import GUIDE, Example, examples, outcome

TEXT = GUIDE.read_text(encoding="utf-8")
EXAMPLES = examples(TEXT)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.sql)
def test_an_example(example: Example) -> None:
    assert example.said
    for kind, said in example.said.items():
        assert outcome(kind, example.sql, TEXT) == said


def test_the_examples_in_python() -> None:
    results = doctest.testfile(
        str(GUIDE), module_relative=False, encoding="utf-8", optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert results.attempted > 10
    assert results.failed == 0


def test_there_is_an_example_for_every_construct() -> None:
    everything = " ".join(example.sql for example in EXAMPLES)
    words = (
        "DISTINCT WINDOW RANGE ROWS SLIDE TIES LANDMARK RESET PARTITION UNBOUNDED JOIN ANTI HAVING UNION EXCEPT WITH"
    )
    for word in f"{words} VALUES USING LATERAL GROUPING INSERT EXISTS IN ALL ISTREAM DSTREAM CREATE SET CASE".split():
        assert word in everything
