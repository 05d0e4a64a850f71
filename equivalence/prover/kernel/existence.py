"""Steps on formulas: existence asks whether a sum is positive, so it is simplified as sums are.

Soundness rests on each rewriting here; each has a theorem of its name in `proofs/coq/ExistenceSteps.v`.
"""

from collections.abc import Callable, Iterator, Sequence

from equivalence.prover.kernel.latest import LatestSteps
from equivalence.prover.terms.build import (
    ONE,
    ZERO,
    at_most,
    conj,
    conjuncts,
    disj,
    exists,
    neg,
    null,
    positive,
    some,
    sub,
)
from equivalence.prover.terms.linear import bounds, coefficients, collected, solved
from equivalence.prover.terms.matching import implied, witnesses
from equivalence.prover.terms.normal_form import GuardedProduct, taken_apart
from equivalence.prover.terms.substitution import opened, rebuilt, substitute
from equivalence.prover.terms.term import (
    FALSE,
    ROW_OF_A_KEY,
    TRUE,
    Apply,
    ConstantTerm,
    Exists,
    Fresh,
    SmtSort,
    Symbol,
    Term,
    Var,
    cached_on_term,
    free,
    mentions,
)

Variables = tuple[Var, ...]


class Existence:
    """Simplifies every existence within a term."""

    def __init__(self, fresh: Fresh, simpler: Callable[[Apply], Term | None], last: LatestSteps) -> None:
        self._fresh = fresh
        self._last = last
        self._simpler = simpler
        self._known: dict[Term, Term] = {}

    def tidy(self, term: Term) -> Term:
        """The same term with simpler formulas in it."""
        if isinstance(term, Var | ConstantTerm):
            return term
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = self._tidied(rebuilt(term, self.tidy))
        return known

    def _tidied(self, term: Term) -> Term:
        match term:
            case Exists(variables=variables, body=body):
                return self._some(variables, body)
            case Apply(head="and", arguments=parts):
                return self._lean(parts)
            case Apply(head="or", arguments=parts) if any(map(_has_existence, parts)):
                return self._either(parts)
            case Apply(head="<=", arguments=(ConstantTerm(value=1), Apply(head="monus" | "min") as difference)):
                new = self._simpler(difference)
                return term if new is None else self.tidy(positive(new))
            case Apply(head="<=" | "<", arguments=(left, right)) if left.sort is SmtSort.INT:
                return _decided_by_numbers(term, coefficients(sub(right, left)))
            case _:
                return term

    def _lean(self, guards: Sequence[Term]) -> Term:
        """A conjunction without what follows from the rest of it, and with the cases decided that the rest decides."""
        for guard in guards:
            if not isinstance(guard, Exists) and not _has_cases(guard):
                continue
            others = [g for g in guards if g != guard]
            if isinstance(guard, Exists) and implied(guard, others, self._fresh):
                return self._lean(others)
            decided = self._decided(guard, others)
            if decided != guard:
                return self.tidy(conj(*others, decided))
        return conj(*guards)

    def _either(self, cases: Sequence[Term]) -> Term:
        """A disjunction without cases that imply another one, and with cases as wide as the others allow."""
        for case in cases:
            others = [c for c in cases if c != case]
            if any(implied(other, conjuncts(case), self._fresh) for other in others):
                return self._either(others) if len(others) > 1 else others[0]
            wider = self._wider(case, others)
            if wider is not None:
                return self.tidy(disj(*others, wider))
        return disj(*cases)

    def _wider(self, case: Term, others: Sequence[Term]) -> Term | None:
        """(∃x: φ(x) ∧ ψ(x)) ∨ χ iff (∃x: φ(x)) ∨ χ, if φ(x) ∧ ¬ψ(x) implies χ: as of rows without a partner."""
        outside = conjuncts(case)
        for existence in outside:
            if not isinstance(existence, Exists):
                continue
            variables, body = opened(existence.variables, existence.body, self._fresh)
            guards, beside = conjuncts(body), [g for g in outside if g != existence]
            for guard in filter(_denies_existence, guards):
                rest = [g for g in guards if g != guard]
                facts = [*beside, *rest, *conjuncts(neg(guard))]
                if any(implied(other, facts, self._fresh) for other in others):
                    return conj(*beside, exists(variables, conj(*rest)))
        return None

    def _decided(self, term: Term, facts: Sequence[Term]) -> Term:
        """The term with one branch where the facts say which."""
        if not isinstance(term, Apply) or not _has_cases(term):
            return term
        if term.head == "ite":
            condition, then, otherwise = term.arguments
            if implied(condition, facts, self._fresh):
                return self._decided(then, facts)
            if implied(neg(condition), facts, self._fresh):
                return self._decided(otherwise, facts)
        return rebuilt(term, lambda part: self._decided(part, facts))

    def _some(self, variables: Variables, body: Term) -> Term:
        """∃ goes through ∨, past what does not depend on it, and away where the witness is known."""
        if isinstance(body, Apply) and body.head == "or":
            return disj(*(self._some(variables, part) for part in body.arguments))
        if not mentions(body, variables):
            return body
        variables, guards = self._merged(variables, conjuncts(body))
        guards = conjuncts(self._lean(guards))
        cases = _cases(variables, guards)
        if cases is not None:
            return disj(*(self._some(variables, self.tidy(case)) for case in cases))
        return (
            self._one_point(variables, guards)
            or self._present(variables, guards)
            or self._pinned(variables, guards)
            or self._between(variables, guards)
            or self._shifted(variables, guards)
            or self._needless(variables, guards)
            or self._some_last(variables, guards)
            or self._apart(variables, guards)
        )

    def _merged(self, variables: Variables, guards: Sequence[Term]) -> tuple[Variables, tuple[Term, ...]]:
        """∃x: φ(x) ∧ ∃y: ψ(x, y) iff ∃x, y: φ(x) ∧ ψ(x, y)."""
        flat: list[Term] = []
        for guard in guards:
            if isinstance(guard, Exists) and mentions(guard, variables):
                more, body = opened(guard.variables, guard.body, self._fresh)
                variables += more
                flat += conjuncts(body)
            else:
                flat.append(guard)
        return variables, conjuncts(conj(*flat))

    def _one_point(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        """∃x: x = τ ∧ φ(x) iff φ(τ)."""
        found = determined(variables, guards)
        if found is None:
            return None
        rest = tuple(v for v in variables if v != found[0])
        return self._some(rest, self.tidy(substitute(conj(*guards), dict([found]))))

    def _present(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        """∃x: x is not NULL ∧ φ(x) iff ∃y: φ(some y)."""
        found = never_null(variables, guards)
        if found is None:
            return None
        plain = self._fresh.var(found.name, found.sort.plain)
        rest = tuple(plain if v == found else v for v in variables)
        return self._some(rest, self.tidy(substitute(conj(*guards), {found: some(plain)})))

    def _pinned(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        """∃x: τ ≤ x ≤ τ ∧ φ(x) iff φ(τ)."""
        for variable in integers(variables):
            value = pin(variable, guards)
            if value is not None:
                rest = tuple(v for v in variables if v != variable)
                return self._some(rest, self.tidy(substitute(conj(*guards), {variable: value})))
        return None

    def _between(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        """∃x: a ≤ x ≤ b iff a ≤ b, for integers."""
        for variable in integers(variables):
            found = bounds(variable, guards)
            if found is not None:
                room = [at_most(low, high) for low in found.lower for high in found.upper]
                rest = [g for g in guards if variable not in free(g)]
                return self._some(tuple(v for v in variables if v != variable), conj(*rest, *room))
        return None

    def _shifted(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        """∃x: φ(x + τ) iff ∃x: φ(x), over all integers x: so that streams are asked about x itself."""
        for variable in integers(variables):
            asked = [rest for guard in guards for rest in _added(guard, variable)]
            if asked and ZERO not in asked and not mentions(asked[0], variables):
                moved = self._fresh.var(variable.name, variable.sort)
                rest = tuple(moved if v == variable else v for v in variables)
                return self._some(rest, self.tidy(substitute(conj(*guards), {variable: sub(moved, asked[0])})))
        return None

    def _needless(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        """∃x, y: φ(x) ∧ φ(y) iff ∃x: φ(x): what the other guards already provide witnesses for may go."""
        renaming = self._fresh.like(variables)
        patterns = [substitute(g, renaming) for g in guards]
        for guard in guards:
            others = [g for g in guards if g != guard]
            if mentions(guard, variables) and witnesses(patterns, _fresh_ones(renaming), others) is not None:
                return self._some(variables, conj(*others))
        return None

    def _some_last(self, variables: Variables, guards: Sequence[Term]) -> Term | None:
        rest = self._last.some_is_last(variables, guards)
        return None if rest is None else self._some(variables, conj(*rest))

    def _apart(self, variables: Variables, guards: Sequence[Term]) -> Term:
        """∃x, y: φ(x) ∧ ψ(y) iff (∃x: φ(x)) ∧ (∃y: ψ(y))."""
        parts = taken_apart(GuardedProduct(1, variables, tuple(guards)))
        return conj(*parts.closed.guards, *(exists(c.variables, conj(*c.guards)) for c in parts.components))


def _cases(variables: Variables, guards: Sequence[Term]) -> list[Term] | None:
    """φ ∧ (ψ ∨ χ) as φ ∧ ψ and φ ∧ χ, where rows of either would do: a group has rows with a partner or without."""
    for guard in guards:
        parts = guard.arguments if isinstance(guard, Apply) and guard.head == "or" else ()
        if parts and mentions(guard, variables) and all(any(map(_is_there, conjuncts(part))) for part in parts):
            others = [g for g in guards if g != guard]
            return [conj(*others, part) for part in parts]
    return None


def _is_there(formula: Term) -> bool:
    """Does it say that a row is in a stream?"""
    match formula:
        case Exists():
            return True
        case Apply(head="<=", arguments=(ConstantTerm(value=1), Apply(head=Symbol(kind="stream")))):
            return True
        case Apply(head=Symbol(name=name, result=SmtSort.BOOL)):
            return name.startswith(ROW_OF_A_KEY)
        case _:
            return False


def _denies_existence(guard: Term) -> bool:
    """Does it say that something does not exist, perhaps as one of several cases?"""
    parts = guard.arguments if isinstance(guard, Apply) and guard.head == "or" else (guard,)
    return any(isinstance(part, Apply) and part.head == "not" and _has_existence(part) for part in parts)


@cached_on_term
def _has_existence(term: Term) -> bool:
    return isinstance(term, Exists) or (isinstance(term, Apply) and any(map(_has_existence, term.arguments)))


def _added(term: Term, variable: Var) -> Iterator[Term]:
    """What is added to an integer where streams, or rows by their keys, are asked about it."""
    if not isinstance(term, Apply) or variable not in free(term):
        return
    for part in term.arguments:
        plain = part.arguments[0] if isinstance(part, Apply) and part.head == "some" else part
        if isinstance(term.head, Symbol) and plain.sort is SmtSort.INT and coefficients(plain).get(variable) == 1:
            yield collected(sub(plain, variable))
        else:
            yield from _added(part, variable)


@cached_on_term
def _has_cases(term: Term) -> bool:
    """Is there a choice between branches in the term?"""
    return isinstance(term, Apply) and (term.head == "ite" or any(map(_has_cases, term.arguments)))


def _decided_by_numbers(term: Apply, difference: dict[Term, int]) -> Term:
    """A comparison of sums that differ in a number only."""
    if set(difference) - {ONE}:
        return term
    smallest = 0 if term.head == "<=" else 1
    return TRUE if difference.get(ONE, 0) >= smallest else FALSE


def _fresh_ones(renaming: dict[Var, Term]) -> list[Var]:
    return [v for v in renaming.values() if isinstance(v, Var)]


def determined(
    variables: Sequence[Var], guards: Sequence[Term], factors: Sequence[Term] = ()
) -> tuple[Var, Term] | None:
    """A variable that a guard sets equal to a term without it.

    Of x = y + 1 it is the one about which no stream is asked, so that streams are asked about variables themselves.
    """
    for guard in guards:
        found = [(v, value) for v in variables if v in free(guard) and (value := _value(guard, v)) is not None]
        if found:
            asked = [part for part in (*guards, *factors) if part != guard]
            return next((pair for pair in found if not _makes_sums(*pair, asked)), found[0])
    return None


def _makes_sums(variable: Var, value: Term, asked: Sequence[Term]) -> bool:
    """Would other parts be about a sum instead of the variable?"""
    return isinstance(value, Apply) and value.head == "+" and any(variable in free(part) for part in asked)


def _value(guard: Term, variable: Var) -> Term | None:
    match guard:
        case Apply(head="is_null", arguments=(term,)) if term == variable:
            return null(variable.sort)
        case Apply(head="=", arguments=(left, right)):
            for one, other in ((left, right), (right, left)):
                if one == variable and variable not in free(other):
                    return other
            return solved(left, right, variable)
        case _ if guard == variable:
            return TRUE
        case Apply(head="not", arguments=(term,)) if term == variable:
            return FALSE
        case _:
            return None


def never_null(variables: Sequence[Var], guards: Sequence[Term]) -> Var | None:
    """A variable that is not NULL, as a guard says or the stream in which the row must be."""
    present = [value for guard in guards for value in _present(guard)]
    return next((v for v in present if isinstance(v, Var) and v in variables), None)


def _present(guard: Term) -> list[Term]:
    match guard:
        case Apply(head="not", arguments=(Apply(head="is_null", arguments=(value,)),)):
            return [value]
        case Apply(head="<=", arguments=(ConstantTerm(value=1), Apply(head=Symbol(present=present), arguments=row))):
            return [row[position] for position in present]
        case _:
            return []


def pin(variable: Var, guards: Sequence[Term]) -> Term | None:
    """The one value that the bounds of an integer leave."""
    found = bounds(variable, [g for g in guards if bounds(variable, [g])])
    return None if found is None else found.meeting


def integers(variables: Sequence[Var]) -> list[Var]:
    return [v for v in variables if v.sort is SmtSort.INT]
