"""Terms with parts replaced: no binder ever captures a variable."""

from collections.abc import Callable, Iterable
from typing import cast

from equivalence.prover.terms.build import apply, exists
from equivalence.prover.terms.term import (
    Apply,
    ConstantTerm,
    Exists,
    Fold,
    Fresh,
    Renaming,
    SumTerm,
    Term,
    Var,
    bound,
    free,
    mentions,
    subterms,
)


def rebuilt(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with its direct subterms changed, simplified where that is plain."""
    match term:
        case Apply():
            changed = tuple(map(change, term.arguments))
            return term if changed == term.arguments else apply(term.head, changed, term.sort)
        case Var() | ConstantTerm():
            return term
        case SumTerm(variables=variables, body=body):
            return SumTerm(variables, change(body))
        case Fold(name=name, variable=variable, body=body, sort=sort):
            return Fold(name, variable, change(body), sort)
        case Exists(variables=variables, body=body):
            return exists(variables, change(body))


def substitute(term: Term, renaming: Renaming) -> Term:
    """The term with free variables replaced, all at once; a binder in the way of a variable gets another name."""
    return _substituted(term, renaming, frozenset(renaming))


def _substituted(term: Term, renaming: Renaming, variables: frozenset[Var]) -> Term:
    if not mentions(term, variables):
        return term
    if isinstance(term, Apply):
        return rebuilt(term, lambda part: _substituted(part, renaming, variables))
    if isinstance(term, Var):
        return renaming[term]
    clear = _out_of_the_way(term, renaming)
    inner = {v: value for v, value in renaming.items() if v not in bound(clear)}
    return rebuilt(clear, lambda part: substitute(part, inner))


def _out_of_the_way(term: Term, renaming: Renaming) -> Term:
    """The same term with no bound variable that is free in what is put into it."""
    coming = frozenset[Var]().union(*(free(value) for v, value in renaming.items() if v in free(term)))
    taken = [v for v in bound(term) if v in coming]
    if not taken:
        return term
    used = {v.name for v in coming | free(subterms(term)[0])}
    names: dict[Var, Term] = {v: Var(_unused(v.name, used), v.sort) for v in taken}
    (body,) = subterms(term)
    return _with_variables(term, tuple(cast(Var, names.get(v, v)) for v in bound(term)), substitute(body, names))


def _unused(name: str, used: set[str]) -> str:
    while name in used:
        name += "'"
    return name


def _with_variables(term: Term, variables: tuple[Var, ...], body: Term) -> Term:
    match term:
        case Fold(name=name, sort=sort):
            return Fold(name, variables[0], body, sort)
        case SumTerm():
            return SumTerm(variables, body)
        case _:
            return Exists(variables, body)


def opened(variables: Iterable[Var], body: Term, fresh: Fresh) -> tuple[tuple[Var, ...], Term]:
    """A binder's variables and body under new names, so that the same binder can be opened twice."""
    renaming = fresh.like(variables)
    return cast(tuple[Var, ...], tuple(renaming.values())), substitute(body, renaming)
