"""Steps about what comes last: count windows ask of an occurrence that few come after it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from equivalence.prover.kernel.opaque_sum import atoms
from equivalence.prover.terms.build import (
    ONE,
    at_most,
    conj,
    conjuncts,
    disj,
    equal,
    less,
    natural,
    neg,
    positive,
    some,
)
from equivalence.prover.terms.linear import bounds
from equivalence.prover.terms.matching import facts_of, matched, opened_facts
from equivalence.prover.terms.normal_form import GuardedProduct
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import (
    FALSE,
    Apply,
    Exists,
    Fresh,
    SmtSort,
    Symbol,
    Term,
    Var,
    bound,
    free,
    mentions,
    subterms,
)

Holds = Callable[[Sequence[Term], Term], bool]
"""Asks a solver whether a formula follows from others, quantifiers and all."""
LATER_OCCURRENCES_TRIED: Final = 4
"""Candidates for a later occurrence before the step gives up."""


@dataclass
class LatestSteps:
    """Steps whose side conditions need a solver that understands existence."""

    fresh: Fresh
    holds: Holds
    tidy: Callable[[Term], Term] = lambda term: term

    def latest(self, product: GuardedProduct) -> tuple[Var, Term] | None:
        """LATEST: where the rest is not 0 for x = τ only, Σ_{x ≤ τ} f(x) = f(τ)."""
        for variable in product.variables:
            found = bounds(variable, [g for g in product.guards if bounds(variable, [g])])
            if variable.sort is SmtSort.INT and found and found.upper and _few_after(product.guards, variable):
                facts = facts_of(product.guards, product.factors)
                if self.holds(facts, equal(variable, found.upper[0])):
                    return variable, found.upper[0]
        return None

    def unique(self, product: GuardedProduct) -> Term | None:
        """UNIQUE: Σ_x [φ(x)] = [∃x: φ(x)], where φ(x) and φ(y) only for x = y."""
        mine = [g for g in product.guards if mentions(g, product.variables)]
        if mentions(conj(*(positive(f) for f in product.factors)), product.variables):
            return None
        if not any(_few_after(mine, v) for v in product.variables):
            return None
        again = self.fresh.like(product.variables)
        both = [*mine, *(substitute(g, again) for g in mine)]
        same = conj(*(equal(v, other) for v, other in again.items()))
        return Exists(product.variables, conj(*mine)) if self.holds(both, same) else None

    def some_is_last(self, variables: tuple[Var, ...], guards: Sequence[Term]) -> list[Term] | None:
        """LAST: of finitely many x with φ(x) there is a last one, so ∃x: φ(x) ∧ few after x iff ∃x: φ(x)."""
        few = [g for g in guards if any(_few_after([g], v) for v in variables)]
        rest = [g for g in guards if g not in few]
        if not few or not _finite(variables, rest):
            return None
        after = [self._after(guard) for guard in few]
        beyond = [inner for found in after for inner in found or ()]
        if any(found is None for found in after):
            return None
        known = any(all(self._goes_on(variables, rest, inner, up) for inner in beyond) for up in (True, False))
        return rest if known else None

    def _after(self, guard: Term) -> list[Term] | None:
        """What must be there where the guard does not hold: one of these."""
        if isinstance(guard, Apply) and guard.head == "<":
            total, limit = guard.arguments
            if not natural(total) or not self.holds([], at_most(ONE, limit)):
                return None
            return _alternatives(self.tidy(positive(total)))
        return _alternatives(self.tidy(neg(guard)))

    def _goes_on(self, variables: tuple[Var, ...], rest: Sequence[Term], there: Term, up: bool) -> bool:
        """Is something after x, with all that is asked of x but that few come after it? Or always before x."""
        facts = opened_facts(conjuncts(there), self.fresh)
        found = [
            binding
            for pattern in _atoms(rest)
            for fact in _atoms(facts)
            if (binding := matched(pattern, fact, variables)) is not None
        ]
        found += _integers_for_integers(variables, facts)
        for binding in found[:LATER_OCCURRENCES_TRIED]:
            goal = conj(*(substitute(g, binding) for g in rest), _ahead(variables, binding, up))
            if self.holds([*rest, *facts], goal):
                return True
        return False


def _few_after(guards: Sequence[Term], variable: Var) -> bool:
    """Does a guard limit what comes after the variable?"""
    return any(variable in free(guard) and any(map(_limits, _alternatives(guard))) for guard in guards)


def _limits(guard: Term) -> bool:
    match guard:
        case Apply(head="not", arguments=(Exists(),)):
            return True
        case Apply(head="<", arguments=(total, _)):
            return any(map(bound, (total, *subterms(total))))
        case _:
            return False


def _alternatives(formula: Term) -> list[Term]:
    parts = formula.arguments if isinstance(formula, Apply) and formula.head == "or" else (formula,)
    return [part for part in parts if part != FALSE]


def _atoms(guards: Sequence[Term]) -> list[Term]:
    return [atom for guard in guards for atom in atoms(guard)]


def _finite(variables: Sequence[Var], guards: Sequence[Term]) -> bool:
    """Are the variables integers between bounds, or columns of rows that a stream must hold at such instants?

    Bounds and instants that depend on a variable say something only if that one is known to be finite itself.
    """
    held = [atom for guard in guards if guard in _positive(guard) for atom in atoms(guard)]
    unknown = set(variables)
    while known := {v for v in unknown if _bounded(v, guards, unknown) or _in_a_row(v, held, unknown)}:
        unknown -= known
    return not unknown


def _in_a_row(variable: Var, held: Sequence[Term], unknown: Collection[Var]) -> bool:
    rows = [subterms(atom) for atom in held]
    return any(variable in map(_plain, row[:-1]) and not mentions(row[-1], unknown) for row in rows)


def _plain(value: Term) -> Term:
    return value.arguments[0] if isinstance(value, Apply) and value.head == "some" else value


def _positive(guard: Term) -> list[Term]:
    """The guard, if it says that a row is in a stream."""
    match guard:
        case Apply(head="<=", arguments=(left, Apply(head=Symbol(kind="stream")))) if left == ONE:
            return [guard]
        case _:
            return []


def _bounded(variable: Var, guards: Sequence[Term], unknown: Collection[Var]) -> bool:
    found = bounds(variable, [g for g in guards if bounds(variable, [g])]) if variable.sort is SmtSort.INT else None
    return found is not None and all(
        any(not mentions(limit, unknown) for limit in limits) for limits in (found.lower, found.upper)
    )


def _integers_for_integers(variables: Sequence[Var], facts: Sequence[Term]) -> list[dict[Var, Term]]:
    """The integers that came up with the facts, in the order of their names."""
    new = sorted(
        {v for f in facts for v in free(f) if v.sort is SmtSort.INT and "." in v.name}, key=lambda v: _age(v.name)
    )
    fresh = [v for v in new if v not in variables][-len(variables) :]
    whole = len(fresh) == len(variables) and all(v.sort is SmtSort.INT for v in variables)
    return [dict(zip(variables, fresh, strict=True))] if whole else []


def _age(name: str) -> int:
    return int(name.rpartition(".")[2].rstrip("'"))


def _ahead(variables: Sequence[Var], later: dict[Var, Term], up: bool) -> Term:
    """A strict order on all values of the variables: by instants, then by rows; or the other way round."""
    moved = [v for v in variables if later.get(v, v) != v]
    pairs = [(v, later[v]) if up else (later[v], v) for v in moved]
    times = [(a, b) for a, b in pairs if a.sort is SmtSort.INT]
    rows = [(_nullable(a), _nullable(b)) for a, b in pairs if a.sort is not SmtSort.INT]
    ahead = [conj(*(equal(*p) for p in times[:i]), less(*pair)) for i, pair in enumerate(times)]
    if rows:
        by_row = _before([a for a, _ in rows], [b for _, b in rows])
        ahead.append(conj(*(equal(*p) for p in times), by_row))
    return disj(*ahead)


def _before(row: list[Term], other: list[Term]) -> Term:
    sorts = tuple(value.sort for value in row)
    symbol = Symbol("before " + " ".join(s.value for s in sorts), sorts * 2, SmtSort.BOOL, "order")
    return Apply(symbol, (*row, *other), SmtSort.BOOL)


def _nullable(value: Term) -> Term:
    return value if value.sort.nullable is value.sort else some(value)
