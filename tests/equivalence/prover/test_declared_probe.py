"""Soundness probe over plans of two columns with constraints, and that it would notice steps that are wrong."""

from functools import cache

import pytest

from equivalence.exhaustive.dense import unstack
from equivalence.verification.prover_probe.declared_cases import declared_cases
from equivalence.verification.prover_probe.declared_probe import SCHEMAS, DeclaredProbe
from equivalence.verification.prover_probe.probe import proved
from equivalence.verification.prover_probe.two_columns import DECLARED, FURTHER_DECLARED
from semantics import show
from semantics.constraint import broken
from tests.equivalence.prover.mutated_steps import PLANTED_IN_CONSTRAINTS

ALL_DECLARED = {**DECLARED, **FURTHER_DECLARED}
SHOWN_BY = {
    "NEST whatever else is asked": ("no NULL", "group(k; max(v) as v) | filter"),
    "NOT NULL whatever is declared": ("nothing", "limit(1 per k; v)"),
    "references that are NULL": ("a key and references to it", "semijoin(A(k int, v int), B"),
    "a key that may come twice": ("no NULL", "group(k; sum(v) as v)"),
}
"""What must be declared, and which pairs show the mistake; to try all that come before takes long."""


@cache
def probe(declared: str, most: int) -> DeclaredProbe:
    return DeclaredProbe(DECLARED[declared], most)


@pytest.mark.parametrize("declared", DECLARED)
def test_what_is_proved_never_differs(declared: str) -> None:
    small = probe(declared, 24)
    assert len(small.apart) > 40
    assert len(small.alike) > 10
    assert small.says_enough
    assert not list(small.wrongly_proved())


@pytest.mark.parametrize("declared", ALL_DECLARED)
def test_the_cases_keep_what_is_declared(declared: str) -> None:
    instants, number = 2, 30
    batch = declared_cases(number, 0, instants, SCHEMAS, ALL_DECLARED[declared])
    assert all(any(counts.any() for counts in rows.values()) for rows in batch.sources.values())
    for i in range(number):
        case = {name: unstack(rows, i, SCHEMAS[name], instants) for name, rows in batch.sources.items()}
        assert not [c for c in ALL_DECLARED[declared] if broken(c, case)]


@pytest.mark.parametrize("name", PLANTED_IN_CONSTRAINTS)
def test_the_probe_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declared, shown_by = SHOWN_BY[name]
    large = probe(declared, 400)
    pairs = [pair for pair in large.apart if shown_by in show(pair[0])]
    where, what, wrong = PLANTED_IN_CONSTRAINTS[name]
    monkeypatch.setattr(where, what, wrong)
    assert any(proved(*pair, large.declared) for pair in pairs)
