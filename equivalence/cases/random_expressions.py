"""Well-typed expressions over the columns of a scope, generated from the root down."""

from collections.abc import Callable
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_rows import TYPES, choose_value
from semantics import Expression, ScalarFunction, Scope, Type
from semantics import expression as expr

SHORTEN: Final = ScalarFunction("shorten", (Type.STR, Type.INT), Type.STR, lambda text, n: text[: max(n, 0)])
HALVE: Final = ScalarFunction("halve", (Type.FLOAT,), Type.FLOAT, lambda number: number / 2)
TWICE: Final = ScalarFunction("twice", (Type.INT,), Type.INT, lambda number: number * 2)
EVEN: Final = ScalarFunction("even", (Type.INT,), Type.BOOL, lambda number: number % 2 == 0)
SCALAR_FUNCTIONS: Final = {function.name: function for function in (SHORTEN, HALVE, TWICE, EVEN)}

_NUMERIC: Final = (Type.INT, Type.FLOAT)
COMPARISONS: Final[tuple[expr.ComparisonSymbol, ...]] = ("=", "<>", "<", "<=", ">", ">=")
_ARITHMETIC: Final[tuple[expr.ArithmeticSymbol, ...]] = ("+", "-", "*", "MOD")
_ESCAPES: Final = (None, "x")
_NEAR_PATTERNS: Final = ("A", "A%", "%B", "_", "a_", "%a")


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

    def of(self, type_: Type, depth: int) -> Expression:
        """An expression nested at most this deep; leaves are the smallest choices, so that examples shrink to them."""
        nodes = _NODES[type_]
        chosen = self.choices.below(len(nodes) + 2) if depth else 0
        return self.leaf(type_) if chosen < 2 else nodes[chosen - 2](self, type_, depth - 1)

    def some(self, type_: Type, depth: int, at_most: int) -> tuple[Expression, ...]:
        return tuple(self.of(type_, depth) for _ in range(self.choices.between(1, at_most)))

    def leaf(self, type_: Type) -> Expression:
        columns = [expr.Ref(i, t) for i, t in enumerate(self.scope.types) if t is type_]
        if columns and self.choices.below(4) < 3:
            return self.choices.of(columns)
        return expr.Constant(choose_value(self.choices, type_, self.awkward), type_)

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
        return expr.Comparison(self.choices.of(COMPARISONS), self.of(Type.INT, depth), self.of(Type.FLOAT, depth))

    def conjunction(self, _: Type, depth: int) -> Expression:
        return expr.And(self.of(Type.BOOL, depth), self.of(Type.BOOL, depth))

    def disjunction(self, _: Type, depth: int) -> Expression:
        return expr.Or(self.of(Type.BOOL, depth), self.of(Type.BOOL, depth))

    def inversion(self, _: Type, depth: int) -> Expression:
        return expr.Not(self.of(Type.BOOL, depth))

    def is_null(self, _: Type, depth: int) -> Expression:
        return expr.IsNull(self.of(self.choices.of(TYPES), depth))

    def is_distinct(self, _: Type, depth: int) -> Expression:
        return expr.IsDistinct(*self.pair(depth))

    def membership(self, _: Type, depth: int) -> Expression:
        type_ = self.choices.of(TYPES)
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
        type_ = self.choices.of(TYPES)
        return self.of(type_, depth), self.of(type_, depth)


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
