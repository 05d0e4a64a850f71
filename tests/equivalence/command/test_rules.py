"""`snapeq rules`, on a small catalogue of its own."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from equivalence.rules import catalogue
from equivalence.rules.catalogue import CATALOGUE, FALSE
from equivalence.rules.catalogue.false_unnesting import FALSE as FALSE_UNNESTING
from equivalence.rules.statement import Free, Rule, Sides, rule
from equivalence.verification.proof_standing import in_a_word
from semantics import Type, col
from tests.equivalence.command.command import snapeq


@rule("σ_p(A ∪ B) ≐ σ_p(A) ∪ σ_p(B)", source="folklore")
def filter_over_union(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    p = free.predicate("p", a)
    return a.union(b).filter(p), a.filter(p).union(b.filter(p))


@rule("ω_v(ω_w(A)) ≐ ω_v(A) where w = 1", source="made up")
def narrow(free: Free) -> Sides:
    a, v, w = free.stream("A", types=(Type.INT,)), free.number("v"), free.number("w")
    free.require("w = 1", w == 1)
    return a.window(w).window(v), a.window(v)


@rule("δ(A ∪ B) ≐ δ(A) ∪ δ(B)", source="made up", valid=False)
def distinct_of_each(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    b = free.stream("B", like=a)
    return a.union(b).distinct(), a.distinct().union(b.distinct())


@rule("σ_{a1 < a1}(A) ≐ δ(σ_{a1 < a1}(A))", source="made up")
def never(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT,))
    none = a.filter(col("a1") < col("a1"))
    return none, none.distinct()


@pytest.fixture(autouse=True)
def small_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", (filter_over_union, narrow))
    monkeypatch.setattr(catalogue, "FALSE", (distinct_of_each,))


def also(monkeypatch: pytest.MonkeyPatch, *rules: Rule) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", rules)


def test_the_list_says_what_was_found() -> None:
    ran = snapeq("rules", "--examples", "40")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "test_rules  filter-over-union  true: agreed (40 cases)  not tried  σ_p(A ∪ B) ≐ σ_p(A) ∪ σ_p(B)",
        "test_rules  narrow             true: agreed (40 cases)  not tried  ω_v(ω_w(A)) ≐ ω_v(A) where w = 1",
        "test_rules  distinct-of-each   false: refuted (1 case)  not tried  δ(A ∪ B) ≐ δ(A) ∪ δ(B)",
        "3 rules",
    ]


def test_json_is_the_promised_list() -> None:
    ran = snapeq("rules", "--examples", "20", "--json", "--seed", "3")
    assert ran.out == snapeq("rules", "--examples", "20", "--json", "--seed", "3").out
    listed = json.loads(ran.out)
    promised = {"name", "family", "valid", "equivalence", "source", "conditions", "evidence"}
    assert [set(each) for each in listed] == [promised] * 3
    assert [(each["name"], each["valid"], each["conditions"]) for each in listed] == [
        ("filter-over-union", True, []),
        ("narrow", True, ["w = 1"]),
        ("distinct-of-each", False, []),
    ]
    assert listed[2]["evidence"]["counterexample"]["plans"]


def test_a_named_rule_is_shown_in_full() -> None:
    ran = snapeq("rules", "distinct-of-each")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[:5] == [
        "distinct-of-each",
        "  δ(A ∪ B) ≐ δ(A) ∪ δ(B)",
        "  family test_rules, snapshot-multiset, source: made up",
        "  for instance union(A(a1 int), B(a1 int)) | distinct",
        "           and union(A(a1 int) | distinct, B(a1 int) | distinct)",
    ]
    assert lines[5].startswith("  said to be false: REFUTED (by samples; cases ")
    assert "  wrong        ▼" in lines
    assert "  where w = 1" in snapeq("rules", "narrow", "--examples", "9").out.splitlines()


def test_no_check_lists_only() -> None:
    listed = json.loads(snapeq("rules", "--no-check", "--json").out)
    assert [each["evidence"] for each in listed] == [None] * 3
    assert "true  " in snapeq("rules", "--no-check").out


def test_what_is_not_as_claimed_falls_short(monkeypatch: pytest.MonkeyPatch) -> None:
    also(monkeypatch, filter_over_union, never)
    ran = snapeq("rules", "--examples", "20")
    assert ran.code == 1
    assert ran.out.splitlines()[-1] == "3 rules; not as claimed: never"
    also(monkeypatch, distinct_of_each.without("nothing"))
    assert snapeq("rules", "--examples", "20").code == 0


def test_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    also(monkeypatch, never, filter_over_union)
    junit, html = tmp_path / "rules.xml", tmp_path / "rules.html"
    assert snapeq("rules", "--examples", "20", "--junit", str(junit), "--html", str(html)).code == 1
    cases = ElementTree.parse(junit).getroot()
    assert [(case.get("name"), [outcome.tag for outcome in case]) for case in cases] == [
        ("never", ["failure"]),
        ("filter-over-union", []),
        ("distinct-of-each", []),
    ]
    assert html.read_text().count("<svg") == 1


def test_names_that_there_are_not() -> None:
    ran = snapeq("rules", "filter-over-onion")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "snapeq: there is no rule 'filter-over-onion'; similar: filter-over-union\n"
    assert snapeq("rules", "--family", "x").err == "snapeq: there is no family 'x'; there are: test_rules\n"


def test_how_rules_stand_as_to_proof() -> None:
    """As the committed proofs say, for every kind of standing."""
    said = {rule.name: in_a_word(rule) for rule in (*CATALOGUE, *FALSE)}
    assert said["filter-through-window"] == "proved"
    assert said["window-sizes-add-up"] == "refuted by a model"
    assert said["median-of-negated"] == "outside the fragment"
    by_sample = {rule.name for rule in FALSE if said[rule.name] != "refuted by a model"}
    assert by_sample == {rule.name for rule in FALSE_UNNESTING}
    assert {said[name] for name in by_sample} == {"refuted by a sample"}
    assert "not tried" not in said.values()
