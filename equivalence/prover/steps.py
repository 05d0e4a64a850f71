"""The steps of the kernel: each rewrites a product into an equal one, and says why that is right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from equivalence.prover.linear import Bounds, bounds, solved
from equivalence.prover.normal import Product, expanded, under
from equivalence.prover.terms import (
    FALSE,
    ONE,
    TRUE,
    Apply,
    Exists,
    Fresh,
    Sort,
    Symbol,
    Term,
    Var,
    add,
    at_most,
    conj,
    conjuncts,
    disj,
    exists,
    free,
    least,
    mentions,
    monus,
    mul,
    null,
    number,
    positive,
    rebuilt,
    some,
    substitute,
)


@dataclass(frozen=True)
class Key:
    """In every snapshot of the stream at most one row has given values at these positions, and that one once."""

    stream: str
    positions: tuple[int, ...]


@dataclass
class Steps:
    """Brings multiplicities into normal form, and keeps a record of how."""

    fresh: Fresh
    keys: Sequence[Key] = ()
    taken: list[str] = field(default_factory=list)

    def normal(self, term: Term) -> list[Product]:
        """All steps, until none applies any more."""
        done, waiting = [], expanded(term, self.fresh)
        self._note("LIN", f"{len(waiting)} products")
        while waiting:
            product = waiting.pop(0)
            product = replace(product, guards=conjuncts(conj(*(self.tidy(guard) for guard in product.guards))))
            if FALSE in product.guards:
                continue
            changed = next((new for step in self._all if (new := step(product)) is not None), None)
            if changed is None:
                done.append(product)
            else:
                waiting = changed + waiting
        return done

    @property
    def _all(self) -> tuple[Callable[[Product], list[Product] | None], ...]:
        return (self._one_point, self._present, self._pinned, self._keyed, self._counted)

    def _note(self, step: str, what: str) -> None:
        self.taken.append(f"{step}: {what}")

    # Steps on sums

    def _one_point(self, product: Product) -> list[Product] | None:
        """ONE: Σ_x [x = τ]·f(x) = f(τ), where x does not occur in τ."""
        found = _determined(product.variables, product.guards)
        if found is None:
            return None
        self._note("ONE", f"{found[0].name} has one value")
        return self._replaced(product, *found)

    def _present(self, product: Product) -> list[Product] | None:
        """NOT NULL: Σ_x [x is not NULL]·f(x) = Σ_y f(some y): the values that are not NULL are just the plain ones."""
        found = _never_null(product.variables, product.guards)
        if found is None:
            return None
        plain = self.fresh.var(found.name, found.sort.plain)
        self._note("NOT NULL", f"{found.name} is never NULL")
        return [under((plain,), p) for p in self._replaced(product, found, some(plain))]

    def _pinned(self, product: Product) -> list[Product] | None:
        """PIN: τ ≤ x ≤ τ leaves one value for x."""
        for variable in _integers(product.variables):
            found = bounds(variable, [g for g in product.guards if _bounds_only(g, variable)])
            if found is not None and (meeting := found.meeting) is not None:
                self._note("PIN", f"the bounds of {variable.name} meet")
                return self._replaced(product, variable, meeting)
        return None

    def _counted(self, product: Product) -> list[Product] | None:
        """COUNT: Σ_x [a ≤ x ≤ b] = max(b − a + 1, 0), where nothing else depends on the integer x."""
        for variable in _integers(product.variables):
            found = bounds(variable, product.guards)
            if found and found.lower and found.upper and not mentions(mul(*product.factors), [variable]):
                self._note("COUNT", f"{variable.name} is only counted")
                guards = tuple(g for g in product.guards if variable not in free(g))
                rest = tuple(v for v in product.variables if v != variable)
                length = monus(add(_minimum(found), ONE), _maximum(found))
                counted = Product(product.coefficient, rest, guards, product.factors)
                return [counted.times(p) for p in expanded(length, self.fresh)]
        return None

    def _keyed(self, product: Product) -> list[Product] | None:
        """KEY: where key and instant are fixed, Σ_y [g(y)]·n(y) = [∃y: g(y) ∧ n(y) ≥ 1], for there is one row at most."""
        for i, factor in enumerate(product.factors):
            others = product.factors[:i] + product.factors[i + 1 :]
            for key in self.keys:
                if isinstance(factor, Apply) and isinstance(factor.head, Symbol) and factor.head.name == key.stream:
                    self._note("KEY", f"{key.stream} has one row at most for a key")
                    return [_collapsed(product, factor, others, key)]
        return None

    def _replaced(self, product: Product, variable: Var, value: Term) -> list[Product]:
        rest = tuple(v for v in product.variables if v != variable)
        body = substitute(mul(number(product.coefficient), product.body), {variable: value})
        return [under(rest, p) for p in expanded(body, self.fresh)]

    # Steps on formulas

    def tidy(self, formula: Term) -> Term:
        """The same steps for existence, which is a sum that asks for no more than a first one."""
        if not isinstance(formula, Apply | Exists) or formula.sort is not Sort.BOOL:
            return formula
        if isinstance(formula, Exists):
            return self._existence(formula.variables, self.tidy(formula.body))
        return rebuilt(formula, self.tidy)

    def _existence(self, variables: tuple[Var, ...], body: Term) -> Term:
        """∃ goes through ∨, past what does not depend on it, and away where the witness is known."""
        if isinstance(body, Apply) and body.head == "or":
            return disj(*(self._existence(variables, part) for part in body.arguments))
        guards = conjuncts(body)
        if not mentions(body, variables):
            return body
        found = _determined(variables, guards)
        if found is not None:
            rest = tuple(v for v in variables if v != found[0])
            return self._existence(rest, self.tidy(substitute(body, dict([found]))))
        absent = _never_null(variables, guards)
        if absent is not None:
            plain = self.fresh.var(absent.name, absent.sort.plain)
            rest = tuple(plain if v == absent else v for v in variables)
            return self._existence(rest, self.tidy(substitute(body, {absent: some(plain)})))
        return self._between(variables, guards)

    def _between(self, variables: tuple[Var, ...], guards: tuple[Term, ...]) -> Term:
        """∃x: a ≤ x ≤ b iff a ≤ b, for integers."""
        for variable in _integers(variables):
            found = bounds(variable, guards)
            if found is not None:
                open_ = [at_most(low, high) for low in found.lower for high in found.upper]
                rest = [g for g in guards if variable not in free(g)]
                return self._existence(tuple(v for v in variables if v != variable), conj(*rest, *open_))
        outside = [g for g in guards if not mentions(g, variables)]
        inside = [g for g in guards if mentions(g, variables)]
        return conj(*outside, exists(variables, conj(*inside)))


def _determined(variables: Sequence[Var], guards: Sequence[Term]) -> tuple[Var, Term] | None:
    """A variable that a guard sets equal to a term without it."""
    for guard in guards:
        for variable in variables:
            if variable in free(guard) and (value := _value(guard, variable)) is not None:
                return variable, value
    return None


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


def _never_null(variables: Sequence[Var], guards: Sequence[Term]) -> Var | None:
    for guard in guards:
        match guard:
            case Apply(head="not", arguments=(Apply(head="is_null", arguments=(Var() as variable,)),)):
                if variable in variables:
                    return variable
    return None


def _integers(variables: Sequence[Var]) -> list[Var]:
    return [v for v in variables if v.sort is Sort.INT]


def _bounds_only(guard: Term, variable: Var) -> bool:
    return variable in free(guard) and bounds(variable, [guard]) is not None


def _minimum(found: Bounds) -> Term:
    smallest, *others = found.upper
    for other in others:
        smallest = least(smallest, other)
    return smallest


def _maximum(found: Bounds) -> Term:
    """max(a, b) = a + max(b − a, 0)."""
    largest, *others = found.lower
    for other in others:
        largest = add(largest, monus(other, largest))
    return largest


def _collapsed(product: Product, factor: Apply, others: tuple[Term, ...], key: Key) -> Product:
    """The keyed stream's factor as the guard that there is a row; variables that only it knows go with it."""
    fixed = [factor.arguments[p] for p in (*key.positions, len(factor.arguments) - 1)]
    known = set[Var]().union(*map(free, [*fixed, *others]))
    gone = tuple(v for v in product.variables if v in free(factor) and v not in known)
    inside = [g for g in product.guards if mentions(g, gone)]
    outside = [g for g in product.guards if not mentions(g, gone)]
    there = exists(gone, conj(*inside, positive(factor)))
    rest = tuple(v for v in product.variables if v not in gone)
    return Product(product.coefficient, rest, conjuncts(conj(*outside, there)), others)

