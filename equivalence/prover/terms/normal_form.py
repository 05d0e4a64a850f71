"""The normal form of a multiplicity: a sum of products Σ_x c·[guards]·factors."""

from collections.abc import Iterable
from dataclasses import dataclass

from equivalence.prover.terms.build import add, conj, conjuncts, indicator, mul, neg, number
from equivalence.prover.terms.substitution import opened
from equivalence.prover.terms.term import Apply, ConstantTerm, Fresh, SumTerm, Term, Var, mentions


@dataclass(frozen=True)
class GuardedProduct:
    """Σ over the variables of coefficient · [all guards] · all factors."""

    coefficient: int = 1
    variables: tuple[Var, ...] = ()
    guards: tuple[Term, ...] = ()
    factors: tuple[Term, ...] = ()

    @property
    def body(self) -> Term:
        """What is summed, without the coefficient."""
        return mul(indicator(conj(*self.guards)), *self.factors)

    def times(self, other: "GuardedProduct") -> "GuardedProduct":
        """Σ_x f · Σ_y g = Σ_{x,y} f·g: the variables of the two are different."""
        return GuardedProduct(
            self.coefficient * other.coefficient,
            self.variables + other.variables,
            conjuncts(conj(*self.guards, *other.guards)),
            self.factors + other.factors,
        )


def expanded(term: Term, fresh: Fresh) -> list[GuardedProduct]:
    """LIN: products distribute over sums, sums over sums; finite sums may be exchanged."""
    match term:
        case ConstantTerm(value=value):
            return [GuardedProduct(int(value))] if value else []
        case Apply(head="+", arguments=parts):
            return [product for part in parts for product in expanded(part, fresh)]
        case Apply(head="*", arguments=parts):
            return _product([expanded(part, fresh) for part in parts])
        case Apply(head="[]", arguments=(formula,)):
            return [GuardedProduct(guards=conjuncts(formula))]
        case Apply(head="ite", arguments=(condition, then, otherwise)):
            split = mul(indicator(condition), then), mul(indicator(neg(condition)), otherwise)
            return [product for part in split for product in expanded(part, fresh)]
        case SumTerm(variables=variables, body=body):
            variables, body = opened(variables, body, fresh)
            return [under(variables, product) for product in expanded(body, fresh)]
        case _:
            return [GuardedProduct(factors=(term,))]


def _product(sums: Iterable[list[GuardedProduct]]) -> list[GuardedProduct]:
    products = [GuardedProduct()]
    for parts in sums:
        products = [product.times(part) for product in products for part in parts]
    return products


def under(variables: Iterable[Var], product: GuardedProduct) -> GuardedProduct:
    """The product under one more sum."""
    return GuardedProduct(product.coefficient, (*variables, *product.variables), product.guards, product.factors)


@dataclass(frozen=True)
class Parts:
    """A product taken apart: what does not depend on its variables, and groups of variables that share nothing."""

    closed: GuardedProduct
    components: tuple[GuardedProduct, ...]


def taken_apart(product: GuardedProduct) -> Parts:
    """HOIST: Σ_{x,y} c·f(x)·g(y) = c · Σ_x f(x) · Σ_y g(y)."""
    closed = _restricted(product, frozenset(), product.coefficient)
    components = [_restricted(product, group) for group in _groups(product)]
    return Parts(closed, tuple(components))


def _restricted(product: GuardedProduct, group: frozenset[Var], coefficient: int = 1) -> GuardedProduct:
    """The parts of a product that depend on just this group of its variables."""

    def mine(parts: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(
            p for p in parts if bool(group) == mentions(p, product.variables) and (not group or mentions(p, group))
        )

    variables = tuple(v for v in product.variables if v in group)
    return GuardedProduct(coefficient, variables, mine(product.guards), mine(product.factors))


def _groups(product: GuardedProduct) -> list[frozenset[Var]]:
    """The variables, together where one part mentions them together."""
    groups = [frozenset([v]) for v in product.variables]
    for part in (*product.guards, *product.factors):
        touched = [group for group in groups if mentions(part, group)]
        if len(touched) > 1:
            groups = [group for group in groups if group not in touched] + [frozenset().union(*touched)]
    order = {v: i for i, v in enumerate(product.variables)}
    return sorted(groups, key=lambda group: min(order[v] for v in group))


def total(products: Iterable[GuardedProduct]) -> Term:
    """The term that products stand for."""
    return add(*(mul(number(p.coefficient), SumTerm(p.variables, p.body) if p.variables else p.body) for p in products))
