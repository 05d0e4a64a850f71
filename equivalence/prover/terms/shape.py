"""Terms up to the names of their bound variables, and how the variables of two sums can be matched."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, permutations
from typing import Final

from equivalence.prover.terms.normal_form import GuardedProduct
from equivalence.prover.terms.term import (
    Apply,
    ConstantTerm,
    Exists,
    Fold,
    SumTerm,
    Symbol,
    Term,
    Var,
    bound,
    cached_on_term,
    free,
    subterms,
)

Names = Mapping[Var, str]
_BINDERS: Final[Mapping[type, str]] = {SumTerm: "Sum", Fold: "Fold", Exists: "Exists"}
"""Not the names of the classes: hashes of shapes are kept in files, and must outlive a renaming."""


def shape(term: Term, names: Names = {}) -> str:
    """A text that two terms share iff they differ at most in the names of bound variables.

    Some free variables may be given other names.
    """
    return _within(term, names, len(names))


@cached_on_term
def _plain_shape(term: Term) -> str:
    return _shape(term, {}, 0)


def _shape(term: Term, names: Names, depth: int) -> str:
    """Bound variables are numbered by depth: by the names in use, a variable bound twice would share its number."""
    match term:
        case Var(name=name):
            return names.get(term, name)
        case ConstantTerm(value=value):
            return str(value)
        case Apply(head=head, arguments=arguments):
            name = head.name if isinstance(head, Symbol) else head
            return f"({name} {' '.join(_within(argument, names, depth) for argument in arguments)})"
        case _:
            variables = bound(term)
            inner = {**names, **{v: f"#{depth + i}" for i, v in enumerate(variables)}}
            kind = f"{_BINDERS[type(term)]} {getattr(term, 'name', '')}"
            sorts = " ".join(v.sort.value for v in variables)
            parts = (_within(part, inner, depth + len(variables)) for part in subterms(term))
            return f"({kind} {sorts} {' '.join(parts)})"


def _within(term: Term, names: Names, depth: int) -> str:
    return _shape(term, names, depth) if names else _plain_shape(term)


@cache
def ordered(product: GuardedProduct) -> GuardedProduct:
    """The product with its variables in an order that depends only on how they are used."""
    if len(product.variables) < 2:
        return product
    return replace(product, variables=tuple(sorted(product.variables, key=lambda v: _use(v, product))))


def _use(variable: Var, product: GuardedProduct) -> tuple[str, list[str], list[str]]:
    """Where a variable occurs, with itself and the others made nameless; in factors above all."""
    names = {v: "@" if v == variable else "_" for v in product.variables}
    factors = sorted(shape(part, names) for part in product.factors if variable in free(part))
    return variable.sort.value, factors, sorted(shape(part, names) for part in product.guards if variable in free(part))


def alignments(product: GuardedProduct, reference: GuardedProduct) -> Iterator[dict[Var, Term]]:
    """The ways to rename the variables of one product to those of another, the likeliest first."""
    ours, theirs = ordered(product).variables, ordered(reference).variables  # both by their sorts first
    if [v.sort for v in ours] == [v.sort for v in theirs]:
        of_one_sort = [tuple(same) for _, same in groupby(theirs, key=lambda v: v.sort)]
        for chosen in _permuted(of_one_sort):
            yield dict(zip(ours, chosen, strict=True))


def _permuted(groups: Sequence[tuple[Var, ...]]) -> Iterator[tuple[Var, ...]]:
    """The permutations of every group, one by one: of wide rows there are too many to be kept."""
    if not groups:
        yield ()
        return
    first, *others = groups
    for chosen in permutations(first):
        for rest in _permuted(others):
            yield (*chosen, *rest)


def combined(products: Iterable[GuardedProduct]) -> list[GuardedProduct]:
    """Products that are the same but for their coefficients as one."""
    alike: dict[str, GuardedProduct] = {}
    for product in products:
        key = shape(SumTerm(ordered(product).variables, product.body))
        known = alike.get(key)
        alike[key] = product if known is None else replace(known, coefficient=known.coefficient + product.coefficient)
    return [product for product in alike.values() if product.coefficient]
