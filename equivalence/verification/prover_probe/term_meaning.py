"""What a term of the kernel means on given streams, with sums over a small range, at many points at once.

A point is a choice of streams and of values for the free variables. Arrays have an axis for points and one for each
variable that a sum, a fold or an existence around them binds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equivalence.prover.terms.term import Apply, ConstantTerm, Exists, Fold, SmtSort, SumTerm, Symbol, Term, Var

Array = NDArray[Any]
Scope = tuple[Var, ...]
NULL: Final = np.iinfo(np.int64).min
"""Before all integers, as in the order of rows."""
LOW, HIGH = -2, 6
INTEGERS: Final = np.arange(LOW, HIGH + 1)
"""All values and instants that may come up."""
DOMAINS: Final[Mapping[SmtSort, Array]] = {
    SmtSort.INT: INTEGERS,
    SmtSort.INT_OR_NULL: np.array([NULL, *INTEGERS]),
    SmtSort.BOOL: np.array([False, True]),
}
LARGEST_ARRAY: Final = 10_000_000
"""A term that needs a larger array has no meaning here."""
OPERATIONS: Final[Mapping[str, Callable[..., Array]]] = {
    "not": np.logical_not,
    "=": np.equal,
    "<=": np.less_equal,
    "<": np.less,
    "div": lambda a, b: (a - _remainder(a, b)) // np.where(b == 0, 1, b),
    "mod": lambda a, b: _remainder(a, b),
    "[]": lambda a: a.astype(np.int64),
    "monus": lambda a, b: np.maximum(a - b, 0),
    "min": np.minimum,
    "some": lambda a: a,
    "get": lambda a: np.where(a == NULL, 0, a),
    "is_null": lambda a: a == NULL,
    "ite": np.where,
}
VARIADIC_OPERATIONS: Final[Mapping[str, np.ufunc]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "*": np.multiply,
    "+": np.add,
}


def _remainder(a: Array, b: Array) -> Array:
    """As solvers have it: never negative, whatever the signs."""
    return np.mod(a, np.where(b == 0, 1, np.abs(b)))


class NoMeaning(Exception):
    """The term has parts that this small world does not have, or too many variables."""


@dataclass(frozen=True)
class Meaning:
    """Streams of one column, as multiplicities by point, value (NULL first) and instant; and the free variables."""

    streams: Mapping[str, Array]
    given: Mapping[Var, Array]
    _known: dict[tuple[Term, Scope], Array] = field(default_factory=dict)

    def of(self, term: Term, scope: Scope = ()) -> Array:
        key = term, scope
        if key not in self._known:
            self._known[key] = self._of(term, scope)
        return self._known[key]

    def _of(self, term: Term, scope: Scope) -> Array:
        match term:
            case Var():
                return self._variable(term, scope)
            case ConstantTerm(value=value, sort=sort):
                return np.full((1,) * (1 + len(scope)), _plain(value, sort))
            case SumTerm(variables=variables, body=body):
                return np.asarray(self._spread(variables, body, scope).sum(axis=_last(variables)))
            case Exists(variables=variables, body=body):
                return np.asarray(self.of(body, (*scope, *variables)).any(axis=_last(variables)))
            case Fold(name=name, variable=variable, body=body):
                return self._fold(name, variable, body, scope)
            case Apply():
                return self._applied(term, scope)

    def _variable(self, variable: Var, scope: Scope) -> Array:
        shape = [1] * (1 + len(scope))
        if variable in self.given:
            shape[0] = -1
            return self.given[variable].reshape(shape)
        shape[1 + scope.index(variable)] = -1
        return _domain(variable).reshape(shape)

    def _spread(self, variables: tuple[Var, ...], body: Term, scope: Scope) -> Array:
        """The body for all values of the variables, even of those that do not matter to it."""
        inner = self.of(body, (*scope, *variables))
        outer = inner.shape[: 1 + len(scope)]
        return np.broadcast_to(inner, (*outer, *(len(_domain(v)) for v in variables)))

    def _fold(self, name: str, variable: Var, body: Term, scope: Scope) -> Array:
        if name not in ("min", "max"):
            raise NoMeaning(name)
        there = self._spread((variable,), body, scope) > 0
        nothing = HIGH + 1 if name == "min" else LOW - 1
        values = np.where(there, _domain(variable), nothing)
        found: Array = values.min(axis=-1) if name == "min" else values.max(axis=-1)
        return np.where(there.any(axis=-1), found, 0)

    def _applied(self, term: Apply, scope: Scope) -> Array:
        parts = [self.of(part, scope) for part in term.arguments]
        if np.prod([max(sizes) for sizes in zip(*(p.shape for p in parts), strict=True)] or [1]) > LARGEST_ARRAY:
            raise NoMeaning("too many variables")
        match term.head:
            case "null":
                return np.full((1,) * (1 + len(scope)), NULL)
            case Symbol(kind="stream", name=name):
                return self._times(self.streams[name.removeprefix("stream ")], *parts)
            case Symbol(kind="order") if len(parts) == 2:
                return np.less(*parts)
            case str(head) if head in VARIADIC_OPERATIONS:
                return _together(VARIADIC_OPERATIONS[head], parts)
            case str(head) if head in OPERATIONS:
                return OPERATIONS[head](*parts)
            case head:
                raise NoMeaning(str(head))

    def _times(self, stream: Array, value: Array, time: Array) -> Array:
        """How often a value is in the stream; never, outside of the small world."""
        value, time = np.broadcast_arrays(value, time)
        points = np.arange(len(stream)).reshape(-1, *([1] * (value.ndim - 1)))
        places = np.where(value == NULL, 0, np.where(value < LOW, -1, value - LOW + 1))
        inside = (places >= 0) & (places < stream.shape[1]) & (time >= 0) & (time < stream.shape[2])
        return np.where(inside, stream[points, np.where(inside, places, 0), np.where(inside, time, 0)], 0)


def _together(operation: np.ufunc, parts: list[Array]) -> Array:
    result = parts[0]
    for part in parts[1:]:
        result = operation(result, part)
    return result


def _plain(value: object, sort: SmtSort) -> object:
    if sort not in DOMAINS:
        raise NoMeaning(sort.value)
    return value


def _domain(variable: Var) -> Array:
    if variable.sort not in DOMAINS:
        raise NoMeaning(variable.sort.value)
    return DOMAINS[variable.sort]


def _last(variables: tuple[Var, ...]) -> tuple[int, ...]:
    return tuple(range(-len(variables), 0))
