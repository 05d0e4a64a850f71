"""More mistakes to plant: written before anybody looked whether the probe notices them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from equivalence.prover.kernel import existence, facts, latest, steps, sums_as_constants
from equivalence.prover.kernel.existence import Existence
from equivalence.prover.kernel.steps import KernelSteps
from equivalence.prover.meaning.aggregates import AggregateTerms, RowMultiset
from equivalence.prover.meaning.plan import Translation
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.terms import build, linear, matching, normal_form
from equivalence.prover.terms.build import ONE, ZERO, add, at_most, conj, is_null, some, sub
from equivalence.prover.terms.linear import coefficients
from equivalence.prover.terms.normal_form import GuardedProduct
from equivalence.prover.terms.shape import shape
from equivalence.prover.terms.term import FALSE, Apply, SumTerm, Term, Var
from semantics import plan as op


def once_however_often(products: Any) -> list[GuardedProduct]:
    """Equal products count once."""
    alike = {shape(SumTerm(p.variables, p.body)): p for p in products}
    return list(alike.values())


def solved_whatever_the_factor(left: Term, right: Term, variable: Var) -> Term | None:
    """2·x = y taken for x = y."""
    parts = coefficients(sub(left, right))
    if variable not in parts or variable.sort.value != "Int":
        return None
    rest = {part: n for part, n in parts.items() if part != variable}
    return linear._sum(rest, -1 if parts[variable] > 0 else 1)


def moved_in_factors_only(self: KernelSteps, product: GuardedProduct) -> list[GuardedProduct] | None:
    """SHIFT that forgets the guards."""
    found = SHIFTED(self, product)
    return None if found is None else [replace(p, guards=product.guards) if not p.variables else p for p in found][:1]


SHIFTED: Final = KernelSteps._shifted
BETWEEN: Final = Existence._between


def room_for_one_more(self: Existence, variables: tuple[Var, ...], guards: Sequence[Term]) -> Term | None:
    """BETWEEN with a bound that is too wide: ∃x: a ≤ x ≤ b iff a ≤ b + 1."""
    wider = [
        at_most(g.arguments[0], add(g.arguments[1], ONE)) if isinstance(g, Apply) and g.head == "<=" else g
        for g in guards
    ]
    return BETWEEN(self, variables, wider)


def never_null_sum(_self: AggregateTerms, _rows: RowMultiset, _there: Term, value: Term) -> Term:
    """An aggregate of nothing has a value."""
    return value


def turned_round(formula: Term) -> Term:
    """¬(a < b) taken for a ≤ b."""
    match formula:
        case Apply(head="<", arguments=(left, right)):
            return at_most(left, right)
    return NEG(formula)


NEG: Final = build.neg
MATCH: Final = matching._match


def matched_twice(pattern: Term, fact: Term, variables: frozenset[Var], binding: dict[Var, Term]) -> Any:
    """A variable may stand for different terms in one pattern."""
    if pattern in variables and pattern.sort is fact.sort:
        return {**binding, pattern: fact}
    return MATCH(pattern, fact, variables, binding)


def all_kept(body: Sequence[GuardedProduct], guard: Term) -> list[GuardedProduct]:
    """CASE that keeps what contradicts the case."""
    return [replace(p, guards=tuple(g for g in p.guards if g not in (guard, NEG(guard)))) for p in body]


ALONE: Final = Translation._left_alone


def alone_with_partner(self: Translation, plan: op.LeftJoin | op.FullJoin, row: tuple[Term, ...], time: Term) -> Term:
    """Left rows before NULLs, whether they have a partner or not."""
    width = len(plan.left.schema)
    padded = build.indicator(conj(*map(is_null, row[width:])))
    return build.mul(padded, self.times(plan.left, row[:width], time))


ONCE: Final = SourceTerms._once


def once_at_any_instant(
    self: SourceTerms, source: str, positions: tuple[int, ...], row: Sequence[Term], _time: Term
) -> Term:
    """What comes once is there for ever."""
    return ONCE(self, source, positions, row, ZERO)


def finite_anyway(_variables: object, _guards: object) -> bool:
    """LAST whether or not there are finitely many."""
    return True


def apart_whatever_they_share(product: GuardedProduct) -> list[frozenset[Var]]:
    """HOIST of variables that a guard ties together."""
    return [frozenset([v]) for v in product.variables]


CASES: Final = existence._cases


def first_case(variables: tuple[Var, ...], guards: Sequence[Term]) -> list[Term] | None:
    """∃x: φ ∧ (ψ ∨ χ) taken for ∃x: φ ∧ ψ."""
    found = CASES(variables, guards)
    return None if found is None else found[:1]


def cases_alone(variables: tuple[Var, ...], guards: Sequence[Term]) -> list[Term] | None:
    """∃x: φ ∧ (ψ ∨ χ) taken for ∃x: ψ ∨ χ, where φ is a comparison."""
    found = CASES(variables, guards)
    plain = [g for g in guards if not (isinstance(g, Apply) and g.head in ("=", "<"))]
    return None if found is None else CASES(variables, plain)


SOME_SHIFTED: Final = Existence._shifted


def moved_where_streams_are_asked(self: Existence, variables: tuple[Var, ...], guards: Sequence[Term]) -> Term | None:
    """SHIFT of an existence that forgets the other guards."""
    about = [g for g in guards if any(map(list, (existence._added(g, v) for v in variables)))]
    return SOME_SHIFTED(self, variables, about) if about else None


GET: Final = build.get


def equal_but_for_null(left: Term, right: Term) -> Term:
    """x = some y without asking whether x is NULL."""
    match left, right:
        case (Apply(head="some", arguments=(plain,)), Var() as other) | (
            Var() as other,
            Apply(head="some", arguments=(plain,)),
        ):
            return EQUAL(plain, GET(other))
    return EQUAL(left, right)


EQUAL: Final = build.equal


def present_anyway(value: Term) -> Term:
    """Every column of a row is there."""
    return FALSE if isinstance(value, Var) else IS_NULL(value)


IS_NULL: Final = build.is_null
Plant = tuple[Any, str, Callable[..., Any]]
FRESH: Final[dict[str, Plant]] = {
    "equal products count once": (steps, "combined", once_however_often),
    "2·x = y taken for x = y": (existence, "solved", solved_whatever_the_factor),
    "SHIFT of factors only": (KernelSteps, "_shifted", moved_in_factors_only),
    "BETWEEN too wide": (Existence, "_between", room_for_one_more),
    "an aggregate of nothing has a value": (AggregateTerms, "_unless_none", never_null_sum),
    "¬(a < b) taken for a ≤ b": (latest, "neg", turned_round),
    "witnesses that differ from place to place": (matching, "_match", matched_twice),
    "CASE that keeps both cases": (sums_as_constants, "given", all_kept),
    "left rows alone with a partner": (Translation, "_left_alone", alone_with_partner),
    "what comes once is there for ever": (SourceTerms, "_once", once_at_any_instant),
    "LAST without an end": (latest, "_finite", finite_anyway),
    "HOIST of what is tied together": (normal_form, "_groups", apart_whatever_they_share),
    "NULL equal to something": (existence, "null", lambda sort: some(Var("any", sort.plain))),
    "one of two cases": (existence, "_cases", first_case),
    "cases without what they share": (existence, "_cases", cases_alone),
    "SHIFT of an existence without its guards": (Existence, "_shifted", moved_where_streams_are_asked),
    "facts of the other extreme": (facts, "before", lambda left, right: build.before(right, left)),
}
