"""Planted dialects are found, with few probes, and nothing is found where there is nothing."""

from itertools import combinations
from random import Random

import pytest

from equivalence.dialects.beliefs import Beliefs
from equivalence.dialects.infer import MOST_COMBINATIONS
from equivalence.dialects.probe import Answer
from equivalence.dialects.probes import PROBES
from equivalence.dialects.profile import page
from equivalence.dialects.properties import PROPERTIES
from equivalence.dialects.property import Alternative, Property
from physical.engines.interval.engine import IntervalEngine
from tests.equivalence.dialects.planted_engine import PlantedEngine, dialect_of

MOST_PROBES = 40
MASKED = {
    "never evicted": {"expired groups", "window slide"},
    "slide ignored": {"window origin"},
    "rows never evicted": {"ties in ROWS windows"},
    "NULL poisons": {"AVG"},
    "NULL keys joined": {"NULL in anti-joins"},
    "duplicates kept": {"DISTINCT and NaN", "negative zero"},
    "late rows count": {"what is late"},
    "told at the end": {"late rows", "what is late"},
}
"""What cannot be told of an engine: where no row ever leaves, no group expires, and so on."""
PLANTED = [(one, alternative) for one in PROPERTIES for alternative in one.alternatives[1:]]


def check_inferred(*planted: tuple[Property, Alternative]) -> None:
    """All that is planted is found, everything else is standard, and only what is masked stays open."""
    truth = {one: one.alternatives[0] for one in PROPERTIES} | dict(planted)
    dialect = dialect_of(PlantedEngine(*truth.values()))
    assert 0 < len(dialect.asked) <= MOST_PROBES
    masked = set().union(*(MASKED.get(alternative.name, set()) for _, alternative in planted))
    for one in dialect.meanings:
        assert truth[one.about] in one.possible, one.about.name
        assert one.state == "decided" or one.about.name in masked, (one.about.name, one.possible)


@pytest.mark.parametrize(("one", "alternative"), PLANTED, ids=[f"{p.name}: {a.name}" for p, a in PLANTED])
def test_every_alternative_is_inferred(one: Property, alternative: Alternative) -> None:
    check_inferred((one, alternative))


PAIRS = [(a, b) for a, b in combinations(PLANTED, 2) if a[0] is not b[0]]


@pytest.mark.parametrize("pair", Random(0).sample(PAIRS, 50), ids=lambda pair: " + ".join(a.name for _, a in pair))
def test_two_at_once_are_inferred(pair: tuple[tuple[Property, Alternative], tuple[Property, Alternative]]) -> None:
    check_inferred(*pair)


def test_a_right_engine_has_the_standard_dialect() -> None:
    dialect = dialect_of(IntervalEngine())
    assert dialect.is_standard
    assert len(dialect.asked) <= MOST_PROBES
    assert all(one.proofs for one in dialect.meanings)


def test_names_of_alternatives_are_their_own() -> None:
    names = [alternative.name for _, alternative in PLANTED]
    assert len(set(names)) == len(names)
    assert len({one.name for one in PROPERTIES}) == len(PROPERTIES)


def test_what_is_not_supported_is_told_and_the_rest_is_inferred() -> None:
    dialect = dialect_of(PlantedEngine(refuses=frozenset({"Limit", "Grouping"})))
    refused = [one.about.name for one in dialect.in_state("unsupported")]
    assert refused == ["NULL groups", "expired groups", "ties in LIMIT", "order of NULLs"]
    assert all(one.is_standard for one in dialect.meanings if one.about.name not in refused)


class WithoutSessions:
    """The planted engine, over whole streams alone."""

    name = "whole"

    def __init__(self) -> None:
        self.run, self.supports = PlantedEngine().run, PlantedEngine().supports


def test_what_only_sessions_show_is_not_asked_without_them() -> None:
    dialect = dialect_of(WithoutSessions())
    assert {"reports", "late rows", "what is late"} <= {one.about.name for one in dialect.in_state("unsupported")}
    assert dialect.meaning("end of streams").is_standard


def test_a_session_is_shown_step_by_step() -> None:
    lost = next(alternative for _, alternative in PLANTED if alternative.name == "late rows are lost by panes")
    shown = page(dialect_of(PlantedEngine(lost)))
    assert "! late rows             a late row counts in the windows that are still open\n" in shown
    steps = ("S gets (1)@10", "S gets (2)@5", "S gets (3)@9", "time reaches 39")
    assert (
        "\n".join(f"    {step}" for step in steps) + "\n    answer:   (2)@[10, 16) (1)@[12, 20) (3)@[12, 20)" in shown
    )


def test_an_engine_that_supports_nothing_is_asked_nothing() -> None:
    dialect = dialect_of(PlantedEngine(refuses=frozenset({"Source"})))
    assert dialect.asked == ()
    assert dialect.in_state("unsupported") == list(dialect.meanings)


class LosesUnions(PlantedEngine):
    """No known alternative is to give nothing."""

    def run(self, plan, sources, horizon):  # type: ignore[no-untyped-def]
        result = super().run(plan, sources, horizon)
        return type(result)(plan.schema, []) if plan.operator == "Union" else result


def test_an_unforeseen_answer_is_shown_as_it_is() -> None:
    dialect = dialect_of(LosesUnions())
    union = dialect.meaning("union")
    assert union.state == "unforeseen"
    assert dialect.sentence(union) == "none of what is known; it answers no row"
    assert [one.about.name for one in dialect.meanings if not one.is_standard] == ["union"]


def test_the_first_probe_tells_most() -> None:
    beliefs = Beliefs(PROPERTIES, PROBES)
    most = max(beliefs.entropy(probe) for probe in PROBES if beliefs.combinations(probe) <= MOST_COMBINATIONS)
    first = dialect_of(PlantedEngine()).asked[0].probe
    assert beliefs.entropy(first) == most > 3


def test_an_unforeseen_answer_excludes_nothing() -> None:
    beliefs = Beliefs(PROPERTIES, PROBES)
    before = dict(beliefs.possible)
    assert beliefs.narrow(PROBES[0], Answer("fault")) == []
    assert beliefs.possible == before


class LosesWideGroups(PlantedEngine):
    """Right about every aggregate alone, wrong about four of them."""

    def run(self, plan, sources, horizon):  # type: ignore[no-untyped-def]
        result = super().run(plan, sources, horizon)
        return type(result)(plan.schema, []) if len(plan.schema) > 4 else result


def test_an_answer_that_other_answers_contradict_is_shown() -> None:
    dialect = dialect_of(LosesWideGroups())
    assert all(one.is_standard for one in dialect.meanings)
    assert not dialect.is_standard
    assert [len(one.probe.plan.schema) for one in dialect.unforeseen] == [5]
    assert "! nothing above explains an answer\n  SELECT k, COUNT(*) AS n, COUNT(x)" in page(dialect)
