"""Terms of the kernel: first-order, with three binders: finite sums, folds of multisets, and existence.

Terms are immutable and share subterms, so hashes and facts about them are computed once and stored with them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import wraps
from typing import Any, ClassVar, Final, Literal, TypeVar


class SmtSort(Enum):
    """Integers, truth values, reals as an order into which all other values embed; and each of these with NULL."""

    __hash__ = object.__hash__  # there is one object of each, and terms are hashed all the time

    INT = "Int"
    BOOL = "Bool"
    REAL = "Real"
    INT_OR_NULL = "NullableInt"
    BOOL_OR_NULL = "NullableBool"
    REAL_OR_NULL = "NullableReal"

    @property
    def plain(self) -> "SmtSort":
        """The same sort without NULL."""
        return _PLAIN.get(self, self)

    @property
    def nullable(self) -> "SmtSort":
        return next((n for n, plain in _PLAIN.items() if plain is self), self)


_PLAIN: Final = {
    SmtSort.INT_OR_NULL: SmtSort.INT,
    SmtSort.BOOL_OR_NULL: SmtSort.BOOL,
    SmtSort.REAL_OR_NULL: SmtSort.REAL,
}


def _hashed_once(self: Any) -> int:
    """Terms share subterms many times over: each is hashed once."""
    values = self.__dict__
    try:
        return values["_hash"]  # type: ignore[no-any-return]
    except KeyError:
        parts = [values[name] for name in self.__match_args__]
        values["_hash"] = known = hash((type(self).__name__, *parts))
        return known


@dataclass(frozen=True)
class Var:
    name: str
    sort: SmtSort
    __hash__ = _hashed_once


@dataclass(frozen=True)
class ConstantTerm:
    value: int | bool | Fraction
    sort: SmtSort
    __hash__ = _hashed_once


@dataclass(frozen=True)
class Symbol:
    """A function of which nothing is known, or a stream, or the order of rows.

    A stream gives natural numbers, none of them before time 0; the order takes one row and then another.
    """

    name: str
    parameters: tuple[SmtSort, ...]
    result: SmtSort
    kind: Literal["free", "stream", "order"] = "free"
    present: tuple[int, ...] = ()
    """The columns of a stream that are never NULL."""
    __hash__ = _hashed_once


@dataclass(frozen=True)
class Apply:
    """A built-in operation, by its name, or a free function, applied to arguments."""

    head: str | Symbol
    arguments: tuple["Term", ...]
    sort: SmtSort
    __hash__ = _hashed_once


@dataclass(frozen=True)
class SumTerm:
    """Σ over all values of the variables; the body is 0 for all but finitely many of them."""

    variables: tuple[Var, ...]
    body: "Term"
    sort: ClassVar[SmtSort] = SmtSort.INT
    __hash__ = _hashed_once


@dataclass(frozen=True)
class Fold:
    """A function known by name alone, of the multiset that holds each value of the variable `body` times."""

    name: str
    variable: Var
    body: "Term"
    sort: SmtSort
    __hash__ = _hashed_once


@dataclass(frozen=True)
class Exists:
    variables: tuple[Var, ...]
    body: "Term"
    sort: ClassVar[SmtSort] = SmtSort.BOOL
    __hash__ = _hashed_once


Term = Var | ConstantTerm | Apply | SumTerm | Fold | Exists
Renaming = Mapping[Var, Term]
T = TypeVar("T")

TRUE: Final = ConstantTerm(True, SmtSort.BOOL)
FALSE: Final = ConstantTerm(False, SmtSort.BOOL)
ROW_OF_A_KEY: Final = "there "
"""How the symbols begin that say whether there is a row with a key."""
_NO_VARIABLES: Final[frozenset[Var]] = frozenset()


class Fresh:
    """Names that were not used before."""

    def __init__(self) -> None:
        self._used = 0

    def var(self, hint: str, sort: SmtSort) -> Var:
        self._used += 1
        return Var(f"{hint.split('.')[0]}.{self._used}", sort)

    def like(self, variables: Iterable[Var]) -> dict[Var, Term]:
        """A fresh variable for each of these."""
        return {v: self.var(v.name, v.sort) for v in variables}


def subterms(term: Term) -> tuple[Term, ...]:
    match term:
        case Apply():
            return term.arguments
        case Var() | ConstantTerm():
            return ()
        case _:
            return (term.body,)


def bound(term: Term) -> tuple[Var, ...]:
    """The variables that a term binds in its body."""
    match term:
        case SumTerm(variables=variables) | Exists(variables=variables):
            return variables
        case Fold(variable=variable):
            return (variable,)
        case _:
            return ()


def cached_on_term(fact: Callable[[Term], T]) -> Callable[[Term], T]:
    """The same fact, computed once for each term and stored with it: it lives as long as the term does."""
    name = f"_{fact.__name__}"

    @wraps(fact)
    def found(term: Term) -> T:
        facts: dict[str, Any] = term.__dict__
        try:
            return facts[name]  # type: ignore[no-any-return]
        except KeyError:
            facts[name] = new = fact(term)
            return new

    return found


@cached_on_term
def free(term: Term) -> frozenset[Var]:
    """The variables that are free in a term. Never iterate over them unsorted."""
    if isinstance(term, Var):
        return frozenset([term])
    inner = _NO_VARIABLES.union(*map(free, subterms(term)))
    return inner if isinstance(term, Apply) else inner.difference(bound(term))


def mentions(term: Term, variables: Iterable[Var]) -> bool:
    return not free(term).isdisjoint(variables)
