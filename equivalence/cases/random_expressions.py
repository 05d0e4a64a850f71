"""Well-typed expressions over the columns of a scope, generated from the root down."""

from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_rows import TYPES, choose_value
from semantics import Expression, ScalarFunction, Scope, Type, Value, decimal
from semantics import expression as expr
from semantics.casts import can_always_be_cast, castable

SHORTEN: Final = ScalarFunction("shorten", (Type.STR, Type.INT), Type.STR, lambda text, n: text[: max(n, 0)])
HALVE: Final = ScalarFunction("halve", (Type.FLOAT,), Type.FLOAT, lambda number: number / 2)
TWICE: Final = ScalarFunction("twice", (Type.INT,), Type.INT, lambda number: number * 2)
EVEN: Final = ScalarFunction("even", (Type.INT,), Type.BOOL, lambda number: number % 2 == 0)
SCALAR_FUNCTIONS: Final = {function.name: function for function in (SHORTEN, HALVE, TWICE, EVEN)}

_NUMERIC: Final = (Type.INT, Type.FLOAT)
COMPARISONS: Final[tuple[expr.ComparisonSymbol, ...]] = ("=", "<>", "<", "<=", ">", ">=")
_ARITHMETIC: Final[tuple[expr.ArithmeticSymbol, ...]] = ("+", "-", "*", "MOD")
_ESCAPES: Final = (None, "x")
_NEAR_PATTERNS: Final = ("A", "A%", "%B", "_", "a_", "%a", "%_", "a%b", "%")


