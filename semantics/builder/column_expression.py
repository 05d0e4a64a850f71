"""What people type inside a query: columns, constants, operators on them, and aggregates.

A term knows names only; it becomes a typed expression where a query says which columns there are. Comparisons
on terms are overloaded, those on expressions are not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from semantics import aggregate as agg
from semantics import expression as expr
from semantics.errors import TypeMismatch
from semantics.expression import Expression
from semantics.schema import as_type
from semantics.scope import LEFT, RIGHT, Scope
from semantics.value import NULL, Type, Value, type_of


@dataclass(frozen=True, eq=False, slots=True)
class Term:
    """An expression to be, once the columns are known.

    >>> from semantics import Schema, show_expression
    >>> scope = Scope(Schema.of(price=float, item=int))
    >>> show_expression(((col("price") * 2 > 10) & ~col("item").is_null()).resolve(scope), scope)
    'price * 2 > 10 and not item is null'
    """

    resolve: Callable[[Scope], Expression]

    def __add__(self, other: "Term | Value") -> "Term":
        return _arithmetic("+", self, other)

    def __sub__(self, other: "Term | Value") -> "Term":
        return _arithmetic("-", self, other)

    def __mul__(self, other: "Term | Value") -> "Term":
        return _arithmetic("*", self, other)

    def __truediv__(self, other: "Term | Value") -> "Term":
        return _arithmetic("/", self, other)

    def __mod__(self, other: "Term | Value") -> "Term":
        """SQL's MOD: the sign is the dividend's, unlike Python's %."""
        return _arithmetic("MOD", self, other)

    def __radd__(self, other: Value) -> "Term":
        return _arithmetic("+", other, self)

    def __rsub__(self, other: Value) -> "Term":
        return _arithmetic("-", other, self)

    def __rmul__(self, other: Value) -> "Term":
        return _arithmetic("*", other, self)

    def __rtruediv__(self, other: Value) -> "Term":
        return _arithmetic("/", other, self)

    def __rmod__(self, other: Value) -> "Term":
        return _arithmetic("MOD", other, self)

    def __neg__(self) -> "Term":
        return Term(lambda scope: expr.Negation(self.resolve(scope)))

    def __eq__(self, other: "Term | Value") -> "Term":  # type: ignore[override]  # a comparison, not an answer
        return _comparison("=", self, other)

    def __ne__(self, other: "Term | Value") -> "Term":  # type: ignore[override]  # a comparison, not an answer
        return _comparison("<>", self, other)

    def __lt__(self, other: "Term | Value") -> "Term":
        return _comparison("<", self, other)

    def __le__(self, other: "Term | Value") -> "Term":
        return _comparison("<=", self, other)

    def __gt__(self, other: "Term | Value") -> "Term":
        return _comparison(">", self, other)

    def __ge__(self, other: "Term | Value") -> "Term":
        return _comparison(">=", self, other)

    def __and__(self, other: "Term | Value") -> "Term":
        return Term(lambda scope: expr.And(self.resolve(scope), term(other).resolve(scope)))

    def __or__(self, other: "Term | Value") -> "Term":
        return Term(lambda scope: expr.Or(self.resolve(scope), term(other).resolve(scope)))

    def __invert__(self) -> "Term":
        return Term(lambda scope: expr.Not(self.resolve(scope)))

    def __bool__(self) -> NoReturn:
        raise TypeMismatch("a term has no truth value: write & | ~ instead of and or not, and ( ) around comparisons")

    def is_null(self) -> "Term":
        return Term(lambda scope: expr.IsNull(self.resolve(scope)))

    def is_distinct_from(self, other: "Term | Value") -> "Term":
        return Term(lambda scope: expr.IsDistinct(*_operands(self, other, scope)))

    def is_in(self, *options: "Term | Value") -> "Term":
        def resolve(scope: Scope) -> Expression:
            operand = self.resolve(scope)
            return expr.In(operand, tuple(_typed(option, scope, operand.type) for option in options))

        return Term(resolve)

    def between(self, low: "Term | Value", high: "Term | Value") -> "Term":
        return (self >= low) & (self <= high)

    def like(self, pattern: "Term | str", escape: str | None = None) -> "Term":
        return Term(lambda scope: expr.Like(self.resolve(scope), term(pattern).resolve(scope), escape))


def col(name: str) -> Term:
    """The column with this name."""
    return Term(lambda scope: scope.find(name))


def left(name: str) -> Term:
    """The left input's column with this name, where both inputs have one."""
    return Term(lambda scope: scope.find(name, LEFT))


def right(name: str) -> Term:
    """The right input's column with this name, where both inputs have one."""
    return Term(lambda scope: scope.find(name, RIGHT))


def lit(value: Value) -> Term:
    """A constant; NULL takes a type, so it is `null(int)` and not `lit(None)`."""
    type_ = type_of(value)
    if type_ is None:
        raise TypeMismatch(f"lit: value must be an int, float, bool or str (NULL is null(type)), got {value!r}")
    return Term(lambda _: expr.Constant(value, type_))


