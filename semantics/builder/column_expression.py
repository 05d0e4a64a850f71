"""What people type inside a query: columns, constants and operators on them.

A column expression knows only the names of columns. It becomes a typed `Expression` once a query says which columns
there are. Comparisons of column expressions are overloaded (they build a comparison), those of `Expression` are not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from semantics import expression as expr
from semantics.errors import TypeMismatch
from semantics.expression import Expression
from semantics.schema import as_type
from semantics.scope import LEFT, RIGHT, Scope
from semantics.value import NULL, Type, Value, type_of


@dataclass(frozen=True, eq=False, slots=True)
class ColumnExpression:
    """An expression over named columns, typed once the columns are known.

    >>> from semantics import Schema, show_expression
    >>> scope = Scope(Schema.of(price=float, item=int))
    >>> show_expression(((col("price") * 2 > 10) & ~col("item").is_null()).resolve(scope), scope)
    'price * 2 > 10 and not item is null'
    """

    resolve: Callable[[Scope], Expression]

    def __add__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _arithmetic("+", self, other)

    def __sub__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _arithmetic("-", self, other)

    def __mul__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _arithmetic("*", self, other)

    def __truediv__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _arithmetic("/", self, other)

    def __mod__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        """SQL's MOD: the sign is the dividend's, unlike Python's %."""
        return _arithmetic("MOD", self, other)

    def __radd__(self, other: Value) -> "ColumnExpression":
        return _arithmetic("+", other, self)

    def __rsub__(self, other: Value) -> "ColumnExpression":
        return _arithmetic("-", other, self)

    def __rmul__(self, other: Value) -> "ColumnExpression":
        return _arithmetic("*", other, self)

    def __rtruediv__(self, other: Value) -> "ColumnExpression":
        return _arithmetic("/", other, self)

    def __rmod__(self, other: Value) -> "ColumnExpression":
        return _arithmetic("MOD", other, self)

    def __neg__(self) -> "ColumnExpression":
        return ColumnExpression(lambda scope: expr.Negation(self.resolve(scope)))

    def __eq__(self, other: "ColumnExpression | Value") -> "ColumnExpression":  # type: ignore[override]  # a comparison, not an answer
        return _comparison("=", self, other)

    def __ne__(self, other: "ColumnExpression | Value") -> "ColumnExpression":  # type: ignore[override]  # a comparison, not an answer
        return _comparison("<>", self, other)

    def __lt__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _comparison("<", self, other)

    def __le__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _comparison("<=", self, other)

    def __gt__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _comparison(">", self, other)

    def __ge__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return _comparison(">=", self, other)

    def __and__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return ColumnExpression(lambda scope: expr.And(self.resolve(scope), as_column_expression(other).resolve(scope)))

    def __or__(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return ColumnExpression(lambda scope: expr.Or(self.resolve(scope), as_column_expression(other).resolve(scope)))

    def __invert__(self) -> "ColumnExpression":
        return ColumnExpression(lambda scope: expr.Not(self.resolve(scope)))

    def __bool__(self) -> NoReturn:
        raise TypeMismatch(
            "a column expression has no truth value: write & | ~ instead of and or not, and ( ) around comparisons"
        )

    def is_null(self) -> "ColumnExpression":
        return ColumnExpression(lambda scope: expr.IsNull(self.resolve(scope)))

    def is_distinct_from(self, other: "ColumnExpression | Value") -> "ColumnExpression":
        return ColumnExpression(lambda scope: expr.IsDistinct(*_operands(self, other, scope)))

    def is_in(self, *options: "ColumnExpression | Value") -> "ColumnExpression":
        def resolve(scope: Scope) -> Expression:
            operand = self.resolve(scope)
            return expr.In(operand, tuple(_typed(option, scope, operand.type) for option in options))

        return ColumnExpression(resolve)

    def between(self, low: "ColumnExpression | Value", high: "ColumnExpression | Value") -> "ColumnExpression":
        return (self >= low) & (self <= high)

    def like(self, pattern: "ColumnExpression | str", escape: str | None = None) -> "ColumnExpression":
        return ColumnExpression(
            lambda scope: expr.Like(self.resolve(scope), as_column_expression(pattern).resolve(scope), escape)
        )


def col(name: str) -> ColumnExpression:
    """The column with this name."""
    return ColumnExpression(lambda scope: scope.find(name))


def left(name: str) -> ColumnExpression:
    """The left input's column with this name, where both inputs have one."""
    return ColumnExpression(lambda scope: scope.find(name, LEFT))


def right(name: str) -> ColumnExpression:
    """The right input's column with this name, where both inputs have one."""
    return ColumnExpression(lambda scope: scope.find(name, RIGHT))


def lit(value: Value) -> ColumnExpression:
    """A constant; NULL takes a type, so it is `null(int)` and not `lit(None)`."""
    type_ = type_of(value)
    if type_ is None:
        raise TypeMismatch(f"lit: value must be an int, float, bool or str (NULL is null(type)), got {value!r}")
    return ColumnExpression(lambda _: expr.Constant(value, type_))


def cast(operand: "ColumnExpression | Value", type_: Type | type) -> ColumnExpression:
    """The operand as a value of another type, or an error where there is none.

    >>> from semantics import show, source
    >>> show(source("S", x=str).select(n=cast(col("x"), int)).plan)
    'S(x str) | map(cast(x as int) as n)'
    """
    wanted = as_type(type_, "cast")
    return ColumnExpression(lambda scope: expr.Cast(as_column_expression(operand).resolve(scope), wanted))


def try_cast(operand: "ColumnExpression | Value", type_: Type | type) -> ColumnExpression:
    """The operand as a value of another type, or NULL where there is none."""
    wanted = as_type(type_, "try_cast")
    return ColumnExpression(lambda scope: expr.Cast(as_column_expression(operand).resolve(scope), wanted, safe=True))


def now() -> ColumnExpression:
    """The instant of the snapshot.

    >>> from semantics import show, source
    >>> show(source("S", until=int).filter(now() < col("until")).plan)
    'S(until int) | filter(now < until)'
    """
    return ColumnExpression(lambda _: expr.Now())


def null(type_: Type | type) -> ColumnExpression:
    """NULL of this type."""
    return ColumnExpression(lambda _: expr.Constant(NULL, as_type(type_, "null")))


def case(
    *branches: "tuple[ColumnExpression, ColumnExpression | Value]", default: "ColumnExpression | Value" = NULL
) -> ColumnExpression:
    """The result of the first (condition, result) whose condition is TRUE, else the default.

    >>> from semantics import source
    >>> sign = case((col("x") < 0, -1), (col("x") > 0, 1), default=0)
    >>> source("S", x=int).select(sign=sign).schema.types
    (INT,)
    """

    if not all(isinstance(branch, tuple) and len(branch) == 2 for branch in branches):
        raise TypeMismatch(f"case: expected pairs (condition, result), got {branches!r}")

    def resolve(scope: Scope) -> Expression:
        conditions = [as_column_expression(condition).resolve(scope) for condition, _ in branches]
        *results, otherwise = _same_type([*(result for _, result in branches), default], scope)
        return expr.Case(tuple(zip(conditions, results, strict=True)), otherwise)

    return ColumnExpression(resolve)


def coalesce(*operands: "ColumnExpression | Value") -> ColumnExpression:
    """The first operand that is not NULL."""
    return ColumnExpression(lambda scope: expr.Coalesce(tuple(_same_type(list(operands), scope))))


def call(function: expr.ScalarFunction, *arguments: "ColumnExpression | Value") -> ColumnExpression:
    """A user-defined function of these arguments."""
    return ColumnExpression(
        lambda scope: expr.Call(
            function, tuple(as_column_expression(argument).resolve(scope) for argument in arguments)
        )
    )


def as_column_expression(value: "ColumnExpression | Value") -> ColumnExpression:
    """A column expression unchanged, a plain value as a constant."""
    return value if isinstance(value, ColumnExpression) else lit(value)


def _arithmetic(
    symbol: expr.ArithmeticSymbol, left: "ColumnExpression | Value", right: "ColumnExpression | Value"
) -> ColumnExpression:
    return ColumnExpression(lambda scope: expr.Arithmetic(symbol, *_operands(left, right, scope)))


def _comparison(
    symbol: expr.ComparisonSymbol, left: "ColumnExpression | Value", right: "ColumnExpression | Value"
) -> ColumnExpression:
    return ColumnExpression(lambda scope: expr.Comparison(symbol, *_operands(left, right, scope)))


def _operands(
    left: "ColumnExpression | Value", right: "ColumnExpression | Value", scope: Scope
) -> tuple[Expression, Expression]:
    first, second = _same_type([left, right], scope)
    return first, second


def _same_type(values: "list[ColumnExpression | Value]", scope: Scope) -> list[Expression]:
    """All as expressions; a plain None takes its type from the first of the others."""
    known = [as_column_expression(value).resolve(scope) for value in values if value is not NULL]
    if not known:
        raise TypeMismatch("NULL alone has no type here: write null(type) for one of them")
    return [_typed(value, scope, known[0].type) for value in values]


def _typed(value: "ColumnExpression | Value", scope: Scope, type_: Type) -> Expression:
    return expr.Constant(NULL, type_) if value is NULL else as_column_expression(value).resolve(scope)