class ExpressionGenerator:
    """Generates expressions of a given type over the columns of a scope."""

    most_branches = 2
    """Of CASE."""
    most_operands = 2
    """Of COALESCE."""
    most_options = 3
    """Of IN."""

    def __init__(self, choices: Choices, scope: Scope, awkward: bool) -> None:
        self.choices = choices
        self.scope = scope
        self.awkward = awkward
        new = [type_ for type_ in dict.fromkeys(scope.types) if type_ not in TYPES]
        self.types = (*new, *new, *TYPES)
        """What is compared: types that not every engine knows only where columns have them, and there more often."""

    def of(self, type_: Type, depth: int) -> Expression:
        """An expression nested at most this deep; leaves are the smallest choices, so that examples shrink to them."""
        nodes = _NODES.get(type_) or typed_nodes(type_)
        chosen = self.choices.below(len(nodes) + 2) if depth else 0
        return self.leaf(type_) if chosen < 2 else nodes[chosen - 2](self, type_, depth - 1)

    def some(self, type_: Type, depth: int, at_most: int) -> tuple[Expression, ...]:
        return tuple(self.of(type_, depth) for _ in range(self.choices.between(1, at_most)))

    def leaf(self, type_: Type) -> Expression:
        columns = [expr.Ref(i, t) for i, t in enumerate(self.scope.types) if t is type_]
        if columns and self.choices.below(4) < 3:
            return self.choices.of(columns)
        return expr.Constant(self.constant(type_), type_)

    def constant(self, type_: Type) -> Value:
        return choose_value(self.choices, type_, self.awkward)

    def case(self, type_: Type, depth: int) -> Expression:
        branches = range(self.choices.between(1, self.most_branches))
        pairs = tuple((self.of(Type.BOOL, depth), self.of(type_, depth)) for _ in branches)
        return expr.Case(pairs, self.of(type_, depth))

    def coalesce(self, type_: Type, depth: int) -> Expression:
        return expr.Coalesce(self.some(type_, depth, at_most=self.most_operands))

    def arithmetic(self, type_: Type, depth: int) -> Expression:
        return expr.Arithmetic(self.choices.of(_ARITHMETIC), self.of(type_, depth), self.of(type_, depth))

    def negation(self, type_: Type, depth: int) -> Expression:
        return expr.Negation(self.of(type_, depth))

    def twice(self, _: Type, depth: int) -> Expression:
        return expr.Call(TWICE, (self.of(Type.INT, depth),))

    def quotient(self, _: Type, depth: int) -> Expression:
        return expr.Arithmetic("/", self.number(depth), self.number(depth))

    def mixed(self, _: Type, depth: int) -> Expression:
        return expr.Arithmetic(self.choices.of(_ARITHMETIC), self.of(Type.INT, depth), self.of(Type.FLOAT, depth))

    def halve(self, _: Type, depth: int) -> Expression:
        return expr.Call(HALVE, (self.number(depth),))

    def number(self, depth: int) -> Expression:
        return self.of(self.choices.of(_NUMERIC), depth)

    def shorten(self, _: Type, depth: int) -> Expression:
        return expr.Call(SHORTEN, (self.of(Type.STR, depth), self.of(Type.INT, depth)))

    def comparison(self, _: Type, depth: int) -> Expression:
        return expr.Comparison(self.choices.of(COMPARISONS), *self.pair(depth))

    def mixed_comparison(self, _: Type, depth: int) -> Expression:
        left, right = self.choices.of(mixed_types(self.scope.types))
        return expr.Comparison(self.choices.of(COMPARISONS), self.of(left, depth), self.of(right, depth))

    def conjunction(self, _: Type, depth: int) -> Expression:
        return expr.And(self.of(Type.BOOL, depth), self.of(Type.BOOL, depth))

    def disjunction(self, _: Type, depth: int) -> Expression:
        return expr.Or(self.of(Type.BOOL, depth), self.of(Type.BOOL, depth))

    def inversion(self, _: Type, depth: int) -> Expression:
        return expr.Not(self.of(Type.BOOL, depth))

    def is_null(self, _: Type, depth: int) -> Expression:
        return expr.IsNull(self.of(self.choices.of(self.types), depth))

    def is_distinct(self, _: Type, depth: int) -> Expression:
        return expr.IsDistinct(*self.pair(depth))

    def membership(self, _: Type, depth: int) -> Expression:
        type_ = self.choices.of(self.types)
        return expr.In(self.of(type_, depth), self.some(type_, depth, at_most=self.most_options))

    def like(self, _: Type, depth: int) -> Expression:
        escape = self.choices.of(_ESCAPES)
        return expr.Like(self.of(Type.STR, depth), self.pattern(depth), escape)

    def pattern(self, depth: int) -> Expression:
        """Any string, or one that is nearly a match of the common ones: in another case, or with a place too many."""
        near = self.choices.chance(1, 2)
        return expr.Constant(self.choices.of(_NEAR_PATTERNS), Type.STR) if near else self.of(Type.STR, depth)

    def even(self, _: Type, depth: int) -> Expression:
        return expr.Call(EVEN, (self.of(Type.INT, depth),))

    def pair(self, depth: int) -> tuple[Expression, Expression]:
        type_ = self.choices.of(self.types)
        return self.of(type_, depth), self.of(type_, depth)

    def typed_arithmetic(self, type_: Type, depth: int) -> Expression:
        """A sum, difference or product that has this type, or is cast to it."""
        symbol, left, right = self.choices.of(OPERATIONS[type_] if type_ in OPERATIONS else _of_decimals(type_))
        made = expr.Arithmetic(symbol, self.of(left, depth), self.of(right, depth))
        return made if made.type is type_ else expr.Cast(made, type_, safe=True)

    def cast(self, type_: Type, depth: int) -> Expression:
        """Something else as this type; mostly NULL where that fails, since errors end a case."""
        sources = [t for t in (*self.types, Type.TIMESTAMP, Type.DATE) if t is not type_ and castable(t, type_)]
        source = self.choices.of(sources or [type_])
        always = can_always_be_cast(source, type_)
        return expr.Cast(self.of(source, depth), type_, safe=not always or self.choices.chance(1, 4))


