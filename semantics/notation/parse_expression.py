"""Values, rows, schemas and expressions read back from the text that `semantics.notation.show_expression` writes."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar, cast

from semantics import expression as expr
from semantics.aggregate import AggregateFunction
from semantics.decimals import from_text
from semantics.expression import Expression
from semantics.functions.table import BY_NAME, call_of
from semantics.notation.tokens import Cursor
from semantics.schema import Column, Schema
from semantics.scope import LEFT, RIGHT, Scope
from semantics.types import PLAIN_TYPES, TEMPORAL_TYPES, array_of, decimal, row_of
from semantics.value import NAN, NULL, Row, Type, Value, type_of

Functions = Mapping[str, expr.ScalarFunction | AggregateFunction]
T = TypeVar("T")

_COMPARISONS: Final[dict[str, expr.ComparisonSymbol]] = {
    "=": "=",
    "<>": "<>",
    "!=": "<>",
    "<=": "<=",
    ">=": ">=",
    "<": "<",
    ">": ">",
}
"""How comparisons are written, and what they are."""
_TYPED: Final = (*(type_.value for type_ in TEMPORAL_TYPES), "decimal", "array", "row")
_PRODUCTS: Final = ("*", "/", "mod")


class ExpressionReader:
    """Reads what can stand inside an operator, from a cursor, with the functions that may be called."""

    def __init__(self, cursor: Cursor, functions: Functions) -> None:
        self.cursor = cursor
        self.functions = functions

    def separated(self, separator: str, item: Callable[[], T]) -> tuple[T, ...]:
        items = [item()]
        while self.cursor.skip(separator):
            items.append(item())
        return tuple(items)

    def column_type(self) -> Type:
        for type_ in PLAIN_TYPES:
            if self.cursor.skip(type_.value):
                return type_
        for word, read in (("decimal", self._decimal), ("array", self._array), ("row", self._row_type)):
            if self.cursor.skip(word):
                return read()
        self.cursor.fail("a type: int, float, bool, str, timestamp, date, time, decimal(10, 2), array<int> …")

    def _decimal(self) -> Type:
        self.cursor.take("(")
        precision, scale = self.cursor.take_int("a precision"), 0
        if self.cursor.skip(","):
            scale = self.cursor.take_int("a scale")
        self.cursor.take(")")
        return decimal(precision, scale)

    def _array(self) -> Type:
        self.cursor.take("<")
        element = self.column_type()
        self.cursor.take(">")
        return array_of(element)

    def _row_type(self) -> Type:
        self.cursor.take("<")
        fields = self.separated(",", lambda: (self.cursor.take_name("a field's name"), self.column_type()))
        self.cursor.take(">")
        return row_of(*fields)

    def schema(self) -> Schema:
        self.cursor.take("(")
        columns = self.separated(",", lambda: Column(self.cursor.take_name("a column name"), self.column_type()))
        self.cursor.take(")")
        return Schema(columns)

    def row(self) -> Row:
        self.cursor.take("(")
        values = self.separated(",", self.value)
        self.cursor.take(")")
        return values

    def value(self) -> Value:
        if self.cursor.skip("null"):
            return NULL
        return self.constant()

    def constant(self) -> Value:
        """A value other than NULL."""
        if self.cursor.sees("["):
            return self._parts()
        if self.cursor.here.kind == "word" and self.cursor.tokens[self.cursor.index + 1].kind == "text":
            return self._typed_text()
        for word, value in (("true", True), ("false", False)):
            if self.cursor.skip(word):
                return value
        if self.cursor.here.kind == "text":
            return self.cursor.take_text()
        return -self.number() if self.cursor.skip("-") else self.number()

    def _parts(self) -> tuple[Value, ...]:
        """The values of an ARRAY or a ROW."""
        self.cursor.take("[")
        parts = () if self.cursor.sees("]") else self.separated(",", self.value)
        self.cursor.take("]")
        return parts

    def _typed_text(self) -> Value:
        """A point in time, a span or a DECIMAL: its type, and a text."""
        place = self.cursor.index
        makers: Mapping[str, Callable[[str], Value]] = {t.value: t.python for t in TEMPORAL_TYPES}
        word = self.cursor.step().text.lower()
        make = from_text if word == "decimal" else makers.get(word)
        if make is None:
            self.cursor.index = place
            self.cursor.fail(f"a value, such as one of {', '.join(makers)} or decimal, with its text")
        try:
            return make(self.cursor.take_text())
        except ValueError as error:
            self.cursor.index = place + 1
            self.cursor.fail(f"a {word} ({error})")

    def number(self) -> int | float:
        for word, value in (("nan", NAN), ("inf", float("inf"))):
            if self.cursor.skip(word):
                return value
        if self.cursor.here.kind == "float":
            return float(self.cursor.step().text)
        return self.cursor.take_int("a value")

    def expression(self, scope: Scope | None) -> Expression:
        """An expression over the names of a scope; without one, columns are written `$position:type`."""
        left = self._conjunction(scope)
        while self.cursor.skip("or"):
            left = expr.Or(left, self._conjunction(scope))
        return left

    def _conjunction(self, scope: Scope | None) -> Expression:
        left = self._inversion(scope)
        while self.cursor.skip("and"):
            left = expr.And(left, self._inversion(scope))
        return left

    def _inversion(self, scope: Scope | None) -> Expression:
        return expr.Not(self._inversion(scope)) if self.cursor.skip("not") else self._comparison(scope)

    def _comparison(self, scope: Scope | None) -> Expression:
        left = self._sum(scope)
        for written, symbol in _COMPARISONS.items():
            if self.cursor.skip(written):
                return expr.Comparison(symbol, left, self._sum(scope))
        if self.cursor.skip("is"):
            negated = self.cursor.skip("not")
            return self._negated(negated, self._is(left, scope))
        negated = self.cursor.skip("not")
        if negated or any(self.cursor.sees(word) for word in ("in", "like", "between")):
            return self._negated(negated, self._membership(left, scope))
        return left

    def _negated(self, negated: bool, expression: Expression) -> Expression:
        return expr.Not(expression) if negated else expression

    def _is(self, left: Expression, scope: Scope | None) -> Expression:
        if self.cursor.skip("null"):
            return expr.IsNull(left)
        self.cursor.take("distinct", "from")
        return expr.IsDistinct(left, self._sum(scope))

    def _membership(self, left: Expression, scope: Scope | None) -> Expression:
        if self.cursor.skip("in"):
            return expr.In(left, self._arguments(scope))
        if self.cursor.skip("like"):
            pattern = self._sum(scope)
            return expr.Like(left, pattern, self.cursor.take_text() if self.cursor.skip("escape") else None)
        self.cursor.take("between")
        low = self._sum(scope)
        self.cursor.take("and")
        return expr.And(expr.Comparison(">=", left, low), expr.Comparison("<=", left, self._sum(scope)))

    def _sum(self, scope: Scope | None) -> Expression:
        left = self._term(scope)
        while self.cursor.sees("+") or self.cursor.sees("-"):
            symbol = cast(expr.ArithmeticSymbol, self.cursor.step().text)
            left = expr.Arithmetic(symbol, left, self._term(scope))
        return left

    def _term(self, scope: Scope | None) -> Expression:
        left = self._factor(scope)
        while any(self.cursor.sees(symbol) for symbol in _PRODUCTS):
            symbol = cast(expr.ArithmeticSymbol, self.cursor.step().text.upper())
            left = expr.Arithmetic(symbol, left, self._factor(scope))
        return left

    def _factor(self, scope: Scope | None) -> Expression:
        """A minus before a number belongs to the number; before anything else it negates."""
        if not self.cursor.sees("-"):
            return self._atom(scope)
        number_follows = self.cursor.tokens[self.cursor.index + 1].kind in ("int", "float")
        if number_follows or self.cursor.sees("-", "inf"):
            return self._constant()
        self.cursor.take("-")
        return expr.Negation(self._factor(scope))

    def _atom(self, scope: Scope | None) -> Expression:
        cursor = self.cursor
        if cursor.skip("("):
            inside = self.expression(scope)
            cursor.take(")")
            return inside
        if cursor.skip("null"):
            cursor.take(":")
            return expr.Constant(NULL, self.column_type())
        if cursor.skip("case"):
            return self._case(scope)
        if cursor.skip("coalesce"):
            return expr.Coalesce(self._arguments(scope))
        if cursor.sees("cast", "(") or cursor.sees("try_cast", "("):
            return self._cast(scope)
        if self._at_typed_constant():
            return self._typed_constant()
        if cursor.here.kind in ("int", "float", "text") or any(map(cursor.sees, ("true", "false", "nan", "inf"))):
            return self._constant()
        if cursor.here.kind in ("word", "quoted") and cursor.sees("(", ahead=1):
            return self._call(scope)
        if cursor.skip("now"):
            return expr.Now()
        return self._column(scope)

    def _call(self, scope: Scope | None) -> Expression:
        """A function that was given, else one of the table."""
        name = self.cursor.here.text
        if name in self.functions or self.cursor.here.kind == "quoted" or name.lower() not in BY_NAME:
            return expr.Call(self.function(expr.ScalarFunction), self._arguments(scope))
        self.cursor.step()
        return cast(Expression, call_of(name, self._arguments(scope)))

    def _constant(self) -> expr.Constant:
        value = self.constant()
        return expr.Constant(value, cast(Type, type_of(value)))

    def _at_typed_constant(self) -> bool:
        """Is it a type with a text or with values behind it: `date '2024-01-31'`, `array<int>[1, 2]`?"""
        words = self.cursor.tokens[self.cursor.index : self.cursor.index + 2]
        if words[0].kind != "word" or words[0].text.lower() not in _TYPED:
            return False
        return words[1].kind == "text" or words[1].text == ("(" if words[0].text.lower() == "decimal" else "<")

    def _typed_constant(self) -> expr.Constant:
        if self.cursor.tokens[self.cursor.index + 1].kind == "text":
            return self._constant()
        type_ = self.column_type()
        if type_.sizes is None:
            return expr.Constant(self._parts(), type_)
        try:
            return expr.Constant(from_text(self.cursor.take_text()), type_)
        except ValueError as error:
            self.cursor.index -= 1
            self.cursor.fail(f"a {type_.value} ({error})")

    def _cast(self, scope: Scope | None) -> expr.Cast:
        """cast(x as int), and try_cast(x as int)"""
        safe = self.cursor.step().text.lower() == "try_cast"
        self.cursor.take("(")
        operand = self.expression(scope)
        self.cursor.take("as")
        type_ = self.column_type()
        self.cursor.take(")")
        return expr.Cast(operand, type_, safe)

    def _case(self, scope: Scope | None) -> expr.Case:
        branches = []
        while self.cursor.skip("when"):
            condition = self.expression(scope)
            self.cursor.take("then")
            branches.append((condition, self.expression(scope)))
        self.cursor.take("else")
        default = self.expression(scope)
        self.cursor.take("end")
        return expr.Case(tuple(branches), default)

    def _arguments(self, scope: Scope | None) -> tuple[Expression, ...]:
        self.cursor.take("(")
        if self.cursor.skip(")"):
            return ()
        arguments = self.separated(",", lambda: self.expression(scope))
        self.cursor.take(")")
        return arguments

    def function(self, kind: type[T]) -> T:
        """One of the given functions, by name."""
        place = self.cursor.index
        name = self.cursor.take_name()
        function = self.functions.get(name)
        if not isinstance(function, kind):
            self.cursor.index = place
            known = ", ".join(sorted(n for n, f in self.functions.items() if isinstance(f, kind))) or "none"
            self.cursor.fail(f"a {kind.__name__} (known: {known})")
        return function

    def _column(self, scope: Scope | None) -> expr.Ref:
        if scope is None:
            position = int(self.cursor.take_kind("position", "an expression, with columns as $position:type")[1:])
            self.cursor.take(":")
            return expr.Ref(position, self.column_type())
        name = self.cursor.take_name("an expression")
        if name in (LEFT, RIGHT) and self.cursor.skip("."):
            return scope.find(self.cursor.take_name("a column name"), side=name)
        return scope.find(name)
