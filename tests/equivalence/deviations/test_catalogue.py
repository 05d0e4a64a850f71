"""The catalogue is data: complete, unambiguous, and every entry can be carried out."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.deviations.catalogue import CATALOGUE, variants_for
from equivalence.deviations.catalogue.certain_rows import MANY_ROWS, ONE_ROW
from equivalence.deviations.deviation import Clue, Deviation, applied
from equivalence.deviations.outcome import Outcomes
from equivalence.deviations.plant import plant
from equivalence.deviations.random_situations import choose_situation
from equivalence.deviations.situation import situation_of
from semantics import parse, parse_plan

DATA_DRIVEN = {deviation.name for deviation in (*ONE_ROW, *MANY_ROWS)} | {"input read as append-only"}
"""Their parameter is read off a wrong output, or they need a changelog as input (tested in test_strange_jobs.py)."""


def test_names_are_unique() -> None:
    assert len({deviation.name for deviation in CATALOGUE}) == len(CATALOGUE)


def test_no_name_is_a_synonym_of_the_same_knob() -> None:
    for deviation in CATALOGUE:
        assert deviation.name not in deviation.synonyms


@pytest.mark.parametrize("deviation", [d for d in CATALOGUE if d.name not in DATA_DRIVEN], ids=lambda d: d.name)
def test_every_deviation_shows_somewhere(deviation: Deviation) -> None:
    assert plant(SeededChoices(f"shows-{deviation.name}"), (deviation,), 24) is not None


def test_what_does_not_concern_a_query_is_not_tried() -> None:
    plan = parse_plan("S(x int) | filter(x > 1)")
    names = {v.name for v in variants_for(situation_of(plan, {"S": parse("raw(x int): (1)@0 (2)@5")}), Clue())}
    assert "unknown kept" in names
    assert names.isdisjoint({"window end inclusive", "NULL keys joined", "ghost panes", "late rows dropped per row"})


def test_two_deviations_of_one_window_add_up() -> None:
    situation = choose_situation(SeededChoices("two"), 20)
    plan = parse_plan("A(k int, x int, s str) | window(range 6 slide 3)")
    situation = situation_of(plan, {"A": situation.inputs["A"].stream()})
    chosen = [
        v for v in variants_for(situation, Clue()) if v.name in ("window end inclusive", "window start exclusive")
    ]
    outcomes = Outcomes()
    both = outcomes.of(applied(chosen, situation))
    assert all(both != outcomes.of(applied([one], situation)) for one in chosen)
