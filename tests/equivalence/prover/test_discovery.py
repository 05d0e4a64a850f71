"""Discovery finds the rules that are there, and keeps no rule that follows from others."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NoReturn, TypeVar

import pytest

from equivalence.command.discover import discover_command
from equivalence.discovery import Discovered, Scheme, discover
from equivalence.discovery.basis import canonical, follows
from equivalence.discovery.classes import Classes
from equivalence.discovery.find_rules import PAPER, TEMPTING, decided
from semantics.errors import Unsupported

A, B = Scheme("A"), Scheme("B")
T = TypeVar("T")


def of(symbol: str, *below: Scheme) -> Scheme:
    return Scheme(symbol, below)


@cache
def small() -> Discovered:
    return discover(1)


def test_rules_of_one_operator() -> None:
    assert {f"{a} = {b}" for (a, b), _ in small().basis} == {"ω1(A) = A", "(A ∪ B) = (B ∪ A)", "(A − A) = (B − B)"}
    assert not small().undecided


def test_rules_of_two_operators() -> None:
    """All of the paper's follow, and windows have more of them than it has."""
    found = discover(2)
    assert all(found.paper.values())
    assert {f"{a} = {b}" for a, b in found.beyond_the_paper} >= {
        "ωv(ωw(A)) = ωw(ωv(A))",
        "δ(ωv(ωw(A))) = δ(ωv+w−1(A))",
    }
    assert not found.undecided
    assert {*TEMPTING} <= {*found.refuted}


def test_no_rule_of_a_basis_follows_from_the_others() -> None:
    rules = [equation for equation, _ in small().basis]
    assert not [rule for rule in rules if follows(rule, [other for other in rules if other != rule])]


@pytest.mark.parametrize("name", PAPER)
def test_every_rule_of_the_paper_is_proved(name: str) -> None:
    proof, _ = decided(PAPER[name])
    assert proof is not None


def test_window_sizes_add_up_for_sets_only() -> None:
    twice, once = of("ωv", of("ωw", A)), of("ωv+w−1", A)
    assert decided((twice, once)) == (None, True)
    proof, _ = decided((of("δ", twice), of("δ", once)))
    assert proof is not None


def test_a_rule_is_used_in_both_directions_and_anywhere() -> None:
    commutes, empty = (of("∪", A, B), of("∪", B, A)), (of("−", A, A), of("−", B, B))
    assert follows((of("δ", of("∪", of("σ", A), B)), of("δ", of("∪", B, of("σ", A)))), [commutes])
    assert follows((of("−", of("σ", B), of("σ", B)), of("−", A, A)), [empty])
    assert not follows((of("−", A, B), of("−", B, A)), [commutes])


def test_sizes_are_any_unless_they_add_up() -> None:
    through = (of("σ", of("ωw", A)), of("ωw", of("σ", A)))
    assert follows((of("σ", of("ωv+w−1", A)), of("ωv+w−1", of("σ", A))), [through])
    added = (of("δ", of("ωv", of("ωw", A))), of("δ", of("ωv+w−1", A)))
    assert not follows((of("δ", of("ωw", of("ωw", A))), of("δ", of("ωv+w−1", A))), [added])


def test_streams_are_named_in_order() -> None:
    assert canonical((of("−", B, A), of("δ", B))) == (of("−", A, B), of("δ", A))


def test_classes_are_closed_under_rules_and_operators() -> None:
    commuted = of("δ", of("∪", of("σ", B), A))
    classes = Classes([commuted, of("δ", of("∪", A, of("σ", B))), of("ω1", commuted)])
    classes.learn((of("∪", A, B), of("∪", B, A)), (of("ω1", A), A))
    assert classes.same(of("ω1", commuted), of("δ", of("∪", A, of("σ", B))))
    assert not classes.same(of("σ", B), A)


def test_what_is_empty_keeps_its_number_of_columns() -> None:
    wide = of("×", A, B)
    classes = Classes([of("−", wide, wide), of("−", A, A), of("−", B, B)])
    classes.learn((of("−", A, A), of("−", B, B)))
    assert classes.same(of("−", A, A), of("−", B, B))
    assert not classes.same(of("−", wide, wide), of("−", B, B))


def test_what_was_found_before_an_interruption_is_kept() -> None:
    described = []

    def interrupted(items: Sequence[T], describe: str) -> Iterator[T]:
        described.append(describe)
        yield from items[:2] if describe == "candidates" else items
        if describe == "candidates":
            raise KeyboardInterrupt

    found = discover(1, through=interrupted)
    assert found.basis == small().basis[:2]
    assert found.left == 1
    assert described == ["plans on streams", "candidates", "rules that may follow"]


def test_an_interruption_before_the_first_candidate_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("equivalence.discovery.discover", interrupted)
    with pytest.raises(Unsupported, match="before the first candidate"):
        discover_command(1)
