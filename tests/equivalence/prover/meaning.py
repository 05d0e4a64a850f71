"""What a term of the kernel means on given streams, with sums over a small range: written down once more, naively."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from equivalence.prover.terms.term import Apply, ConstantTerm, Exists, Fold, SmtSort, SumTerm, Symbol, Term, Var
from semantics import Row
from semantics.value import row_order

NUMBERS: Final = range(-1, 8)
VALUES: Final[dict[SmtSort, list[Any]]] = {
    SmtSort.INT: [*NUMBERS],
    SmtSort.BOOL: [False, True],
    SmtSort.INT_OR_NULL: [None, *NUMBERS],
    SmtSort.BOOL_OR_NULL: [None, False, True],
}
OPERATIONS: Final[dict[str, Any]] = {
    "not": lambda a: not a,
    "=": lambda a, b: a == b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "[]": int,
    "monus": lambda a, b: max(a - b, 0),
    "min": min,
    "null": lambda: None,
    "some": lambda a: a,
    "get": lambda a: 0 if a is None else a,
    "is_null": lambda a: a is None,
}


@dataclass(frozen=True)
class Meaning:
    """The streams, as multiplicities of rows at instants."""

    streams: Mapping[str, Mapping[tuple[Row, int], int]]

    def of(self, term: Term, values: Mapping[Var, Any]) -> Any:
        match term:
            case Var():
                return values[term]
            case ConstantTerm(value=value):
                return value
            case SumTerm(variables=variables, body=body):
                return sum(self.of(body, {**values, **chosen}) for chosen in _choices(variables))
            case Exists(variables=variables, body=body):
                return any(self.of(body, {**values, **chosen}) for chosen in _choices(variables))
            case Fold(name=name, variable=variable, body=body):
                held = [v for v in VALUES[variable.sort] if self.of(body, {**values, variable: v})]
                return {"min": min, "max": max}[name](held, default=0)
            case Apply():
                return self._applied(term, values)

    def _applied(self, term: Apply, values: Mapping[Var, Any]) -> Any:
        parts = term.arguments
        match term.head:
            case "and":
                return all(self.of(part, values) for part in parts)
            case "or":
                return any(self.of(part, values) for part in parts)
            case "*":
                return self._product(parts, values)
            case "+":
                return sum(self.of(part, values) for part in parts)
            case "ite":
                return self.of(parts[1 if self.of(parts[0], values) else 2], values)
            case Symbol(name=name):
                return self._free(name, [self.of(part, values) for part in parts])
            case head:
                return OPERATIONS[head](*(self.of(part, values) for part in parts))

    def _product(self, parts: tuple[Term, ...], values: Mapping[Var, Any]) -> Any:
        result = 1
        for part in parts:
            result *= self.of(part, values)
            if result == 0:
                return 0
        return result

    def _free(self, name: str, values: list[Any]) -> Any:
        """A stream, or whether one row comes before another."""
        if name.startswith("before "):
            width = len(values) // 2
            return row_order(tuple(values[:width])) < row_order(tuple(values[width:]))
        *row, time = values
        return self.streams[name.removeprefix("stream ")].get((tuple(row), time), 0)


def _choices(variables: tuple[Var, ...]) -> list[dict[Var, Any]]:
    return [dict(zip(variables, chosen, strict=True)) for chosen in product(*(VALUES[v.sort] for v in variables))]
