"""What a traced proof writes down: lemmas in the order in which they were proved, and which of them each rests on."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from equivalence.prover.terms.term import Apply, ConstantTerm, Exists, Fold, SmtSort, SumTerm, Symbol, Term, Var


class NotRecorded(Exception):
    """A proof that uses a step of which no certificate is written."""


@dataclass
class Trace:
    """Lemmas, and a table of the terms and symbols in them, each once."""

    lemmas: list[dict[str, Any]] = field(default_factory=list)
    terms: list[list[Any]] = field(default_factory=list)
    symbols: list[dict[str, Any]] = field(default_factory=list)
    _places: dict[Term, int] = field(default_factory=dict)
    _symbols: dict[Symbol, int] = field(default_factory=dict)
    _open: list[list[int]] = field(default_factory=lambda: [[]])

    def add(self, rule: str, left: Term, right: Term, uses: Sequence[int] = (), **more: Any) -> int:
        """One more lemma: left = right, whatever the variables are."""
        return self.state(rule, uses, left=self.term(left), right=self.term(right), **more)

    def state(self, rule: str, uses: Sequence[int] = (), **more: Any) -> int:
        self.lemmas.append({"rule": rule, **more, "uses": list(dict.fromkeys(uses))})
        number = len(self.lemmas) - 1
        self.used([number])
        return number

    def used(self, lemmas: Sequence[int]) -> None:
        """Whatever is being proved right now rests on these."""
        self._open[-1] += lemmas

    @contextmanager
    def collecting(self) -> Iterator[list[int]]:
        """What is used until the end of the block, which then counts as used by what is around it only if said so."""
        self._open.append([])
        mine = self._open[-1]
        try:
            yield mine
        finally:
            self._open.pop()

    def all(self, terms: Sequence[Term]) -> list[int]:
        return [self.term(term) for term in terms]

    def term(self, term: Term) -> int:
        """The place of a term in the table."""
        known = self._places.get(term)
        if known is None:
            entry = self._entry(term)
            self.terms.append(entry)
            known = self._places[term] = len(self.terms) - 1
        return known

    def _entry(self, term: Term) -> list[Any]:
        match term:
            case Var(name=name, sort=sort):
                return ["var", name, sort.value]
            case ConstantTerm(value=value, sort=SmtSort.REAL):
                return ["number", "Real", [value.numerator, value.denominator]]
            case ConstantTerm(value=value, sort=sort):
                return ["number", sort.value, value]
            case Apply(head=Symbol() as symbol, arguments=arguments):
                return ["call", self.symbol(symbol), self.all(arguments)]
            case Apply(head=str(head), arguments=arguments, sort=sort):
                return ["op", head, sort.value, self.all(arguments)]
            case SumTerm(variables=variables, body=body):
                return ["sum", self.all(variables), self.term(body)]
            case Exists(variables=variables, body=body):
                return ["exists", self.all(variables), self.term(body)]
            case Fold(name=name, variable=variable, body=body, sort=sort):
                return ["fold", name, sort.value, self.term(variable), self.term(body)]
        raise AssertionError(term)

    def symbol(self, symbol: Symbol) -> int:
        if symbol not in self._symbols:
            parts = {"parameters": [sort.value for sort in symbol.parameters], "result": symbol.result.value}
            entry = {"name": symbol.name, **parts, "kind": symbol.kind, "present": list(symbol.present)}
            self.symbols.append(entry)
            self._symbols[symbol] = len(self.symbols) - 1
        return self._symbols[symbol]