@cache
def mixed_types(types: tuple[Type, ...]) -> tuple[tuple[Type, Type], ...]:
    """Pairs of different types that can be compared, where columns have these types."""
    decimals = [type_ for type_ in dict.fromkeys(types) if type_.is_decimal]
    numbers = [Type.INT, Type.FLOAT, *decimals, *([decimal(8, 4)] if decimals else [])]
    pairs = [pair for pair in permutations(numbers, 2) if any(type_ in decimals for type_ in pair)]
    times = {Type.DATE, Type.TIMESTAMP} & set(types)
    points = list(permutations((Type.DATE, Type.TIMESTAMP), 2)) if times else []
    return ((Type.INT, Type.FLOAT), *pairs, *points)


OPERATIONS: Final[dict[Type, tuple[tuple[expr.ArithmeticSymbol, Type, Type], ...]]] = {
    Type.TIMESTAMP: (
        ("+", Type.TIMESTAMP, Type.DAY_INTERVAL),
        ("-", Type.TIMESTAMP, Type.DAY_INTERVAL),
        ("+", Type.TIMESTAMP, Type.MONTH_INTERVAL),
        ("-", Type.TIMESTAMP, Type.MONTH_INTERVAL),
    ),
    Type.DATE: (("+", Type.DATE, Type.MONTH_INTERVAL), ("-", Type.DATE, Type.MONTH_INTERVAL)),
    Type.TIME: (("+", Type.TIME, Type.DAY_INTERVAL), ("-", Type.TIME, Type.DAY_INTERVAL)),
    Type.DAY_INTERVAL: (
        ("-", Type.TIMESTAMP, Type.TIMESTAMP),
        ("-", Type.DATE, Type.TIMESTAMP),
        ("+", Type.DAY_INTERVAL, Type.DAY_INTERVAL),
        ("*", Type.DAY_INTERVAL, Type.INT),
        ("/", Type.DAY_INTERVAL, Type.INT),
    ),
    Type.MONTH_INTERVAL: (
        ("-", Type.MONTH_INTERVAL, Type.MONTH_INTERVAL),
        ("*", Type.INT, Type.MONTH_INTERVAL),
        ("/", Type.MONTH_INTERVAL, Type.INT),
    ),
}
"""What has a type as its result."""


def _of_decimals(type_: Type) -> tuple[tuple[expr.ArithmeticSymbol, Type, Type], ...]:
    """Arithmetic with a decimal: the result has other digits, so that it is cast."""
    alike: tuple[expr.ArithmeticSymbol, ...] = ("+", "*", "MOD")
    mixed: tuple[expr.ArithmeticSymbol, ...] = ("-", "/")
    return (*((symbol, type_, type_) for symbol in alike), *((symbol, type_, Type.INT) for symbol in mixed))


def typed_nodes(type_: Type) -> "list[Draw]":
    """What an expression of a type that not every engine knows may be."""
    if type_.is_nested:
        return _ANYWHERE
    return [ExpressionGenerator.typed_arithmetic, ExpressionGenerator.cast, *_ANYWHERE]


Draw = Callable[[ExpressionGenerator, Type, int], Expression]
_ANYWHERE: Final[list[Draw]] = [ExpressionGenerator.case, ExpressionGenerator.coalesce]
_NODES: Final[dict[Type, list[Draw]]] = {
    Type.INT: [ExpressionGenerator.arithmetic, ExpressionGenerator.negation, ExpressionGenerator.twice, *_ANYWHERE],
    Type.FLOAT: [
        ExpressionGenerator.arithmetic,
        ExpressionGenerator.negation,
        ExpressionGenerator.quotient,
        ExpressionGenerator.mixed,
        ExpressionGenerator.halve,
        *_ANYWHERE,
    ],
    Type.STR: [ExpressionGenerator.shorten, *_ANYWHERE],
    Type.BOOL: [
        ExpressionGenerator.comparison,
        ExpressionGenerator.comparison,
        ExpressionGenerator.mixed_comparison,
        ExpressionGenerator.conjunction,
        ExpressionGenerator.disjunction,
        ExpressionGenerator.inversion,
        ExpressionGenerator.is_null,
        ExpressionGenerator.is_distinct,
        ExpressionGenerator.membership,
        ExpressionGenerator.like,
        ExpressionGenerator.even,
        *_ANYWHERE,
    ],
}
