"""The lemmas so far, rewriting by them, and what follows from facts without arithmetic."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from equivalence.certificates.checker import canonical
from equivalence.certificates.checker.canonical import conjuncts, form, key_of, negation, plus, same, summed
from equivalence.certificates.checker.keys import key
from equivalence.certificates.checker.products import as_term
from equivalence.certificates.checker.terms import (
    FALSE,
    TRUE,
    Refused,
    Term,
    free,
    listed,
    op,
    rebuilt,
    substitute,
    var,
)

REWRITES_OF_ONE_TERM: Final = 40


@dataclass(frozen=True)
class Proved:
    """A lemma that was checked: an equation, or only what its rule says of it."""

    rule: str
    left: Term | None = None
    right: Term | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Lemmas:
    """The lemmas so far, and the terms of the certificate."""

    terms: Sequence[Term]
    hypotheses: Sequence[Term]
    proved: list[Proved] = field(default_factory=list)

    def term(self, place: Any) -> Term:
        if type(place) is not int or not 0 <= place < len(self.terms):
            raise Refused(f"there is no term {place!r}")
        return self.terms[place]

    def all(self, places: Any) -> list[Term]:
        if not isinstance(places, list):
            raise Refused(f"a list of terms is expected, not {places!r}")
        return [self.term(place) for place in places]

    def lemma(self, place: Any, *rules: str) -> Proved:
        """An earlier lemma, of one of these rules."""
        if type(place) is not int or not 0 <= place < len(self.proved):
            raise Refused(f"there is no earlier lemma {place!r}")
        found = self.proved[place]
        if rules and found.rule not in rules:
            raise Refused(f"lemma {place} is by {found.rule}, not by {' or '.join(rules)}")
        return found

    def rewritten(self, term: Term, uses: Any) -> Term:
        """The term with both sides of earlier equations exchanged in it, wherever the left one stands."""
        table: dict[str, Term] = {}
        for place in listed(uses):
            lemma = self.lemma(place)
            if lemma.left is not None and lemma.right is not None and not same(lemma.left, lemma.right):
                table.setdefault(key_of(lemma.left), lemma.right)
        return _Rewriting(table).of(term) if table else term

    def agree(self, left: Term, right: Term, uses: Any) -> bool:
        """Are both the same, after rewriting one or both?"""
        once = self.rewritten(left, uses)
        return same(once, right) or same(once, self.rewritten(right, uses))


@dataclass
class _Rewriting:
    table: Mapping[str, Term]
    known: dict[Term, Term] = field(default_factory=dict)

    def of(self, term: Term) -> Term:
        if term.kind in ("var", "number"):
            return term
        if term not in self.known:
            self.known[term] = term
            first = _through_or(self._at(term))
            inner = rebuilt(first, [self.of(arg) for arg in first.args])
            self.known[term] = self._at(inner)
        return self.known[term]

    def _at(self, term: Term) -> Term:
        for _ in range(REWRITES_OF_ONE_TERM):
            name = key_of(term)
            new = self.table.get(name)
            if new is None or key_of(new) == name:
                return term
            term = new
        raise Refused("the lemmas rewrite in a circle")


def _through_or(term: Term) -> Term:
    """∃x: φ ∨ ψ as (∃x: φ) ∨ (∃x: ψ), for lemmas are about these."""
    if term.kind != "exists" or term.args[0].kind != "op" or term.args[0].name != "or":
        return term
    return op("or", *(rebuilt(term, [part]) for part in term.args[0].args), sort="Bool")


# What is known where a product is not 0, and what follows from it


def facts_of(guards: Iterable[Term], factors: Iterable[Term]) -> list[Term]:
    """Guards, and that natural factors are not 0, in canonical form."""
    there = [part for g in guards for part in conjuncts(form(g))]
    for factor in factors:
        if canonical.natural(summed(factor)):
            there += conjuncts(canonical.positive(summed(factor)))
    return there


def follows(lemmas: Lemmas, data: Mapping[str, Any], formula: Term, facts: Sequence[Term]) -> bool:
    """Does the formula follow from the facts, with the witnesses that are given?"""
    known = {key(part): part for fact in facts for part in conjuncts(form(fact))}
    stated = lemmas.term(data["formula"])
    if not same(stated, formula):
        return False
    used = free(stated).union(*map(free, known.values()))
    for opening in listed(data["opened"]):
        fact, names = lemmas.term(opening["fact"]), lemmas.all(opening["names"])
        if fact.kind != "exists" or not all(key(part) in known for part in conjuncts(form(fact))):
            return False
        sorts = [v.sort for v in fact.variables] == [v.sort for v in names]
        if not sorts or len(set(names)) != len(names) or any(v.kind != "var" or v in used for v in names):
            return False
        used |= set(names)
        body = substitute(fact.args[0], dict(zip(fact.variables, names, strict=True)))
        known |= {key(part): part for part in conjuncts(form(body))}
    return _follows(stated, known, [lemmas.all(each) for each in listed(data["witnesses"])])


def _follows(formula: Term, known: Mapping[str, Term], witnesses: Sequence[Sequence[Term]]) -> bool:
    if all(key(part) in known for part in conjuncts(form(formula))):
        return True
    if formula.kind == "op" and formula.name in ("and", "or"):
        every = all if formula.name == "and" else any
        return every(_follows(part, known, witnesses) for part in formula.args)
    if formula.kind == "exists":
        fitting = [w for w in witnesses if [t.sort for t in w] == [v.sort for v in formula.variables]]
        bodies = [substitute(formula.args[0], dict(zip(formula.variables, w, strict=True))) for w in fitting]
        return any(all(key(part) in known for part in conjuncts(form(body))) for body in bodies)
    return False


def is_said(guards: Sequence[Term], formula: Term) -> bool:
    """Are all parts of the formula among the guards?"""
    known = {key(part) for g in guards for part in conjuncts(form(g))}
    return all(key(part) in known for part in conjuncts(form(formula)))


def equation(left: Term, right: Term) -> Term:
    """left = right; a truth is said by itself."""
    if left.sort != right.sort:
        raise Refused(f"{left.sort} and {right.sort} are never equal")
    if right in (TRUE, FALSE):
        return left if right == TRUE else negation(left)
    return op("=", left, right, sort="Bool")


def at_most(left: Term, right: Term) -> Term:
    return op("<=", left, right, sort="Bool")


def fresh_for(variable: Term, sort: str, terms: Iterable[Term]) -> Term:
    names = {v.name for term in terms for v in free(term)}
    name = variable.name + "?"
    while name in names:
        name += "?"
    return var(name, sort)


def bound_of(guard: Term, variable: Term) -> tuple[str, Term] | None:
    """What an inequality says of an integer: at least or at most a term without it."""
    if guard.kind != "op" or guard.name != ">=0":
        return None
    value = summed(guard.args[0])
    mine = [p for p in value if p.factors == (variable,) and not (p.variables or p.guards) and abs(p.times) == 1]
    rest = tuple(p for p in value if p not in mine)
    if len(mine) != 1 or variable in free(as_term(rest)):
        return None
    if mine[0].times == 1:
        return "lower", as_term(plus((-1, rest)))
    return "upper", as_term(rest)


def bounds_of(guards: Sequence[Term], variable: Term) -> tuple[list[Term], list[Term]] | None:
    """The lower and upper bounds; None if a guard says something else of the variable."""
    lower, upper = list[Term](), list[Term]()
    for guard in guards:
        for part in conjuncts(form(guard)):
            if variable in free(part):
                found = bound_of(part, variable)
                if found is None:
                    return None
                (lower if found[0] == "lower" else upper).append(found[1])
    return lower, upper


def leaf_says(lemmas: Lemmas, place: Any, facts: Sequence[Term], goal: Term) -> bool:
    """Does a leaf say that the goal follows from some of the facts?"""
    stated = lemmas.lemma(place, "LEAF").data["goal"]
    allowed = {key(part) for fact in facts for part in disjuncts(form(negation(fact)))}
    allowed |= {key(part) for part in disjuncts(form(goal))}
    return all(key(part) in allowed for part in disjuncts(form(stated)))


def disjuncts(formula: Term) -> tuple[Term, ...]:
    return formula.args if formula.kind == "op" and formula.name == "or" else (formula,)


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Refused(f"it is not so that {what}")
