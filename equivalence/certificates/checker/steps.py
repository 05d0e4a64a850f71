"""The lemmas about products and formulas: each is an instance of a schema that is proved in `proofs/coq`.

Everything that is not said in a schema is compared by `canonical.key`, after the lemmas before it were used to rewrite.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from equivalence.certificates.checker.canonical import conjuncts, form, key_of, negation, plus, same, summed
from equivalence.certificates.checker.keys import key
from equivalence.certificates.checker.lemmas import (
    Lemmas,
    at_most,
    bounds_of,
    equation,
    facts_of,
    follows,
    fresh_for,
    is_said,
    leaf_says,
    need,
)
from equivalence.certificates.checker.products import constant
from equivalence.certificates.checker.terms import ONE, Refused, Term, bindable, free, num, op, plain, substitute

# Lemmas about products


@dataclass(frozen=True)
class Stated:
    """A product as a lemma states it, which must be its left side."""

    variables: list[Term]
    guards: list[Term]
    factors: list[Term]

    def with_(self, variables: Sequence[Term], guards: Sequence[Term], factors: Sequence[Term], *more: Term) -> Term:
        parts = [*(op("[]", g, sort="Int") for g in guards), *factors, *more]
        body = op("*", *parts, sort="Int")
        return Term("sum", "", "Int", (body,), tuple(variables)) if variables else body

    @property
    def whole(self) -> Term:
        return self.with_(self.variables, self.guards, self.factors)

    def put(self, variable: Term, value: Term, *more: Term) -> Term:
        """The product with a value for a variable that is no longer summed over."""
        if variable.sort != value.sort or variable.kind != "var":
            raise Refused(f"{variable.name} cannot have that value")
        by = {variable: value}
        rest = [*(v for v in self.variables if v != variable), *more]
        return self.with_(rest, [substitute(g, by) for g in self.guards], [substitute(f, by) for f in self.factors])


def product_of(lemmas: Lemmas, data: Mapping[str, Any]) -> Stated:
    stated = Stated(*(lemmas.all(data[name]) for name in ("variables", "guards", "factors")))
    bindable(stated.variables)
    if not same(stated.whole, lemmas.term(data["left"])):
        raise Refused("the left side is not the product that is stated")
    return stated


def one(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, variable, value = product_of(lemmas, data), lemmas.term(data["variable"]), lemmas.term(data["value"])
    need(variable in p.variables and variable not in free(value), "a variable has a value without itself")
    need(is_said(p.guards, equation(variable, value)), "a guard says what the variable is")
    return p.put(variable, value)


def pin(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, variable, value = product_of(lemmas, data), lemmas.term(data["variable"]), lemmas.term(data["value"])
    need(variable in p.variables and variable.sort == value.sort == "Int", "an integer is bounded")
    need(variable not in free(value), "the value does not depend on the variable")
    need(is_said(p.guards, at_most(variable, value)) and is_said(p.guards, at_most(value, variable)), "bounds meet")
    return p.put(variable, value)


def not_null(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, variable = product_of(lemmas, data), lemmas.term(data["variable"])
    need(variable in p.variables and variable.sort.startswith("Nullable"), "a variable may be NULL")
    need(never_null(variable, facts_of(p.guards, p.factors)), "the variable is not NULL")
    new = fresh_for(variable, plain(variable.sort), [*p.guards, *p.factors, *p.variables])
    return p.put(variable, op("some", new, sort=variable.sort), new)


def never_null(variable: Term, facts: Iterable[Term]) -> bool:
    absent = key_of(negation(op("is_null", variable, sort="Bool")))
    return any(key(fact) == absent or variable in _present(fact) for fact in facts)


def _present(fact: Term) -> list[Term]:
    if fact.kind == "op" and fact.name == ">=1" and fact.args[0].signature is not None:
        return [fact.args[0].args[i] for i in fact.args[0].signature.present]
    return []


def empty(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p = product_of(lemmas, data)
    values = [summed(g.args[0]) for each in p.guards for g in conjuncts(form(each)) if g.name == ">=0"]
    pairs = [constant(plus((1, a), (1, b))) for a in values for b in values]
    need(any(not rest and number < 0 for number, rest in pairs), "two guards contradict each other")
    return num(0)


def shift(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, variable, offset = product_of(lemmas, data), lemmas.term(data["variable"]), lemmas.term(data["offset"])
    need(variable in p.variables and variable.sort == offset.sort == "Int", "an integer is moved")
    need(free(offset).isdisjoint(p.variables), "the offset does not depend on what is summed over")
    new = fresh_for(variable, "Int", [*p.guards, *p.factors, *p.variables, offset])
    moved = op("+", new, op("*", num(-1), offset, sort="Int"), sort="Int")
    return p.put(variable, moved, new)


def count(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, variable = product_of(lemmas, data), lemmas.term(data["variable"])
    found = bounds_of(p.guards, variable)
    need(variable in p.variables and variable.sort == "Int" and found is not None, "an integer is only bounded")
    need(not any(variable in free(f) for f in p.factors), "no factor depends on the variable")
    lower, upper = found or ([], [])
    need(bool(lower and upper), "there are bounds on both sides")
    highest = op("+", lowest_of(upper), ONE, sort="Int")
    length = op("monus", highest, highest_of(lower), sort="Int")
    kept = [part for g in p.guards for part in conjuncts(form(g)) if variable not in free(part)]
    return p.with_([v for v in p.variables if v != variable], kept, p.factors, length)


def lowest_of(terms: Sequence[Term]) -> Term:
    return terms[0] if len(terms) == 1 else op("min", *terms, sort="Int")


def highest_of(terms: Sequence[Term]) -> Term:
    """max(a, b) = a + max(b − a, 0)."""
    highest, *others = terms
    for other in others:
        highest = op("+", highest, op("monus", other, highest, sort="Int"), sort="Int")
    return highest


def absorb(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, guard = product_of(lemmas, data), lemmas.term(data["guard"])
    need(guard in p.guards, "the guard is there")
    others = [g for g in p.guards if g != guard]
    facts = [*facts_of(others, p.factors), *lemmas.hypotheses]
    if data["rule"] == "ABSORB":
        need(follows(lemmas, data, guard, facts), "the guard follows from the rest")
        return p.with_(p.variables, others, p.factors)
    need(follows(lemmas, data, negation(guard), facts), "the guard contradicts the rest")
    return num(0)


def subst(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, variable, value = product_of(lemmas, data), lemmas.term(data["variable"]), lemmas.term(data["value"])
    known = lemmas.all(data["known"])
    need(all(g in p.guards for g in known), "what is known is among the guards")
    need(is_said(known, equation(variable, value)) and variable not in free(value), "they say what the variable is")
    by = {variable: value}
    rest = [substitute(g, by) for g in p.guards if g not in known]
    return p.with_(p.variables, [*known, *rest], [substitute(f, by) for f in p.factors])


def latest(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, variable, value = product_of(lemmas, data), lemmas.term(data["variable"]), lemmas.term(data["value"])
    need(variable in p.variables and variable not in free(value), "a variable has a value without itself")
    facts = [*p.guards, *facts_of(p.guards, p.factors)]
    need(leaf_says(lemmas, data["leaf"], facts, equation(variable, value)), "the leaf says what the variable is")
    return p.put(variable, value)


def unique(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    p, again = product_of(lemmas, data), lemmas.all(data["again"])
    mine = [g for g in p.guards if not free(g).isdisjoint(p.variables)]
    used = set[Term]().union(*map(free, (*p.guards, *p.factors)))
    fresh = len(set(again)) == len(again) and not used & set(again) and all(v.kind == "var" for v in again)
    need(fresh and [v.sort for v in again] == [v.sort for v in p.variables], "the second one has names of its own")
    need(all(free(f).isdisjoint(p.variables) for f in p.factors), "no factor depends on what is summed over")
    by = dict(zip(p.variables, again, strict=True))
    both = [*mine, *(substitute(g, by) for g in mine)]
    equal = op("and", *(equation(v, w) for v, w in by.items()), sort="Bool")
    need(leaf_says(lemmas, data["leaf"], both, equal), "the leaf says that there is at most one")
    there = Term("exists", "", "Bool", (op("and", *mine, sort="Bool"),), tuple(p.variables))
    closed = [g for g in p.guards if g not in mine]
    return p.with_([], [*closed, there], p.factors)


def left_side(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    """What only rewriting changes."""
    return lemmas.term(data["left"])


Schema = Callable[[Lemmas, Mapping[str, Any]], Term]
PRODUCTS: Final[Mapping[str, Schema]] = {
    "ONE": one,
    "PIN": pin,
    "NOT NULL": not_null,
    "EMPTY": empty,
    "SHIFT": shift,
    "COUNT": count,
    "ABSORB": absorb,
    "CONTRADICTION": absorb,
    "SUBST": subst,
    "LATEST": latest,
    "UNIQUE": unique,
    "TIDY": left_side,
    "REWRITE PRODUCT": left_side,
    "REWRITE": left_side,
}
