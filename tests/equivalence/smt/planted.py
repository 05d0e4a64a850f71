"""Mistakes to plant in the kernel: steps that are taken where they must not be, or that do too much."""

from collections.abc import Sequence
from typing import Any, Final

from equivalence.prover import existence, steps, translate
from equivalence.prover.constants import Constants
from equivalence.prover.kernel import Kernel
from equivalence.prover.linear import bounds
from equivalence.prover.terms import Apply, Term, Var
from equivalence.prover.translate import Row, Translation
from semantics import Plan
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


def distinct_forgotten(self: Translation, plan: Plan, row: Row, time: Term, times: Any = Translation.times) -> Term:
    inner = plan.input if isinstance(plan, Distinct) else plan
    result: Term = times(self, inner, row, time)
    return result


PLANTED: Final[dict[str, tuple[Any, str, Any]]] = {
    "leaves that are not asked": (Kernel, "_asked", yes),
    "duplicates kept": (Translation, "times", distinct_forgotten),
    "nothing taken away": (translate, "monus", lambda left, _right: left),
    "the left side only": (translate, "least", lambda left, _right: left),
    "PIN whatever the bounds": (steps, "pin", first_bound),
    "NOT NULL whatever is known": (steps, "never_null", never_null),
    "ABSORB whatever is known": (steps, "implied", guards_follow),
    "EMPTY wherever there are bounds": (steps, "_less_by_a_number", yes),
    "CONG for sums of different things": (Constants, "_same", yes),
    "MONO whatever is summed": (Constants, "never_larger", yes),
    "witnesses that are none": (existence, "witnesses", lambda *_: {}),
}
"""The place, the name in it, and what is put there instead."""
