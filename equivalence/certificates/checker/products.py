"""Products: what sums are made of in canonical form, and how they are multiplied without mixing up variables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from equivalence.certificates.checker.keys import key
from equivalence.certificates.checker.terms import Term, away_from, free, num, op, substitute


@dataclass(frozen=True)
class Product:
    """Σ over the variables of times · [all guards] · all factors."""

    times: int
    variables: tuple[Term, ...] = ()
    guards: tuple[Term, ...] = ()
    factors: tuple[Term, ...] = ()

    @property
    def term(self) -> Term:
        body = op("*", *(op("[]", g, sort="Int") for g in self.guards), *self.factors, sort="Int")
        return Term("sum", "", "Int", (body,), self.variables) if self.variables else body

    @property
    def key(self) -> str:
        return key(self.term)


Sum = tuple[Product, ...]


def as_term(products: Sum) -> Term:
    parts = [op("*", num(p.times), p.term, sort="Int") if p.times != 1 else p.term for p in products]
    return op("+", *parts, sort="Int")


def multiplied(sums: Sequence[Sum]) -> list[Product]:
    done = [Product(1)]
    for each in sums:
        done = [_times(a, b) for a in done for b in each]
    return done


def _times(a: Product, b: Product) -> Product:
    """Σ_x f · Σ_y g = Σ_{x,y} f·g, where the variables are different."""
    b = _apart(b, free(a.term) | {*a.variables})
    a = _apart(a, free(b.term))
    return Product(a.times * b.times, a.variables + b.variables, a.guards + b.guards, a.factors + b.factors)


def _apart(p: Product, used: Iterable[Term]) -> Product:
    """The product with variables that are not among the used ones."""
    taken = set(used) & {*p.variables}
    if not taken:
        return p
    inner = frozenset[Term]().union(*map(free, (*p.guards, *p.factors)))
    by = away_from(p.variables, set(used) | inner, taken)
    names = tuple(by.get(v, v) for v in p.variables)
    guards, factors = (tuple(substitute(part, by) for part in parts) for parts in (p.guards, p.factors))
    return Product(p.times, names, guards, factors)


def under(variables: Sequence[Term], p: Product) -> Iterable[Product]:
    p = _apart(p, variables)
    return [replace(p, variables=(*variables, *p.variables))]


def constant(of: Sum) -> tuple[int, Sum]:
    """The number in a sum, and the rest."""
    bare = [p for p in of if not (p.variables or p.guards or p.factors)]
    return sum(p.times for p in bare), tuple(p for p in of if p not in bare)
