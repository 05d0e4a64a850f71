"""Schemes: plans in which streams, predicate, function and window sizes are open."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from semantics import ColumnExpression, Query, SchemaError

LEAVES: Final = "AB"
UNARY: Final = ("σ", "μ", "δ", "ω1", "ωv", "ωw", "ωv+w−1")
BINARY: Final = ("∪", "−", "×")


@dataclass(frozen=True)
class Scheme:
    """An operator over schemes; without any it is a stream."""

    symbol: str
    below: tuple["Scheme", ...] = ()

    def __str__(self) -> str:
        if not self.below:
            return self.symbol
        if len(self.below) == 1:
            return f"{self.symbol}({self.below[0]})"
        return f"({f' {self.symbol} '.join(map(str, self.below))})"

    @cached_property
    def size(self) -> int:
        return bool(self.below) + sum(scheme.size for scheme in self.below)

    @cached_property
    def symbols(self) -> frozenset[str]:
        return frozenset({self.symbol}).union(*(scheme.symbols for scheme in self.below))

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        return tuple(leaf for scheme in self.below for leaf in scheme.leaves) if self.below else (self.symbol,)

    @cached_property
    def parts(self) -> tuple[str, tuple["Scheme", ...]]:
        """The operator and what is below it, with the size of a window as a part of its own."""
        if self.below and self.symbol.startswith("ω"):
            return "ω", (Scheme(self.symbol), *self.below)
        return self.symbol, self.below

    @cached_property
    def width(self) -> int | None:
        """How many columns it has; None where operators do not fit together."""
        below = [scheme.width for scheme in self.below]
        if None in below:
            return None
        match self.symbol:
            case "σ" | "μ":
                return 1 if below == [1] else None
            case "∪" | "−":
                return below[0] if below[0] == below[1] else None
            case "×":
                return sum(w for w in below if w is not None)
            case _:
                return below[0] if below else 1


@dataclass(frozen=True)
class SchemeFilling:
    """What is put into the open places."""

    streams: Mapping[str, Query]
    predicate: ColumnExpression
    function: ColumnExpression
    v: int
    w: int

    def query(self, scheme: Scheme) -> Query:
        """The plan; a SchemaError where operators do not fit together."""
        if not scheme.below:
            return self.streams[scheme.symbol]
        return self._operators()[scheme.symbol](*map(self.query, scheme.below))

    def _operators(self) -> dict[str, Callable[..., Query]]:
        return {
            "σ": lambda q: one_column(q).filter(self.predicate),
            "μ": lambda q: one_column(q).select(x=self.function),
            "δ": Query.distinct,
            "ω1": lambda q: q.window(1),
            "ωv": lambda q: q.window(self.v),
            "ωw": lambda q: q.window(self.w),
            "ωv+w−1": lambda q: q.window(self.v + self.w - 1),
            "∪": Query.union,
            "−": Query.difference,
            "×": lambda left, right: beside(left, right),
        }


def one_column(query: Query) -> Query:
    """Predicate and function are about the one column of a stream."""
    if query.schema.names != ("x",):
        raise SchemaError("the predicate and the function are over one column")
    return query


def beside(left: Query, right: Query) -> Query:
    """A product, whose columns are named anew."""
    wide = len(left.schema) + len(right.schema)
    names = [f"x{i}" for i in range(wide)]
    old = [*left.schema.names], [*right.schema.names]
    return left.rename(**dict(zip(old[0], names, strict=False))).product(
        right.rename(**dict(zip(old[1], names[len(old[0]) :], strict=True)))
    )


def schemes(operators: int) -> Iterator[Scheme]:
    """All schemes with exactly this many operators; and with two, some larger ones of interest."""
    if operators == 0:
        yield from map(Scheme, LEAVES)
        return
    for below in schemes(operators - 1):
        yield from (Scheme(symbol, (below,)) for symbol in UNARY)
    for left in range(operators):
        for pair in product([*schemes(left)], [*schemes(operators - 1 - left)]):
            yield from (Scheme(symbol, pair) for symbol in BINARY)
    if operators == 2:
        yield from _with_three_streams()
        yield from _alike_on_both_sides()
        yield from _without_duplicates()


def _with_three_streams() -> Iterator[Scheme]:
    a, b, c = map(Scheme, "ABC")
    for one, other in product(BINARY, BINARY):
        yield Scheme(one, (Scheme(other, (a, b)), c))
        yield Scheme(one, (a, Scheme(other, (b, c))))
        yield Scheme(one, (Scheme(other, (a, c)), b))


def _alike_on_both_sides() -> Iterator[Scheme]:
    """What becomes of an operator that goes through a binary one."""
    a, b = map(Scheme, LEAVES)
    for symbol, inner in product(BINARY, UNARY):
        yield Scheme(symbol, (Scheme(inner, (a,)), Scheme(inner, (b,))))


def _without_duplicates() -> Iterator[Scheme]:
    """Windows of windows as sets."""
    for one, other in product(UNARY, UNARY):
        if one.startswith("ω") and other.startswith("ω"):
            yield Scheme("δ", (Scheme(one, (Scheme(other, (Scheme("A"),)),)),))
