"""The lemmas about existence, differences, folds and normal forms."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import gcd
from typing import Any, Final

from equivalence.certificates.checker import canonical
from equivalence.certificates.checker.canonical import conjuncts, form, negation, plus, same, summed
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
from equivalence.certificates.checker.products import Product, Sum, as_term
from equivalence.certificates.checker.steps import Schema, never_null
from equivalence.certificates.checker.terms import Term, bindable, free, op, plain, rebuilt, substitute

SCALE_FREE: Final = ("Avg ", "VarPop ", "StddevPop ", "Median ")
"""Folds that stay the same if all values are there twice as often."""


def _some(lemmas: Lemmas, data: Mapping[str, Any]) -> tuple[tuple[Term, ...], list[Term]]:
    """The variables and the guards of an existence."""
    left = lemmas.term(data["left"])
    need(left.kind == "exists", "the left side is an existence")
    body = left.args[0]
    return left.variables, list(body.args if body.kind == "op" and body.name == "and" else [body])


def exists(variables: Sequence[Term], guards: Sequence[Term]) -> Term:
    body = op("and", *guards, sort="Bool")
    used = tuple(v for v in variables if v in free(body))
    return Term("exists", "", "Bool", (body,), used) if used else body


def _with(variables: Sequence[Term], guards: Sequence[Term], variable: Term, value: Term, *more: Term) -> Term:
    rest = [*(v for v in variables if v != variable), *more]
    return exists(rest, [substitute(g, {variable: value}) for g in guards])


def some_one(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    (variables, guards), variable, value = (
        _some(lemmas, data),
        lemmas.term(data["variable"]),
        lemmas.term(data["value"]),
    )
    need(variable in variables and variable not in free(value), "a variable has a value without itself")
    need(is_said(guards, equation(variable, value)), "a guard says what the variable is")
    return _with(variables, guards, variable, value)


def some_pin(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    (variables, guards), variable, value = (
        _some(lemmas, data),
        lemmas.term(data["variable"]),
        lemmas.term(data["value"]),
    )
    need(variable in variables and variable not in free(value), "a variable has a value without itself")
    need(variable.sort == value.sort == "Int", "an integer is bounded")
    need(is_said(guards, at_most(variable, value)) and is_said(guards, at_most(value, variable)), "bounds meet")
    return _with(variables, guards, variable, value)


def some_not_null(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    (variables, guards), variable = _some(lemmas, data), lemmas.term(data["variable"])
    need(variable in variables and never_null(variable, facts_of(guards, [])), "the variable is not NULL")
    new = fresh_for(variable, plain(variable.sort), [*guards, *variables])
    return _with(variables, guards, variable, op("some", new, sort=variable.sort), new)


def between(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    (variables, guards), variable = _some(lemmas, data), lemmas.term(data["variable"])
    parts = [part for g in guards for part in conjuncts(form(g))]
    found = bounds_of(parts, variable)
    need(variable in variables and variable.sort == "Int" and found is not None, "an integer is only bounded")
    lower, upper = found or ([], [])
    room = [at_most(low, high) for low in lower for high in upper]
    return exists([v for v in variables if v != variable], [p for p in parts if variable not in free(p)] + room)


def needless(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    """∃x: φ(x) ∧ g(x) where the other guards already make φ and g true of witnesses."""
    (variables, guards), guard = _some(lemmas, data), lemmas.term(data["guard"])
    others = [g for g in guards if g != guard]
    by = dict(zip(lemmas.all(data["names"]), lemmas.all(data["witness"]), strict=False))
    need(guard in guards and all(v.sort == w.sort for v, w in by.items()), "the guard is there")
    need(set(variables) <= set(by), "there is a witness for every variable")
    kept = {v: by[v] for v in variables}
    need(all(is_said(others, substitute(g, kept)) for g in guards), "the other guards provide the witnesses")
    return exists(variables, others)


def lean(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    left, dropped = lemmas.term(data["left"]), lemmas.term(data["dropped"])
    need(left.kind == "op" and left.name == "and" and dropped in left.args, "the guard is there")
    others = [g for g in left.args if g != dropped]
    need(follows(lemmas, data, dropped, others), "the guard follows from the rest")
    return op("and", *others, sort="Bool")


def decided(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    left, guard = lemmas.term(data["left"]), lemmas.term(data["guard"])
    parts = list(left.args if left.kind == "op" and left.name == "and" else [left])
    need(guard in parts, "the guard is there")
    others = [g for g in parts if g != guard]
    holds: dict[Term, bool] = {}
    for case in data["cases"]:
        condition, known = lemmas.term(case["condition"]), case["holds"]
        need(isinstance(known, bool), "a condition holds or not")
        formula = condition if known else negation(condition)
        need(follows(lemmas, case, formula, others), "the condition follows from the rest")
        holds[condition] = known
    return op("and", *others, _chosen(guard, holds), sort="Bool")


def _chosen(term: Term, holds: Mapping[Term, bool]) -> Term:
    """One branch where the condition is known; conditions under binders are left alone."""
    if term.variables:
        return term
    if term.kind == "op" and term.name == "ite" and term.args[0] in holds:
        return _chosen(term.args[1 if holds[term.args[0]] else 2], holds)
    return rebuilt(term, [_chosen(arg, holds) for arg in term.args])


# Differences


def split(lemmas: Lemmas, data: Mapping[str, Any]) -> tuple[Term, Term]:
    """Σ[G]·f − Σ[H]·f = Σ[G ∧ ¬H]·f − Σ[H ∧ ¬G]·f, each side by cases that exclude one another."""
    variables, factors = bindable(lemmas.all(data["variables"])), lemmas.all(data["factors"])
    (mine, theirs), extra = map(lemmas.all, data["guards"]), [lemmas.all(each) for each in data["extra"]]
    for guards, others, more in ((mine, theirs, extra[0]), (theirs, mine, extra[1])):
        need(_covers(lemmas, data["uses"], [*guards, *more], others), "the cases leave nothing out")
        need(all(is_said(others, each) for each in more), "the cases ask for nothing else")
    left = plus((1, _summed(variables, mine, factors)), (-1, _summed(variables, theirs, factors)))
    right: Sum = ()
    for sign, guards, more in ((1, mine, extra[0]), (-1, theirs, extra[1])):
        for i, each in enumerate(more):
            right = plus((1, right), (sign, _summed(variables, [*guards, *more[:i], negation(each)], factors)))
    return as_term(left), as_term(right)


def _summed(variables: Sequence[Term], guards: Sequence[Term], factors: Sequence[Term]) -> Sum:
    body = op("*", *(op("[]", g, sort="Int") for g in guards), *factors, sort="Int")
    return summed(Term("sum", "", "Int", (body,), tuple(variables)) if variables else body)


def _covers(lemmas: Lemmas, uses: Any, known: list[Term], wanted: Sequence[Term]) -> bool:
    """Does everything that is wanted follow from what is known, by leaves?"""
    leaves = [place for place in uses if lemmas.lemma(place).rule == "LEAF"]
    missing = [w for w in wanted if not is_said(known, w)]
    while missing:
        found = [w for w in missing if any(leaf_says(lemmas, leaf, known, w) for leaf in leaves)]
        if not found:
            return False
        known, missing = [*known, *found], [w for w in missing if w not in found]
    return True


def part(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    """max(a − b, 0) and min(a, b) by what is left of both sides without what they have in common."""
    left, sides, parts = lemmas.term(data["left"]), lemmas.all(data["sides"]), lemmas.all(data["parts"])
    need(left.kind == "op" and left.name in ("monus", "min") and len(sides) == len(parts) == 2, "it is a difference")
    for side, normal in zip(left.args, sides, strict=True):
        need(lemmas.agree(side, normal, data["uses"]), "the sides are as stated")
    rest = plus((1, canonical.minus(*sides)), (-1, canonical.minus(*parts)))
    for place in data["splits"]:
        lemma = lemmas.lemma(place)
        if lemma.rule == "SPLIT" and lemma.left is not None and lemma.right is not None:
            change = canonical.minus(lemma.left, lemma.right)
            shared = _times_in(rest, change)
            rest = plus((1, rest), (-shared, change))
    need(not rest, "both differences are the same")
    if left.name == "monus":
        return op("monus", *parts, sort="Int")
    sums = list(map(summed, parts))
    need(all(map(canonical.natural, sums)) and not all(sums), "one side is part of the other")
    return sides[0] if not sums[0] else sides[1]


def _times_in(whole: Sum, change: Sum) -> int:
    """How often a change is in a sum, by the first product that tells."""
    here = {p.key: p.times for p in whole}
    for p in change:
        if p.key in here and here[p.key] % p.times == 0:
            return here[p.key] // p.times
    return 0


def normal(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    """A sum in which products are exchanged one after the other; the result is compared by `normal_form_agrees`."""
    current = summed(lemmas.term(data["left"]))
    for place in data["uses"]:
        lemma = lemmas.lemma(place)
        if lemma.left is None or lemma.right is None or lemma.left.sort != "Int":
            continue
        change = canonical.minus(lemma.left, lemma.right)
        here = {p.key: p.times for p in current}
        first = next((p for p in summed(lemma.left) if p.key in here), None)
        if first is not None and here[first.key] % first.times == 0:
            current = plus((1, current), (-(here[first.key] // first.times), change))
    return as_term(current)


# Folds


def case(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    """A fold of [c]·f, where c does not depend on what is folded, is that of f or of nothing."""
    fold, chosen, guard = lemmas.term(data["left"]), lemmas.term(data["right"]), lemmas.term(data["guard"])
    need(fold.kind == "fold" and guard.sort == "Bool" and not free(guard) & {*fold.variables}, "the guard is closed")
    fitting = chosen.kind == "op" and chosen.name == "ite" and same(chosen.args[0], guard)
    need(fitting and all(f.kind == "fold" and f.name == fold.name for f in chosen.args[1:]), "there are two cases")
    for condition, half in zip((guard, negation(guard)), chosen.args[1:], strict=True):
        need(half.variables == fold.variables, "both cases are over the same variable")
        need(
            not plus((1, _given(summed(fold.args[0]), condition)), (-1, summed(half.args[0]))), "a case is what is left"
        )
    return chosen


def _given(products: Sum, condition: Term) -> Sum:
    """What is left of products where a condition holds that is about none of their variables."""
    holds, fails = ({key(part) for part in conjuncts(form(c))} for c in (condition, negation(condition)))
    kept: list[Product] = []
    for p in products:
        closed = {key(g) for g in p.guards if free(g).isdisjoint(p.variables)}
        guards = tuple(g for g in p.guards if key(g) not in holds & closed)
        kept += [] if fails <= closed else [replace(p, guards=guards)]
    return plus((1, tuple(kept)))


def single(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    """The least and the largest of one value."""
    fold, value = lemmas.term(data["left"]), lemmas.term(data["value"])
    need(fold.kind == "fold" and fold.name in ("min", "max"), "it is an extreme")
    (variable,), products = fold.variables, summed(fold.args[0])
    need(variable not in free(value) and len(products) == 1, "there is one value")
    said = conjuncts(form(equation(variable, value)))
    exact = {key(g) for g in products[0].guards} == {key(g) for g in said}
    need(exact and not (products[0].variables or products[0].factors), "nothing else is asked of it")
    return value


def scale(lemmas: Lemmas, data: Mapping[str, Any]) -> Term:
    fold = lemmas.term(data["left"])
    need(
        fold.kind == "fold" and fold.name.startswith(SCALE_FREE), "it does not depend on how often all values are there"
    )
    products = summed(fold.args[0])
    by = gcd(*(p.times for p in products)) or 1
    return rebuilt(fold, [as_term(tuple(replace(p, times=p.times // by) for p in products))])


FORMULAS: Final[Mapping[str, Schema]] = {
    "SOME ONE": some_one,
    "SOME PIN": some_pin,
    "SOME NOT NULL": some_not_null,
    "BETWEEN": between,
    "NEEDLESS": needless,
    "LEAN": lean,
    "DECIDED": decided,
    "PART": part,
    "NORMAL": normal,
    "CASE": case,
    "SINGLE": single,
    "SCALE": scale,
}
