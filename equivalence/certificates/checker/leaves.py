"""Leaves: what is left for a solver, tied to what it stands for.

In a leaf every sum, fold and existence may be a constant. The certificate says what each stands for, and which of them
are equal by which lemma; the checker puts all of them back and compares. So a solver is asked about nothing but the
leaf's own text, which `smt` writes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from equivalence.certificates.checker import canonical
from equivalence.certificates.checker.canonical import form, same
from equivalence.certificates.checker.lemmas import Lemmas, at_most, bounds_of, need
from equivalence.certificates.checker.smt import script
from equivalence.certificates.checker.terms import (
    ONE,
    TRUE,
    ZERO,
    Refused,
    Signature,
    Term,
    bindable,
    free,
    op,
    rebuilt,
    substitute,
)

KINDS: Final = {"sum": "Int", "exists": "Bool"}


@dataclass(frozen=True)
class Definition:
    """What a constant of a leaf stands for; under other variables it is a function of these."""

    name: str
    sort: str
    signature: Signature
    kind: str
    parameters: tuple[Term, ...]
    variables: tuple[Term, ...]
    body: Term

    @property
    def term(self) -> Term:
        if self.kind in KINDS:
            return Term(self.kind, "", KINDS[self.kind], (self.body,), self.variables)
        return Term("fold", self.kind, self.sort, (self.body,), self.variables)

    @property
    def call(self) -> Term:
        return Term("call", self.name, self.sort, self.parameters, signature=self.signature)

    def at(self, arguments: Sequence[Term]) -> Term:
        return substitute(self.term, dict(zip(self.parameters, arguments, strict=True)))


def binder(lemmas: Lemmas, data: Mapping[str, Any]) -> tuple[str, tuple[Term, ...], tuple[Term, ...], Term]:
    """The kind, the parameters, the variables and the body of a sum, an existence or a fold."""
    parameters, variables = tuple(lemmas.all(data["parameters"])), tuple(lemmas.all(data["variables"]))
    kind, body = data["kind"], lemmas.term(data["body"])
    need(bool(variables) and bool(bindable((*parameters, *variables))), "names differ")
    need(isinstance(kind, str) and body.sort == ("Bool" if kind == "exists" else "Int"), "the body fits")
    need(kind in KINDS or len(variables) == 1, "a fold is over one variable")
    return kind, parameters, variables, body


def defined(lemmas: Lemmas, data: Mapping[str, Any], symbols: Sequence[Any]) -> Definition:
    place = data["symbol"]
    need(type(place) is int and 0 <= place < len(symbols), "the symbol is in the table")
    name, sort, signature = symbols[place]
    kind, parameters, variables, body = binder(lemmas, data)
    need(signature.kind == "free" and signature.parameters == tuple(p.sort for p in parameters), "a constant is free")
    need(KINDS.get(kind, sort) == sort, "the constant has the sort of what it stands for")
    return Definition(name, sort, signature, kind, parameters, variables, body)


@dataclass
class Leaf:
    """One leaf being checked."""

    lemmas: Lemmas
    data: Mapping[str, Any]
    symbols: Sequence[Any]

    def __post_init__(self) -> None:
        self.stands_for: dict[str, Definition] = {}
        self.same_as: dict[str, str] = {}

    def checked(self) -> str | None:
        """The text that a solver must find unsatisfiable; None if there is nothing to ask."""
        lemmas, data = self.lemmas, self.data
        goal, flat = lemmas.term(data["goal"]), lemmas.term(data["flat"])
        need(goal.sort == flat.sort == "Bool", "a leaf is a formula")
        self._take(data["constants"])
        facts = [self._fact(fact) for fact in data["facts"]]
        need(lemmas.agree(goal, self._back(flat), data["uses"]), "the leaf says what its goal says")
        stated = [*lemmas.hypotheses, goal, *(d.body for d in self.stands_for.values())]
        need(not any(_calls(term, set(self.stands_for)) for term in stated), "constants are new names")
        asked = self._resolved(flat)
        if data["trivial"]:
            need(data["trivial"] is True and form(asked) == TRUE, "the leaf is plainly true")
            return None
        sequent = [*lemmas.hypotheses, *map(self._resolved, facts)]
        return script(sequent, asked, unknown_remainders=bool(data["opaque_remainders"]))

    def _take(self, constants: Any) -> None:
        for entry in constants:
            alias, old = (defined(self.lemmas, each, self.symbols) for each in (entry, entry["is"]))
            self._know(alias)
            self._know(old)
            self.same_as[alias.name] = old.name
            need(_like(alias, old), "a constant is used for sums of one kind")
            if entry["by"] is None:
                need(same(old.at(alias.parameters), alias.term), "equal constants stand for the same")
            else:
                need(_related(self.lemmas, entry["by"], "equal", old, alias), "a lemma says that they are equal")

    def _know(self, definition: Definition) -> None:
        known = self.stands_for.setdefault(definition.name, definition)
        need(known == definition, f"{definition.name} stands for one thing")

    def _back(self, term: Term) -> Term:
        """The term with everything in place of the constants that stand for it."""
        args = [self._back(arg) for arg in term.args]
        if term.kind == "call" and term.name in self.stands_for:
            return self.stands_for[term.name].at(args)
        return rebuilt(term, args) if args else term

    def _resolved(self, term: Term) -> Term:
        """The term with one constant for all that are equal."""
        args = [self._resolved(arg) for arg in term.args]
        if term.kind == "call" and term.name in self.same_as:
            old = self.stands_for[self.same_as[term.name]]
            return Term("call", old.name, old.sort, tuple(args), signature=old.signature)
        return rebuilt(term, args) if args else term

    def _fact(self, data: Mapping[str, Any]) -> Term:
        """A fact about a constant, for all values of its parameters."""
        self._take(data["constants"])
        of = [defined(self.lemmas, each, self.symbols) for each in data["of"]]
        for definition in of:
            self._know(definition)
        formula = self.lemmas.term(data["formula"])
        back = self._back(formula)
        if data["rule"] == "MONO":
            small, large = of
            need(_related(self.lemmas, data["by"], "at_most", small, large), "a lemma compares the sums")
            wanted = [at_most(small.term, large.term)]
        else:
            (definition,) = of
            wanted = _known_of(data["rule"], definition)
        uses = self.data["uses"]
        need(any(self.lemmas.agree(each, back, uses) for each in wanted), f"{data['rule']} says so")
        bound = tuple(v for v in of[0].parameters if v in free(formula))
        inner = op("not", formula, sort="Bool")
        if not bound:
            return formula
        return op("not", Term("exists", "", "Bool", (inner,), bound), sort="Bool")


def _calls(term: Term, names: set[str]) -> bool:
    return (term.kind == "call" and term.name in names) or any(_calls(arg, names) for arg in term.args)


def _like(one: Definition, other: Definition) -> bool:
    sorts = [sorted(v.sort for v in each.variables) for each in (one, other)]
    return one.kind == other.kind and one.sort == other.sort and sorts[0] == sorts[1]


def _known_of(rule: Any, of: Definition) -> list[Term]:
    """What is always true of a sum or an extreme, in terms of what it stands for."""
    natural = of.kind == "sum" and canonical.natural(canonical.summed(of.body))
    match rule:
        case "NATURAL" if natural:
            return [at_most(ZERO, of.term)]
        case "POS" if natural:
            some = Term("exists", "", "Bool", (at_most(ONE, of.body),), of.variables)
            return [op("=", at_most(ONE, of.term), some, sort="Bool")]
        case "TERM" if natural and len(of.variables) == 1:
            return [at_most(substitute(of.body, {of.variables[0]: end}), of.term) for end in _ends(of)]
        case "PLACES" if natural:
            return [at_most(of.term, places) for places in _places(of)]
        case "EXTREME" if of.kind in ("min", "max"):
            return [_extreme(of)]
    raise Refused(f"{rule} says nothing of this constant")


def _ends(of: Definition) -> list[Term]:
    (variable,) = of.variables
    ends = list[Term]()
    for product in canonical.summed(of.body):
        for guard in product.guards:
            lower, upper = (variable.sort == "Int" and bounds_of([guard], variable)) or ([], [])
            ends += [*lower, *upper]
    return ends


def _places(of: Definition) -> list[Term]:
    """Σ_x [a ≤ x ≤ b ∧ φ(x)] ≤ max(b − a + 1, 0)."""
    products = canonical.summed(of.body)
    if len(of.variables) != 1 or of.variables[0].sort != "Int" or len(products) != 1:
        return []
    (variable,), (one,) = of.variables, products
    if one.variables or one.factors or one.times != 1:
        return []
    found = [bounds_of([g], variable) or ([], []) for g in one.guards if variable in free(g)]
    lower, upper = ([b for each in found for b in each[i]] for i in (0, 1))
    ends = [(a, op("+", b, ONE, sort="Int")) for a in lower for b in upper]
    return [op("monus", b, a, sort="Int") for a, b in ends]


def _extreme(of: Definition) -> Term:
    """If anything is there, the extreme is there, and nothing is beyond it."""
    (variable,), member, value = of.variables, at_most(ONE, of.body), of.term
    low, high = (value, variable) if of.kind == "max" else (variable, value)
    beyond = op("<", low, high, sort="Bool")
    if variable.sort == "Bool":
        beyond = op("and", op("not", low, sort="Bool"), high, sort="Bool")
    some = Term("exists", "", "Bool", (member,), (variable,))
    outside = Term("exists", "", "Bool", (op("and", member, beyond, sort="Bool"),), (variable,))
    chosen = substitute(member, {variable: value})
    return op("or", _not(some), op("and", chosen, _not(outside), sort="Bool"), sort="Bool")


def _not(formula: Term) -> Term:
    return op("not", formula, sort="Bool")


def _related(lemmas: Lemmas, place: Any, relation: str, one: Definition, other: Definition) -> bool:
    """Does a lemma relate what the two stand for?"""
    lemma = lemmas.lemma(place, "SUMS").data
    fits = [_same_binder(stated, each) for stated, each in ((lemma["one"], one), (lemma["other"], other))]
    return lemma["relation"] == relation and all(fits)


def _same_binder(stated: tuple[str, tuple[Term, ...], tuple[Term, ...], Term], of: Definition) -> bool:
    """Are they the same but for the names of parameters and variables?"""
    kind, parameters, variables, body = stated
    if kind != of.kind or [p.sort for p in parameters] != [p.sort for p in of.parameters]:
        return False
    whole = Definition(of.name, of.sort, of.signature, kind, parameters, variables, body)
    return same(whole.at(of.parameters), of.term)


def sums(lemmas: Lemmas, data: Mapping[str, Any]) -> dict[str, Any]:
    """CONG and MONO: sums are equal, or one is never larger, if what they sum is, under one renaming of variables."""
    one, other = (binder(lemmas, data[name]) for name in ("one", "other"))
    by = {lemmas.term(v): lemmas.term(w) for v, w in data["renaming"]}
    need(one[0] == other[0] and set(by) == {*one[1], *one[2]}, "all names of one are renamed")
    need([by[p] for p in one[1]] == list(other[1]), "parameters stay in their order")
    need(sorted(by[v].name for v in one[2]) == sorted(v.name for v in other[2]), "variables become variables")
    need({by[v] for v in one[2]} == {*other[2]} and all(v.sort == w.sort for v, w in by.items()), "of the same sorts")
    left, right = substitute(one[3], by), other[3]
    need(data["relation"] == "equal" or (data["relation"] == "at_most" and one[0] == "sum"), "the relation is known")
    if data["leaf"] is None:
        need(same(left, right), "both sum the same")
    else:
        head = "=" if data["relation"] == "equal" else "<="
        goal = lemmas.lemma(data["leaf"], "LEAF").data["goal"]
        need(same(goal, op(head, left, right, sort="Bool")), "the leaf compares what they sum")
    return {"relation": data["relation"], "one": one, "other": other}
