"""Extremes of extremes: the largest of the largest elements of some sets is the largest of all their elements."""

from collections.abc import Callable, Sequence

from equivalence.prover.terms.build import conj, disj, exists, positive
from equivalence.prover.terms.matching import implied
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import Apply, Exists, Fold, Fresh, Term, Var, mentions


def unnested(
    formula: Term, name: str, value: Var, known: Sequence[Term], fresh: Fresh, tidy: Callable[[Term], Term]
) -> Term:
    """NEST: max{m : ∃y, φ(y) ∧ m = max S_y} = max{m : ∃y, φ(y) ∧ m ∈ S_y}, where no S_y is empty; and so for min.

    Nothing else may be asked of m: of the largest elements those below 5 are others than the elements below 5.
    """

    def inside(part: Term, facts: Sequence[Term]) -> Term:
        match part:
            case Apply(head="and", arguments=parts) if sum(mentions(p, (value,)) for p in parts) > 1:
                return part
            case Apply(head="and", arguments=parts):
                return conj(*(inside(p, [*facts, *parts]) for p in parts))
            case Apply(head="or", arguments=parts):
                return disj(*(inside(p, facts) for p in parts))
            case Exists(variables=variables, body=body):
                return exists(variables, inside(body, facts))
            case Apply(head="=", arguments=(left, right)):
                return member(left, right, facts) or member(right, left, facts) or part
            case _:
                return part

    def member(left: Term, right: Term, facts: Sequence[Term]) -> Term | None:
        if left != value or not isinstance(right, Fold) or right.name != name or mentions(right, (value,)):
            return None
        held = positive(right.body)
        nonempty = tidy(exists((right.variable,), held))
        if not implied(nonempty, facts, fresh):
            return None
        return substitute(held, {right.variable: value})

    return inside(formula, known)
