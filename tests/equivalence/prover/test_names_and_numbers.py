"""Names and numbers of any kind: solvers read every name, and different names stay different."""

from typing import Final

import pytest

from equivalence.prover.prove import prove
from equivalence.prover.terms.smtlib import quoted, unquoted
from semantics import col, show, source
from semantics.value import INT_MAX, INT_MIN

NAMES: Final = (
    "two words",
    "line\nbreak",
    "carriage\rreturn",
    "next\x85line",
    "line\u2028separator",
    "bar|bar",
    "back\\slash",
    "a#124#b",
    'quo"te',
    "semi;colon",
    "(x)",
    "nul\x00",
    "S.1",
    "now",
    "instant 0",
    "number 0",
    "any stream S",
    "é",
)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_source_may_have_any_name(name: str) -> None:
    a = source(name, x=int)
    large = col("x") > 3
    assert prove(a.window(2).filter(large), a.filter(large).window(2)).kind == "proved"
    for one, other in ((a.window(2).distinct(), a.distinct().window(2)), (a.window(600), a.window(601))):
        verdict = prove(one, other)
        assert (verdict.kind, verdict.evidence["how"]) == ("refuted", "model")


def test_names_that_look_alike_are_different_sources() -> None:
    a, b = source("a|b", x=int), source("a#124#b", x=int)
    assert prove(a, b).kind == "refuted"
    assert prove(a.union(b), b.union(a)).kind == "proved"


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_symbol_stands_for_one_name(name: str) -> None:
    symbol = quoted(name)
    assert unquoted(symbol.removeprefix("|").removesuffix("|")) == name
    assert len({quoted(other) for other in NAMES}) == len(NAMES)
    assert len(symbol.splitlines()) == 1


@pytest.mark.parametrize("bound", [INT_MAX - 1, INT_MIN], ids=["largest", "smallest"])
def test_the_largest_and_smallest_numbers_are_told_apart(bound: int) -> None:
    a = source("A", x=int)
    found = prove(a.filter(col("x") > bound), a.filter(col("x") > bound + 1)).counterexample
    assert f"({bound + 1})" in show(found.streams["A"])  # type: ignore[union-attr]  # it is about plans
