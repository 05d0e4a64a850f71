"""Mistakes to plant in the kernel: steps that are taken where they do not apply, or that do too much."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from equivalence.prover.kernel import existence, facts, steps, sums_as_constants
from equivalence.prover.kernel.kernel import ProofKernel
from equivalence.prover.kernel.latest import LatestSteps
from equivalence.prover.kernel.nested_extremes import unnested
from equivalence.prover.kernel.opaque_sum import OpaqueSum, scaled
from equivalence.prover.kernel.sums_as_constants import SumsAsConstants
from equivalence.prover.meaning import plan as plan_meaning
from equivalence.prover.meaning.plan import RowTerms, Translation
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.terms.build import ONE, add, conj, conjuncts
from equivalence.prover.terms.linear import Bounds, bounds
from equivalence.prover.terms.normal_form import GuardedProduct
from equivalence.prover.terms.term import Apply, Exists, Symbol, Term, Var
from semantics import Plan
from semantics.constraint import Constraint, Key, NotNull, References
from semantics.plan import Distinct


def yes(*_: object) -> bool:
    return True


def first_bound(variable: Var, guards: Sequence[Term]) -> Term | None:
    """PIN without asking whether the bounds meet."""
    found = bounds(variable, [g for g in guards if bounds(variable, [g])])
    return found.lower[0] if found and found.lower and found.upper else None


def never_null(variables: Sequence[Var], _guards: Sequence[Term]) -> Var | None:
    """NOT NULL without asking whether anything says so."""
    return next((v for v in variables if v.sort.plain is not v.sort), None)


def guards_follow(formula: Term, _facts: Sequence[Term], _fresh: object) -> bool:
    """ABSORB of every comparison."""
    return isinstance(formula, Apply) and formula.head in ("<", "<=", "not")


def distinct_forgotten(
    self: Translation, plan: Plan, row: RowTerms, time: Term, times: Any = Translation.times
) -> Term:
    inner = plan.input if isinstance(plan, Distinct) else plan
    result: Term = times(self, inner, row, time)
    return result


TERMS: Final = facts._some_terms


def larger_terms(kernel: ProofKernel, abstract: OpaqueSum) -> list[Term]:
    """TERM: a sum is larger than each of its summands, which it need not be."""
    return [add(term, ONE) for term in TERMS(kernel, abstract)]


def always_scaled(_name: str, body: list[GuardedProduct]) -> list[GuardedProduct]:
    """SCALE for whatever is folded."""
    return scaled("Avg ", body)


LARGEST: Final = steps._minimum


def one_too_many(found: Bounds) -> Term:
    """COUNT off by one."""
    return add(LARGEST(found), ONE)


UNIQUE, LATEST = LatestSteps.unique, LatestSteps.latest


def exists_once(self: LatestSteps, product: GuardedProduct) -> Term | None:
    """UNIQUE without asking whether there can be two."""
    return UNIQUE(replace(self, holds=yes), product)


def last_of_all(self: LatestSteps, product: GuardedProduct) -> tuple[Var, Term] | None:
    """LATEST without asking whether the rest is 0 before."""
    return LATEST(replace(self, holds=yes), product)


def nested_anyway(self: SumsAsConstants, name: str, variable: Var, p: GuardedProduct) -> GuardedProduct:
    """NEST in each guard, whatever the others ask of the value."""
    tidy = self.steps.existence.tidy
    known = [*self.hypotheses, *p.guards]
    return replace(
        p, guards=conjuncts(conj(*(tidy(unnested(g, name, variable, known, self.fresh, tidy)) for g in p.guards)))
    )


STREAM, LED = SourceTerms._stream, SourceTerms._led


def full_stream(self: SourceTerms, source: str, _present: tuple[int, ...]) -> Symbol:
    """No column is ever NULL, whatever is declared."""
    return STREAM(self, source, tuple(range(len(self.schemas[source]))))


def led_by_null(self: SourceTerms, reference: References, row: Sequence[Term], *rest: Any) -> Term:
    """References that have a target even if they are NULL."""
    led = LED(self, reference, row, *rest)
    return next(part for part in led.arguments if isinstance(part, Exists)) if isinstance(led, Apply) else led


def key_of_the_first(_self: SourceTerms, constraint: Constraint) -> tuple[int, ...] | None:
    """The first column taken for a key where it is only never NULL."""
    return (0,) if isinstance(constraint, NotNull | Key) else None


PLANTED: Final[dict[str, tuple[Any, str, Any]]] = {
    "leaves that are not asked": (ProofKernel, "_asked", yes),
    "duplicates kept": (Translation, "times", distinct_forgotten),
    "nothing taken away": (plan_meaning, "monus", lambda left, _right: left),
    "the left side only": (plan_meaning, "least", lambda left, _right: left),
    "PIN whatever the bounds": (steps, "pin", first_bound),
    "NOT NULL whatever is known": (steps, "never_null", never_null),
    "ABSORB whatever is known": (steps, "implied", guards_follow),
    "EMPTY wherever there are bounds": (steps, "_less_by_a_number", yes),
    "CONG for sums of different things": (SumsAsConstants, "_same", yes),
    "MONO whatever is summed": (SumsAsConstants, "never_larger", yes),
    "witnesses that are none": (existence, "witnesses", lambda *_: {}),
    "TERM for what is larger": (facts, "_some_terms", larger_terms),
    "SCALE for all folds": (sums_as_constants, "scaled", always_scaled),
}
"""The place, the name in it, and what is put there instead."""

PLANTED_IN_TERMS: Final[dict[str, tuple[Any, str, Any]]] = {
    "COUNT off by one": (steps, "_minimum", one_too_many),
    "UNIQUE without asking": (LatestSteps, "unique", exists_once),
    "LATEST without asking": (LatestSteps, "latest", last_of_all),
    "PIN whatever the bounds": PLANTED["PIN whatever the bounds"],
    "duplicates kept": PLANTED["duplicates kept"],
    "nothing taken away": PLANTED["nothing taken away"],
}
"""Mistakes that change both sides of a statement alike: what terms mean shows them, and pairs of plans may not."""

PLANTED_IN_CONSTRAINTS: Final[dict[str, tuple[Any, str, Any]]] = {
    "NEST whatever else is asked": (SumsAsConstants, "_unnested", nested_anyway),
    "NOT NULL whatever is declared": (SourceTerms, "_stream", full_stream),
    "references that are NULL": (SourceTerms, "_led", led_by_null),
    "a key that may come twice": (SourceTerms, "_unique", key_of_the_first),
}
"""Mistakes about groups and about what is declared: only plans of several columns show them."""
