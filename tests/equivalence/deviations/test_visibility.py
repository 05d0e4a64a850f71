"""What a right output could not have shown, and rows that would show it."""

from equivalence.deviations.catalogue import CATALOGUE
from equivalence.deviations.deviation import Clue
from equivalence.deviations.explain import explain
from equivalence.deviations.explanation import Explanation
from equivalence.deviations.further_rows import extended, told_apart
from equivalence.deviations.outcome import outcome
from equivalence.deviations.situation import Situation, situation_of
from equivalence.deviations.visibility import shows, suggested_input, visibility
from equivalence.recordings.recording import LastInstants
from semantics import parse, parse_plan

PLAN = parse_plan("S(k int, x int) | window(range 4) | group(k; count(*) as n)")
FEW = situation_of(PLAN, {"S": parse("raw(k int, x int): (1, 1)@1 (2, 1)@6")}, LastInstants(4, 0, 16))


def test_few_rows_show_little() -> None:
    found = visibility(FEW)
    names = {deviation.name for deviation in found.open}
    assert {"NULL groups dropped", "window end inclusive", "COUNT(x) for COUNT(*)"} <= names
    assert "never evicted" in found.shown
    assert found.of == len(found.open) + len(found.shown)


def test_suggested_rows_show_what_they_promise() -> None:
    wanted = tuple(d for d in visibility(FEW).open if d.name in ("NULL groups dropped", "window end inclusive"))
    suggestion = suggested_input(FEW, wanted)
    assert set(suggestion.shows) == {"NULL groups dropped", "window end inclusive"}
    longer = extended(FEW, suggestion.rows)
    assert all(shows(deviation, longer) for deviation in wanted)


def explanations(situation: Situation, name: str) -> tuple[Explanation, ...]:
    deviation = next(deviation for deviation in CATALOGUE if deviation.name == name)
    wrong = deviation.variants(situation, Clue())[0]
    return explain(situation, outcome(wrong.applied(situation))).exact


def test_further_rows_tell_two_explanations_apart() -> None:
    tied = situation_of(
        PLAN, {"S": parse("raw(k int, x int): (1, 1)@1 (1, 1)@1 (2, 1)@6 (3, 2)@9")}, LastInstants(4, 0, 16)
    )
    found = explanations(tied, "equal rows taken once")
    assert len(found) > 1, "one pair of equal rows has many explanations"
    first, second = found[:2]
    rows = told_apart(tied, first.variants, second.variants)
    assert rows is not None
    longer = extended(tied, rows)
    outputs = []
    for explanation in (first, second):
        situation = longer
        for variant in explanation.variants:
            situation = variant.applied(situation)
        outputs.append(outcome(situation))
    assert outputs[0] != outputs[1]
