"""Equality of two multiplicities for all streams: normal forms, then leaves in which every sum is a constant.

A leaf is a first-order formula; z3 must answer that its negation is unsatisfiable, and every such answer is kept, so
that the other solver can confirm it. Where an attempt fails, what it established is forgotten.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, permutations, product
from typing import Final

from equivalence.prover.facts import facts_about
from equivalence.prover.normal import Product, taken_apart, total
from equivalence.prover.smtlib import query, symbols
from equivalence.prover.solvers import Z3
from equivalence.prover.steps import Steps
from equivalence.prover.terms import (
    ZERO,
    Apply,
    Constant,
    Exists,
    Fold,
    Fresh,
    Sort,
    Sum,
    Symbol,
    Term,
    Var,
    add,
    call,
    conj,
    equal,
    exists,
    free,
    indicator,
    mul,
    number,
    rebuilt,
    subterms,
    substitute,
)

ALIGNMENTS: Final = 6
"""So many ways to match the variables of two sums are tried."""
DEPTH: Final = 4
"""So deep are sums within sums compared; deeper ones are taken to be different, which proves less and nothing wrong."""


@dataclass(frozen=True)
class Abstract:
    """A sum or a fold that leaves know as a constant, or as a function of the variables that it stands under."""

    kind: str
    parameters: tuple[Var, ...]
    variables: tuple[Var, ...]
    body: Term
    symbol: Symbol


@dataclass
class Kernel:
    """Proves equalities under hypotheses."""

    steps: Steps
    fresh: Fresh
    hypotheses: tuple[Term, ...]
    axioms: tuple[Term, ...] = ()
    """What is known of the streams; quantified, so only used where a leaf fails without."""
    solver: Z3 = field(default_factory=Z3)
    leaves: list[str] = field(default_factory=list)
    _known: list[Abstract] = field(default_factory=list)
    _depth: int = 0

    def equal(self, left: Term, right: Term) -> bool:
        """CONG where the products of both sides match, else with every sum as a constant."""
        lefts, rights = self.steps.normal(left), self.steps.normal(right)
        return self._attempt(lambda: self._congruent(lefts, rights)) or self._attempt(
            lambda: self.valid(equal(self.flat(total(lefts)), self.flat(total(rights))))
        )

    def _attempt(self, proof: Callable[[], bool]) -> bool:
        """Keep the leaves only of what succeeds."""
        leaves, known = len(self.leaves), list(self._known)
        if proof():
            return True
        del self.leaves[leaves:]
        self._known = known
        return False

    # CONG: sums over the same variables are equal if what they sum is.

    def _congruent(self, lefts: Sequence[Product], rights: Sequence[Product]) -> bool:
        groups: dict[tuple[str, ...], list[tuple[int, Product]]] = {}
        for sign, side in ((1, lefts), (-1, rights)):
            for p in side:
                groups.setdefault(_sorts(p.variables), []).append((sign, p))
        self.steps.taken.append(f"CONG: {len(groups)} groups of products")
        return all(self._balanced(groups[key]) for key in sorted(groups))

    def _balanced(self, group: Sequence[tuple[int, Product]]) -> bool:
        """Do the products of one group add up to 0, for some way to match their variables?"""
        reference = _ordered(group[0][1])
        choices = product(*(_alignments(_ordered(p), reference) for _, p in group[1:]))
        for renamings in islice(choices, ALIGNMENTS):
            terms = [
                mul(number(sign * p.coefficient), substitute(p.body, renaming))
                for (sign, p), renaming in zip(group, ({}, *renamings), strict=True)
            ]
            if self._attempt(lambda: self.valid(equal(self.flat(add(*terms)), ZERO))):
                return True
        return False

    # Leaves

    def valid(self, goal: Term) -> bool:
        """Does the goal follow? First from little, then with all that is known of sums and streams."""
        facts = facts_about(self, self._used([goal]), cheap=True)
        if self._follows(goal, facts):
            return True
        more = facts_about(self, self._used([goal]), cheap=False)
        return bool(more or self.axioms) and self._follows(goal, [*facts, *more, *self.axioms])

    def _follows(self, goal: Term, facts: Sequence[Term]) -> bool:
        text = query([*self.hypotheses, *facts], goal)
        if self.solver.ask(text) != "unsat":
            return False
        self.leaves.append(text)
        return True

    def _used(self, terms: Iterable[Term]) -> list[Abstract]:
        names = {symbol.name for symbol in symbols(terms)}
        return [abstract for abstract in self._known if abstract.symbol.name in names]

    def flat(self, term: Term, under: tuple[Var, ...] = ()) -> Term:
        """The term without sums and folds: each is a constant, the same one where two were proved equal."""
        if not _has_binder(term):
            return term
        match term:
            case Sum():
                return self._flat_sum(term, under)
            case Apply(head="+" | "*", sort=Sort.INT):
                return self._flat_sum(term, under)
            case Fold(name=name, variable=variable, body=body, sort=sort):
                return self._constant(name, (variable,), total(self.steps.normal(body)), sort, under)
            case Exists():
                tidy = self.steps.tidy(term)
                if not isinstance(tidy, Exists):
                    return self.flat(tidy, under)
                return exists(tidy.variables, self.flat(tidy.body, (*under, *tidy.variables)))
            case _:
                return rebuilt(term, lambda part: self.flat(part, under))

    def _flat_sum(self, term: Term, under: tuple[Var, ...]) -> Term:
        """Products with what does not depend on their variables in front; those alike in that are added first."""
        alone: dict[tuple[Product, tuple[str, ...]], list[Product]] = {}
        terms: list[Term] = []
        for p in self.steps.normal(term):
            parts = taken_apart(p)
            closed = Product(1, (), parts.closed.guards, parts.closed.factors)
            if len(parts.components) == 1:
                weighted = _weighted(parts.components[0], p.coefficient)
                alone.setdefault((closed, _sorts(weighted.variables)), []).append(weighted)
            else:
                sums = [self._component([c], under) for c in parts.components]
                terms.append(mul(number(p.coefficient), self._closed(closed, under), *sums))
        terms += [mul(self._closed(closed, under), self._component(sums, under)) for (closed, _), sums in alone.items()]
        return add(*terms)

    def _closed(self, closed: Product, under: tuple[Var, ...]) -> Term:
        """Guards and factors one by one: none of them is a sum or a product any more."""
        parts = [[self.flat(part, under) for part in several] for several in (closed.guards, closed.factors)]
        return mul(indicator(conj(*parts[0])), *parts[1])

    def _component(self, sums: Sequence[Product], under: tuple[Var, ...]) -> Term:
        """Sums over the same variables as one: Σ_x f + Σ_x g = Σ_x (f + g)."""
        ordered = [_ordered(s) for s in sums]
        reference = ordered[0]
        bodies = [substitute(s.body, dict(zip(s.variables, reference.variables, strict=True))) for s in ordered]
        body = add(*(mul(number(s.coefficient), b) for s, b in zip(ordered, bodies, strict=True)))
        return self._constant("sum", reference.variables, body, Sort.INT, under)

    def _constant(self, kind: str, variables: tuple[Var, ...], body: Term, sort: Sort, under: tuple[Var, ...]) -> Term:
        """The constant for a binder: that of an equal one, or a new one."""
        parameters = tuple(v for v in under if v in free(body))
        new = Abstract(kind, parameters, variables, body, Symbol("", tuple(p.sort for p in parameters), sort))
        for old in self._known:
            if _comparable(old, new) and self._same(old, new):
                return call(old.symbol, *parameters)
        symbol = Symbol(f"{kind} {self.fresh.var('k', sort).name}", new.symbol.parameters, sort)
        self._known.append(Abstract(kind, parameters, variables, body, symbol))
        return call(symbol, *parameters)

    def _same(self, old: Abstract, new: Abstract) -> bool:
        """CONG for binders within terms: equal for all values of the parameters and variables."""
        if self._depth >= DEPTH:
            return False
        self._depth += 1
        known = list(self._known)
        fixed = dict(zip(old.parameters, new.parameters, strict=True))
        left = Product(1, old.variables, (), (old.body,))
        try:
            for renaming in islice(_alignments(_ordered(left), _ordered(Product(1, new.variables, (), (new.body,)))), ALIGNMENTS):
                body = substitute(old.body, {**renaming, **fixed})
                if body == new.body or self._attempt(lambda: self._equal_bodies(body, new.body)):
                    return True
            return False
        finally:
            self._depth -= 1
            self._known = known

    def _equal_bodies(self, left: Term, right: Term) -> bool:
        return self.valid(equal(self.flat(left), self.flat(right)))


def _weighted(component: Product, coefficient: int) -> Product:
    return Product(coefficient, component.variables, component.guards, component.factors)


def _comparable(old: Abstract, new: Abstract) -> bool:
    return (
        old.kind == new.kind
        and old.symbol.parameters == new.symbol.parameters
        and old.symbol.result is new.symbol.result
        and _sorts(old.variables) == _sorts(new.variables)
    )


def _has_binder(term: Term) -> bool:
    """Is there a sum or a fold in the term, or an existence that may hide one?"""
    known = term.__dict__.get("_binder")
    if known is None:
        known = term.__dict__["_binder"] = isinstance(term, Sum | Fold) or any(map(_has_binder, subterms(term)))
    return bool(known)


def _sorts(variables: Iterable[Var]) -> tuple[str, ...]:
    return tuple(sorted(v.sort.value for v in variables))


def _ordered(p: Product) -> Product:
    """The product with its variables in an order that depends only on how they are used."""
    return Product(p.coefficient, tuple(sorted(p.variables, key=lambda v: _use(v, p))), p.guards, p.factors)


def _use(variable: Var, p: Product) -> tuple[str, tuple[str, ...]]:
    """Where a variable occurs, with itself and the others made nameless."""
    anonymous: dict[Var, Term] = {v: Var("_", v.sort) for v in p.variables}
    anonymous[variable] = Var("@", variable.sort)
    parts = [part for part in (*p.guards, *p.factors) if variable in free(part)]
    return variable.sort.value, tuple(sorted(_shape(substitute(part, anonymous)) for part in parts))


def _shape(term: Term) -> str:
    """A text for a term in which bound variables have no names."""
    match term:
        case Var(name=name):
            return name
        case Constant(value=value):
            return str(value)
        case Apply(head=head, arguments=arguments):
            name = head.name if isinstance(head, Symbol) else head
            return f"({name} {' '.join(map(_shape, arguments))})"
        case Sum(variables=variables, body=body) | Exists(variables=variables, body=body):
            return f"({type(term).__name__} {_shape(_nameless(body, variables))})"
        case Fold(name=name, variable=variable, body=body):
            return f"({name} {_shape(_nameless(body, (variable,)))})"


def _nameless(body: Term, variables: Iterable[Var]) -> Term:
    return substitute(body, {v: Var("_", v.sort) for v in variables})


def _alignments(p: Product, reference: Product) -> Iterator[dict[Var, Term]]:
    """The ways to rename the variables of one product to those of another, the likeliest first."""
    for chosen in permutations(reference.variables):
        if all(a.sort is b.sort for a, b in zip(p.variables, chosen, strict=True)):
            yield dict(zip(p.variables, chosen, strict=True))
