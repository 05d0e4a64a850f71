"""Searches for a counterexample among small streams and lists: what a solver finds is replayed on the reference."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equivalence.prover.attempt import MOST_OPERATORS, Statement, size
from equivalence.prover.conjecture import Conjecture, Progress
from equivalence.prover.refute.floats import ExactNumbers, RoundedFloats, computes_with_floats
from equivalence.prover.refute.lists import EXTRA_ELEMENTS_LONG, EXTRA_ELEMENTS_SHORT, refute_lists
from equivalence.prover.refute.outcome import SearchOutcome, first_found
from equivalence.prover.refute.plans import SCOPES, SCOPES_OF_ROUNDED, STEPS_PER_QUESTION, Scopes, refute
from equivalence.prover.refute.sparse_plans import refute_sparse
from equivalence.prover.solver.solvers import names
from equivalence.rules.instances import Instance, ListInstance
from equivalence.verdicts.verdict import Verdict
from semantics.plan import Node

SCOPES_BEFORE_LONG_PROOF: Final = 2
"""The short search looks at this many of the scopes, the long search at the others."""
EXACT_SCOPES_BEFORE_ROUNDED: Final = 4
"""Rounded numbers are searched after this many scopes with exact ones."""
BUDGET_IF_SAMPLE_FAILS: Final = 5
"""Factor on the solver's steps where a failing sample shows that there is something to find."""
BUDGET_FOR_LISTS: Final = 4
"""Factor on the solver's steps for long lists, and for numbers that are rounded: both are harder to solve."""
AGGREGATES_TRIED: Final = ("count", "sum", "max")
"""If a rule is about any aggregate, counterexamples are searched with these."""


Search = Callable[[Statement], SearchOutcome]


def search_models(conjecture: Conjecture, progress: Progress, *, short: bool) -> Progress:
    """Look for models with small instants."""
    sure = progress.failing_sample is not None
    return _first_model(conjecture, progress, lambda statement: _searched(statement, conjecture, short, sure))


def search_open_instants(conjecture: Conjecture, progress: Progress) -> Progress:
    """Look for models with instants of any size."""

    def searched(statement: Statement) -> SearchOutcome:
        assert isinstance(statement.instance, Instance)
        return refute_sparse(statement.instance, statement.known, solver=conjecture.solver)

    return _first_model(conjecture, progress, searched)


def _first_model(conjecture: Conjecture, progress: Progress, search: Search) -> Progress:
    """Refute by the first counterexample; without one, note what was not searched and what did not replay."""
    unreplayed, outside = 0, list[str]()
    for statement in filter(_small, conjecture.statements(AGGREGATES_TRIED)):
        found = search(statement)
        if found.counterexample is not None:
            verdict = Verdict("refuted", {"how": "model", "solvers": names()}, found.counterexample)
            return replace(progress, verdict=verdict)
        unreplayed += found.not_replayed
        outside += [found.outside] if found.outside else []
    notes = {"models that do not replay": unreplayed} if unreplayed else {}
    beyond = {"not searched": outside} if outside else {}
    return replace(progress, verdict=Verdict("unknown", {**progress.verdict.evidence, **notes, **beyond}))


def _searched(statement: Statement, conjecture: Conjecture, short: bool, sure: bool) -> SearchOutcome:
    instance, equivalence, known = statement.instance, statement.equivalence, statement.known
    steps = STEPS_PER_QUESTION * BUDGET_IF_SAMPLE_FAILS if sure else STEPS_PER_QUESTION
    if isinstance(instance, ListInstance):
        extra, more = (EXTRA_ELEMENTS_SHORT, steps) if short else (EXTRA_ELEMENTS_LONG, steps * BUDGET_FOR_LISTS)
        return refute_lists(instance, equivalence, known, extra, conjecture.solver, more)
    return first_found(
        refute(instance, equivalence, known, scopes, conjecture.solver, numbers, steps * factor, sure=sure)
        for scopes, numbers, factor in _rounds(instance, short)
    )


def _rounds(instance: Instance, short: bool) -> list[tuple[Scopes, type[ExactNumbers], int]]:
    """Scopes, kind of numbers and budget, round by round: rounded numbers late, and only where they may matter."""
    exact, rounded = SCOPES_BEFORE_LONG_PROOF, EXACT_SCOPES_BEFORE_ROUNDED
    if short:
        return [(SCOPES[:exact], ExactNumbers, 1)]
    if not computes_with_floats((instance.left, instance.right)):
        return [(SCOPES[exact:], ExactNumbers, 1)]
    return [
        (SCOPES[exact:rounded], ExactNumbers, 1),
        (SCOPES_OF_ROUNDED, RoundedFloats, BUDGET_FOR_LISTS),
        (SCOPES[rounded:], ExactNumbers, 1),
    ]


def _small(statement: Statement) -> bool:
    sides = (statement.instance.left, statement.instance.right)
    return all(size(side) <= MOST_OPERATORS for side in sides if isinstance(side, Node))
