"""The kernel's steps on products, which say what they did."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from equivalence.certificates.recording.formulas import TracedDifferences, TracedExistence, TracedLatest, reasons
from equivalence.certificates.recording.trace import Trace
from equivalence.prover.kernel.existence import determined, integers, never_null, pin
from equivalence.prover.kernel.steps import (
    KernelSteps,
    Step,
    _inside_binders,
    _known_values,
    _offset,
    _offset_in_guards,
)
from equivalence.prover.terms.build import neg
from equivalence.prover.terms.linear import bounds
from equivalence.prover.terms.matching import facts_of, implied
from equivalence.prover.terms.normal_form import GuardedProduct, expanded, total
from equivalence.prover.terms.shape import shape
from equivalence.prover.terms.term import FALSE, Term, Var, mentions

Products = list[GuardedProduct] | None


@dataclass
class TracedSteps(KernelSteps):
    trace: Trace = field(default_factory=Trace)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._uses: dict[object, int] = {}
        self._differences = TracedDifferences(self)
        self._last = self._traced = TracedLatest(self.fresh, self.holds)
        self.existence = TracedExistence(self.fresh, self._differences.simpler, self._last)
        self._last.tidy = self.existence.tidy
        self._last.trace = self.trace
        for part in (self._differences, self.existence):
            part.trace, part._uses = self.trace, {}

    def normal(self, term: Term, *, pinning: bool = True, counting: bool = True) -> list[GuardedProduct]:
        key = shape(term), pinning, counting, self.presenting
        if key not in self._known:
            with self.trace.collecting() as uses:
                products = super().normal(term, pinning=pinning, counting=counting)
            self._uses[key] = self.trace.add("NORMAL", term, total(products), uses)
        self.trace.used([self._uses[key]])
        return self._known[key]

    def _tidied(self, product: GuardedProduct) -> GuardedProduct:
        with self.trace.collecting() as uses:
            new = super()._tidied(product)
        if new != product:
            self._step("TIDY", product, [] if FALSE in new.guards else [new], uses)
        return new

    def _step(self, rule: str, product: GuardedProduct, new: Sequence[GuardedProduct], uses: Any, **more: Any) -> None:
        """The lemma for a product with coefficient 1: all that it became has its coefficient as a factor."""
        by = product.coefficient
        left, right = replace(product, coefficient=1), [replace(p, coefficient=p.coefficient // by) for p in new]
        guards, factors = self.trace.all(product.guards), self.trace.all(product.factors)
        shown = {"variables": self.trace.all(product.variables), "guards": guards, "factors": factors}
        self.trace.add(rule, total([left]), total(right), uses, **shown, **more)

    def _noted(self, rule: str, step: Step, product: GuardedProduct, more: Callable[[], dict[str, Any]]) -> Products:
        with self.trace.collecting() as uses:
            new = step(product)
        if new is not None:
            self._step(rule, product, new, uses, **more())
        return new

    def _named(self, **terms: Term) -> dict[str, Any]:
        return {name: self.trace.term(term) for name, term in terms.items()}

    def _one_point(self, product: GuardedProduct) -> Products:
        found = determined(product.variables, product.guards, product.factors)
        more = {} if found is None else self._named(variable=found[0], value=found[1])
        return self._noted("ONE", super()._one_point, product, lambda: more)

    def _present(self, product: GuardedProduct) -> Products:
        found = never_null(product.variables, facts_of(product.guards, product.factors))
        more = {} if found is None else self._named(variable=found)
        return self._noted("NOT NULL", super()._present, product, lambda: more)

    def _pinned(self, product: GuardedProduct) -> Products:
        values = [(v, value) for v in integers(product.variables) if (value := pin(v, product.guards)) is not None]
        more = self._named(variable=values[0][0], value=values[0][1]) if values else {}
        return self._noted("PIN", super()._pinned, product, lambda: more)

    def _empty(self, product: GuardedProduct) -> Products:
        return self._noted("EMPTY", super()._empty, product, dict)

    def _shifted(self, product: GuardedProduct) -> Products:
        for variable in integers(product.variables):
            offset = _offset(variable, product.factors) or _offset_in_guards(variable, product)
            if offset is not None and not mentions(offset, product.variables):
                more = self._named(variable=variable, offset=offset)
                return self._noted("SHIFT", super()._shifted, product, partial(dict, more))
        return None

    def _counted(self, product: GuardedProduct) -> Products:
        for variable in integers(product.variables):
            found = bounds(variable, product.guards)
            if found and found.lower and found.upper and not any(mentions(f, [variable]) for f in product.factors):
                more = self._named(variable=variable)
                return self._noted("COUNT", super()._counted, product, partial(dict, more))
        return None

    def _absorbed(self, product: GuardedProduct) -> Products:
        for guard in product.guards:
            others = tuple(g for g in product.guards if g != guard)
            facts = [*facts_of(others, product.factors), *self.hypotheses]
            for rule, formula, new in (
                ("ABSORB", guard, [replace(product, guards=others)]),
                ("CONTRADICTION", neg(guard), []),
            ):
                if implied(formula, facts, self.fresh):
                    why = reasons(formula, facts, self.fresh, self.trace)
                    self._step(rule, product, new, [], guard=self.trace.term(guard), **why)
                    return new
        return None

    def _known_value(self, product: GuardedProduct) -> Products:
        for guards, variable, value in _known_values(product.guards):
            rest = replace(product, guards=tuple(g for g in product.guards if g not in guards))
            if _inside_binders(rest.body, variable):
                more = {**self._named(variable=variable, value=value), "known": self.trace.all(guards)}
                return self._noted("SUBST", super()._known_value, product, partial(dict, more))
        return None

    def substituted(self, left: Term, right: Term, variable: Var, value: Term, known: Sequence[Term]) -> int:
        """SUBST in a product without variables, which stands under a fold."""
        (product,) = expanded(left, self.fresh)
        more = {**self._named(variable=variable, value=value), "known": self.trace.all(known)}
        shown = {"guards": self.trace.all(product.guards), "factors": self.trace.all(product.factors)}
        return self.trace.add("SUBST", left, right, variables=[], **shown, **more)

    def _latest(self, product: GuardedProduct) -> Products:
        with self.trace.collecting() as found:
            latest = self._last.latest(product)
        more = {} if latest is None else {**self._named(variable=latest[0], value=latest[1]), "leaf": found[-1]}
        return self._noted("LATEST", super()._latest, product, lambda: more)

    def _unique(self, product: GuardedProduct) -> Products:
        with self.trace.collecting() as found:
            there = self._last.unique(product)
        more = {} if there is None else {"leaf": found[-1], "again": self.trace.all(self._traced.again)}
        return self._noted("UNIQUE", super()._unique, product, lambda: more)

    def _in_order(self, *, pinning: bool, counting: bool) -> Any:
        for step in super()._in_order(pinning=pinning, counting=counting):
            if step == self._differences.taken:
                yield lambda product: self._noted("REWRITE PRODUCT", self._differences.taken, product, dict)
            else:
                yield step