def null(type_: Type | type) -> Term:
    """NULL of this type."""
    return Term(lambda _: expr.Constant(NULL, as_type(type_, "null")))


def case(*branches: "tuple[Term, Term | Value]", default: "Term | Value" = NULL) -> Term:
    """The result of the first (condition, result) whose condition is TRUE, else the default.

    >>> from semantics import source
    >>> sign = case((col("x") < 0, -1), (col("x") > 0, 1), default=0)
    >>> source("S", x=int).select(sign=sign).schema.types
    (INT,)
    """

    if not all(isinstance(branch, tuple) and len(branch) == 2 for branch in branches):
        raise TypeMismatch(f"case: expected pairs (condition, result), got {branches!r}")

    def resolve(scope: Scope) -> Expression:
        conditions = [term(condition).resolve(scope) for condition, _ in branches]
        *results, otherwise = _same_type([*(result for _, result in branches), default], scope)
        return expr.Case(tuple(zip(conditions, results, strict=True)), otherwise)

    return Term(resolve)


def coalesce(*operands: "Term | Value") -> Term:
    """The first operand that is not NULL."""
    return Term(lambda scope: expr.Coalesce(tuple(_same_type(list(operands), scope))))


def call(function: expr.ScalarFunction, *arguments: "Term | Value") -> Term:
    """A user-defined function of these arguments."""
    return Term(lambda scope: expr.Call(function, tuple(term(argument).resolve(scope) for argument in arguments)))


def term(value: "Term | Value") -> Term:
    """A term as it is, a plain value as a constant."""
    return value if isinstance(value, Term) else lit(value)


def _arithmetic(symbol: expr.ArithmeticSymbol, left: "Term | Value", right: "Term | Value") -> Term:
    return Term(lambda scope: expr.Arithmetic(symbol, *_operands(left, right, scope)))


def _comparison(symbol: expr.ComparisonSymbol, left: "Term | Value", right: "Term | Value") -> Term:
    return Term(lambda scope: expr.Comparison(symbol, *_operands(left, right, scope)))


def _operands(left: "Term | Value", right: "Term | Value", scope: Scope) -> tuple[Expression, Expression]:
    first, second = _same_type([left, right], scope)
    return first, second


def _same_type(values: "list[Term | Value]", scope: Scope) -> list[Expression]:
    """All as expressions; a plain None takes its type from the first of the others."""
    known = [term(value).resolve(scope) for value in values if value is not NULL]
    if not known:
        raise TypeMismatch("NULL alone has no type here: write null(type) for one of them")
    return [_typed(value, scope, known[0].type) for value in values]


def _typed(value: "Term | Value", scope: Scope, type_: Type) -> Expression:
    return expr.Constant(NULL, type_) if value is NULL else term(value).resolve(scope)


@dataclass(frozen=True, slots=True)
class AggregateTerm:
    """Aggregates to be, once the columns are known; most are one, top is several."""

    resolve: Callable[[Scope], tuple[agg.Aggregate, ...]]


def count(argument: "Term | str | None" = None) -> AggregateTerm:
    """COUNT(*) without an argument, else the number of values that are not NULL."""
    if argument is None:
        return AggregateTerm(lambda _: (agg.CountRows(),))
    return _aggregate(agg.Count, argument)


def count_distinct(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.CountDistinct, argument)


def sum_(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.Sum, argument)


def avg(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.Avg, argument)


def min_(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.Min, argument)


def max_(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.Max, argument)


def var_pop(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.VarPop, argument)


def stddev_pop(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.StddevPop, argument)


def median(argument: "Term | str") -> AggregateTerm:
    return _aggregate(agg.Median, argument)


def top(argument: "Term | str", k: int) -> AggregateTerm:
    """TOP-K: the k largest values, one column each, NULL where there are fewer."""
    if type(k) is not int or k < 1:
        raise TypeMismatch(f"top: k must be an integer ≥ 1, got {k!r}")
    of = _column(argument)
    return AggregateTerm(lambda scope: tuple(agg.Largest(of.resolve(scope), rank) for rank in range(1, k + 1)))


def aggregated(function: agg.AggregateFunction, argument: "Term | str") -> AggregateTerm:
    """A user-defined aggregate of this argument."""
    return _aggregate(lambda expression: agg.UserDefined(function, expression), argument)


def _aggregate(make: Callable[[Expression], agg.Aggregate], argument: "Term | str") -> AggregateTerm:
    of = _column(argument)
    return AggregateTerm(lambda scope: (make(of.resolve(scope)),))


def _column(argument: "Term | str") -> Term:
    """Where a column is meant, its bare name will do."""
    if not isinstance(argument, Term | str):
        raise TypeMismatch(f"aggregate: expected a column's name or a term, got {argument!r}")
    return col(argument) if isinstance(argument, str) else argument
