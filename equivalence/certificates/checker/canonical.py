"""One way to write what is plainly the same: by the laws of rings, of truth values, of NULL, and of names.

An integer becomes a sum of products, each a sum over variables of a number, guards and factors. A formula is pushed
inwards as far as it goes. Every identity holds for all values of the variables, so two terms of one `key` are equal.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import gcd
from typing import Final

from equivalence.certificates.checker.keys import key
from equivalence.certificates.checker.products import Product, Sum, as_term, constant, multiplied, under
from equivalence.certificates.checker.terms import (
    FALSE,
    ONE,
    TRUE,
    Term,
    away_from,
    free,
    op,
    plain,
    rebuilt,
    substitute,
)

_SUMS: dict[Term, Sum] = {}
_FORMS: dict[Term, Term] = {}


def same(left: Term, right: Term) -> bool:
    return left == right or key(form(left)) == key(form(right))


def key_of(term: Term) -> str:
    return key(form(term))


def form(term: Term) -> Term:
    """The term in its canonical form, but for the order of parts and the names of variables."""
    known = _FORMS.get(term)
    if known is None:
        known = as_term(summed(term)) if term.sort == "Int" else _formed(term)
        _FORMS[term] = known
    return known


# Integers


def summed(term: Term) -> Sum:
    """An integer as a sum of products."""
    known = _SUMS.get(term)
    if known is None:
        known = _SUMS[term] = _gathered(_products(term))
    return known


def _products(term: Term) -> Iterable[Product]:
    if term.kind == "number":
        assert isinstance(term.value, int)
        return [Product(term.value)] if term.value else []
    if term.kind == "sum":
        return [p for part in summed(term.args[0]) for p in under(term.variables, part)]
    if term.kind == "op":
        match term.name, term.args:
            case "+", parts:
                return [p for part in parts for p in summed(part)]
            case "*", parts:
                return multiplied([summed(part) for part in parts])
            case "[]", (formula,):
                return _guarded(formula, [Product(1)])
            case "ite", (condition, then, otherwise):
                return [*_guarded(condition, summed(then)), *_guarded(negation(condition), summed(otherwise))]
            case "monus", (left, right):
                return _monus(summed(left), summed(right))
            case "min", parts:
                return _least([summed(part) for part in parts])
            case (("div" | "mod"), (left, right)) if right == ONE:
                return summed(left) if term.name == "div" else []
    atom = _formed(term) if term.kind in ("op", "call", "fold") else term
    return [Product(1, factors=(atom,))] if atom.kind != "op" or atom.name in _ATOMS else summed(atom)


_ATOMS: Final = ("get", "div", "mod", "monus", "min")


def _guarded(formula: Term, products: Iterable[Product]) -> Iterable[Product]:
    return multiplied([tuple(products), (Product(1, guards=conjuncts(form(formula))),)])


def _gathered(products: Iterable[Product]) -> Sum:
    """Equal products as one, and none that is 0; guards are in canonical form and no one is there twice."""
    found: dict[str, Product] = {}
    for p in products:
        guards = conjuncts(conjunction(p.guards))
        p = replace(p, guards=guards)
        if FALSE in guards or not p.times:
            continue
        name = p.key
        found[name] = p if name not in found else replace(p, times=p.times + found[name].times)
    return tuple(p for p in found.values() if p.times)


def plus(*parts: tuple[int, Sum]) -> Sum:
    """A linear combination."""
    return _gathered(replace(p, times=n * p.times) for n, part in parts for p in part)


def minus(left: Term, right: Term) -> Sum:
    return plus((1, summed(left)), (-1, summed(right)))


def natural(of: Sum) -> bool:
    """Is it a natural number, whatever the variables are?"""
    return all(p.times > 0 and all(map(_natural, p.factors)) for p in of)


def _natural(factor: Term) -> bool:
    if factor.kind == "call":
        return factor.signature is not None and factor.signature.kind == "stream"
    if factor.kind == "op" and factor.name == "min":
        return all(natural(summed(arg)) for arg in factor.args)
    return factor.kind == "op" and factor.name == "monus"


def _monus(left: Sum, right: Sum) -> Iterable[Product]:
    """max(left − right, 0)."""
    if not plus((1, left), (-1, right)):
        return []
    if natural(right):
        if not left or (not right and natural(left)):
            return left
        if left == (Product(1),):
            return _guarded(negation(positive(right)), left)
        if (taken := _taken_out(left)) is not None:
            guards, inner = taken
            return multiplied([(Product(1, guards=guards),), tuple(_monus(inner, _given(guards, right)))])
    return [Product(1, factors=(op("monus", as_term(left), as_term(right), sort="Int"),))]


def _least(parts: list[Sum]) -> Iterable[Product]:
    """The smallest; a smallest of smallest ones is one of all."""
    flat = [s for part in parts for s in _parts_of_least(part)]
    kept = list({key(as_term(part)): part for part in flat}.values())
    if len(kept) == 1:
        return kept[0]
    for i, part in enumerate(kept):
        others = kept[:i] + kept[i + 1 :]
        if all(map(natural, others)):
            if part == (Product(1),):
                return _guarded(conjunction([positive(other) for other in others]), [Product(1)])
            if (taken := _taken_out(part)) is not None:
                guards, inner = taken
                rest = tuple(_least([inner, *(_given(guards, other) for other in others)]))
                return multiplied([(Product(1, guards=guards),), rest])
    return [Product(1, factors=(op("min", *map(as_term, kept), sort="Int"),))]


def _parts_of_least(part: Sum) -> list[Sum]:
    match part:
        case (Product(times=1, variables=(), guards=(), factors=(Term(kind="op", name="min", args=args),)),):
            return [summed(arg) for arg in args]
    return [part]


def _taken_out(part: Sum) -> tuple[tuple[Term, ...], Sum] | None:
    """The guards that all products have and that do not depend on their variables, and the rest."""
    closed = [{key(g): g for g in p.guards if free(g).isdisjoint(p.variables)} for p in part]
    shared = set[str]().union(*closed).intersection(*closed) if closed else set()
    if not shared:
        return None
    rest = (
        replace(p, guards=tuple(g for g in p.guards if key(g) not in shared or g not in mine.values()))
        for p, mine in zip(part, closed, strict=True)
    )
    return tuple(closed[0][name] for name in sorted(shared)), plus((1, tuple(rest)))


def _given(known: Sequence[Term], part: Sum) -> Sum:
    """A sum without the guards that are known to hold."""
    names = set(map(key, known))
    return _gathered(
        replace(p, guards=tuple(g for g in p.guards if key(g) not in names or not free(g).isdisjoint(p.variables)))
        for p in part
    )


# Formulas


def conjuncts(formula: Term) -> tuple[Term, ...]:
    if formula == TRUE:
        return ()
    return formula.args if formula.kind == "op" and formula.name == "and" else (formula,)


def negation(formula: Term) -> Term:
    return op("not", formula, sort="Bool")


def conjunction(parts: Iterable[Term]) -> Term:
    """Parts in canonical form, each once."""
    flat = {key(p): p for part in parts for p in conjuncts(part)}
    if FALSE in flat.values() or any(key(_not(p)) in flat for p in flat.values()):
        return FALSE
    return _joined("and", list(flat.values()), TRUE)


def disjunction(parts: Iterable[Term]) -> Term:
    flat = {key(p): p for part in parts for p in (part.args if part.kind == "op" and part.name == "or" else (part,))}
    kept = [p for p in flat.values() if p != FALSE]
    return TRUE if TRUE in kept else _joined("or", kept, FALSE)


def _joined(name: str, parts: list[Term], neutral: Term) -> Term:
    if len(parts) < 2:
        return parts[0] if parts else neutral
    return op(name, *parts, sort="Bool")


def _formed(term: Term) -> Term:
    """The canonical form of what is no integer, or an integer atom."""
    if term.kind in ("var", "number"):
        return term
    if term.kind == "exists":
        return exists(term.variables, form(term.args[0]))
    if term.kind == "op" and term.name in ("=", "<=", "<", "not", "and", "or", ">=0", ">=1", "=0"):
        return _truth(term)
    args = [form(arg) for arg in term.args]
    if term.kind != "op":
        half = len(args) // 2
        ordering = term.signature is not None and term.signature.kind == "order"
        if ordering and list(map(key, args[:half])) == list(map(key, args[half:])):
            return FALSE
        return rebuilt(term, args)
    match term.name, args:
        case "ite", (condition, then, otherwise):
            return _choice(condition, then, otherwise)
        case "get", (value,):
            return _of_choice(value, lambda v: v.args[0] if _is(v, "some") else op("get", v, sort=term.sort))
        case "is_null", (value,):
            return is_null(value)
        case "ratio", (left, right):
            return _ratio(summed(left), summed(right))
        case _:
            return rebuilt(term, args)


def _is(term: Term, name: str) -> bool:
    return term.kind == "op" and term.name == name


def is_null(value: Term) -> Term:
    def known(v: Term) -> Term:
        return FALSE if _is(v, "some") else TRUE if _is(v, "null") else op("is_null", v, sort="Bool")

    return _of_choice(value, known)


def _of_choice(value: Term, change: Callable[[Term], Term]) -> Term:
    """A function of what is chosen: the choice of its values."""
    if _is(value, "ite"):
        condition, *branches = value.args
        then, otherwise = (_of_choice(b, change) for b in branches)
        return form(op("ite", condition, then, otherwise, sort=then.sort))
    return change(value)


def _choice(condition: Term, then: Term, otherwise: Term) -> Term:
    if condition in (TRUE, FALSE) or key(then) == key(otherwise):
        return then if condition != FALSE else otherwise
    if then.sort == "Bool":
        negated = form(negation(condition))
        return disjunction([conjunction([condition, then]), conjunction([negated, otherwise])])
    if _is(condition, "not"):
        return op("ite", condition.args[0], otherwise, then, sort=then.sort)
    return op("ite", condition, then, otherwise, sort=then.sort)


def _ratio(left: Sum, right: Sum) -> Term:
    """A factor that both sides have in all products goes."""
    by = gcd(*(p.times for p in (*left, *right))) or 1
    sides = (tuple(replace(p, times=p.times // by) for p in side) for side in (left, right))
    return op("ratio", *map(as_term, sides), sort="Real")


def _truth(term: Term) -> Term:
    match term.name, term.args:
        case "and", parts:
            return conjunction(map(form, parts))
        case "or", parts:
            return disjunction(map(form, parts))
        case "not", (inner,):
            return _not(form(inner))
        case "=", (left, right):
            return _equal(left, right)
        case ">=0", (value,):
            return at_least_zero(summed(value))
        case ">=1", (value,):
            return at_least_zero(plus((1, summed(value)), (-1, summed(ONE))))
        case "=0", (value,):
            return _equal_integers(summed(value), ())
        case name, (left, right) if left.sort == "Int":
            return at_least_zero(plus((1, summed(right)), (-1, summed(left)), (-1 if name == "<" else 0, summed(ONE))))
        case "<", (left, right):
            return _less(form(left), form(right))
        case _, (left, right):
            return _not(_less(form(right), form(left)))
    raise AssertionError(term)


def _not(formula: Term) -> Term:
    if formula in (TRUE, FALSE):
        return FALSE if formula == TRUE else TRUE
    if formula.kind == "op":
        match formula.name, formula.args:
            case "not", (inner,):
                return inner
            case "and", parts:
                return disjunction(map(_not, parts))
            case "or", parts:
                return conjunction(map(_not, parts))
            case ">=0", (value,):
                return at_least_zero(plus((-1, summed(value)), (-1, summed(ONE))))
    return negation(formula)


def _less(left: Term, right: Term) -> Term:
    """An order of reals."""
    if left.value is not None and right.value is not None:
        return TRUE if left.value < right.value else FALSE
    return FALSE if key(left) == key(right) else op("<", left, right, sort="Bool")


def _equal(left: Term, right: Term) -> Term:
    left, right = form(left), form(right)
    if key(left) == key(right):
        return TRUE
    if left.sort == "Int":
        return _equal_integers(summed(left), summed(right))
    if left.kind == right.kind == "number":
        return FALSE
    if _is(right, "some") or _is(right, "null"):
        left, right = right, left
    if _is(left, "null"):
        return is_null(right)
    if _is(left, "some"):
        if _is(right, "some"):
            return _equal(left.args[0], right.args[0])
        if _is(right, "ite"):
            condition, then, otherwise = right.args
            return _choice(condition, _equal(left, then), _equal(left, otherwise))
        there = op("get", right, sort=plain(right.sort))
        return conjunction([_not(is_null(right)), _equal(left.args[0], there)])
    return op("=", left, right, sort="Bool")


def _equal_integers(left: Sum, right: Sum) -> Term:
    for one, other in ((left, right), (right, left)):
        parts = _parts_of_least(one)
        if len(parts) > 1 and key(as_term(other)) in [key(as_term(part)) for part in parts]:
            return conjunction([at_least_zero(plus((1, part), (-1, other))) for part in parts])
    difference = plus((1, left), (-1, right))
    number, rest = constant(difference)
    if not rest:
        return FALSE if number else TRUE
    for sign in (1, -1):
        signed = plus((sign, difference))
        if natural(signed):
            return _not(positive(signed))
    return op("=0", as_term(difference), sort="Bool")


def at_least_zero(value: Sum) -> Term:
    """0 ≤ value; with a smallest of several, for each of these."""
    number, rest = constant(value)
    if not rest or natural(value):
        return TRUE if number >= 0 else FALSE
    if number == -1 and natural(rest):
        return positive(rest)
    if natural(plus((-1, value))):
        return _not(positive(plus((-1, value))))
    for p in rest:
        parts = _parts_of_least((p,))
        if len(parts) > 1:
            others = plus((1, value), (-1, (p,)))
            return conjunction([at_least_zero(plus((1, others), (1, part))) for part in parts])
    return op(">=0", as_term(value), sort="Bool")


def positive(value: Sum) -> Term:
    """Is one of these natural numbers not 0?"""
    return disjunction(exists(p.variables, conjunction([*p.guards, *(_positive(f) for f in p.factors)])) for p in value)


def _positive(factor: Term) -> Term:
    if _is(factor, "monus"):
        left, right = map(summed, factor.args)
        return at_least_zero(plus((1, left), (-1, right), (-1, summed(ONE))))
    if _is(factor, "min"):
        return conjunction([positive(summed(arg)) for arg in factor.args])
    return op(">=1", factor, sort="Bool")


def exists(variables: Sequence[Term], body: Term) -> Term:
    """Through or, past what does not depend on it, together with what stands inside, apart where nothing is shared."""
    if _is(body, "or"):
        return disjunction(exists(variables, part) for part in body.args)
    found, parts = list(variables), list[Term]()
    for part in conjuncts(body):
        if part.kind == "exists":
            by = away_from(part.variables, {*found, *free(body)}, {*part.variables} & ({*found} | free(body)))
            found += [by.get(v, v) for v in part.variables]
            parts += conjuncts(substitute(part.args[0], by))
        else:
            parts.append(part)
    whole = conjunction(parts)
    return conjunction([_component(bound, group) for bound, group in _components(found, conjuncts(whole))])


def _component(variables: Sequence[Term], parts: Sequence[Term]) -> Term:
    """An existence whose parts hang together; of alternatives in it each is one of its own."""
    if not variables:
        return conjunction(parts)
    choice = next((part for part in parts if _is(part, "or")), None)
    if choice is not None:
        others = [part for part in parts if part != choice]
        return disjunction(exists(variables, conjunction([*others, each])) for each in choice.args)
    return Term("exists", "", "Bool", (conjunction(parts),), tuple(variables))


def _components(variables: Sequence[Term], parts: Sequence[Term]) -> list[tuple[list[Term], list[Term]]]:
    """The variables and the parts, together where a part mentions variables together."""
    waiting, done = list(parts), list[tuple[list[Term], list[Term]]]()
    while waiting:
        group, mine = [waiting.pop(0)], set[Term]()
        while True:
            mine = set(variables) & set[Term]().union(*map(free, group))
            more = [part for part in waiting if mine & free(part)]
            if not more:
                break
            group += more
            waiting = [part for part in waiting if part not in more]
        done.append(([v for v in variables if v in mine], group))
    return done
