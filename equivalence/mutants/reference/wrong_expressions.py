"""Wrong expressions: what NULL, NaN, zero, overflow and text do. Each rewrites a right expression into a wrong one."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.reference.wrong_reference import WrongRewrite, wrong_expression
from semantics import Expression, ScalarFunction, Type, scalar_operations
from semantics import expression as expr

E = TypeVar("E")
TRUE, FALSE = expr.Constant(True, Type.BOOL), expr.Constant(False, Type.BOOL)


def on(kind: type[E], change: Callable[[E], Any]) -> WrongRewrite:
    """The change, made to expressions of one kind."""
    return lambda part: change(part) if isinstance(part, kind) else part


def called(result: Type, function: Callable[..., Any], *arguments: Expression) -> Expression:
    """A function that gives NULL as soon as an argument is NULL."""
    return expr.Call(ScalarFunction("wrong", tuple(a.type for a in arguments), result, function), arguments)


def wrapped(value: Any) -> Any:
    """An integer as 64-bit arithmetic without a check leaves it."""
    return (value + 2**63) % 2**64 - 2**63 if isinstance(value, int) else value


def arithmetic(symbol: str, function: Callable[[Any, Any], Any]) -> WrongRewrite:
    """Another function in place of an arithmetic operation."""
    return on(expr.Arithmetic, lambda e: called(e.type, function, e.left, e.right) if e.symbol == symbol else e)


def _wrapping(e: expr.Arithmetic) -> Expression:
    operations = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
    if e.type is not Type.INT or e.symbol not in operations:
        return e
    return called(Type.INT, lambda a, b: wrapped(operations[e.symbol](a, b)), e.left, e.right)


def comparison(of: tuple[Type, ...], function: Callable[[str, Any, Any], bool]) -> WrongRewrite:
    """Another comparison for operands of these types."""

    def change(e: expr.Comparison) -> Expression:
        fits = e.left.type in of and e.right.type in of
        return called(Type.BOOL, lambda a, b: function(e.symbol, a, b), e.left, e.right) if fits else e

    return on(expr.Comparison, change)


def _ieee(symbol: str, a: float, b: float) -> bool:
    return symbol == "<>" if a != a or b != b else bool(scalar_operations.comparison(symbol, a, b))


def _nan_first(symbol: str, a: float, b: float) -> bool:
    low = [float("-inf") if v != v else v for v in (a, b)]
    return bool(scalar_operations.comparison(symbol, *low))


def _as_floats(symbol: str, a: int, b: int) -> bool:
    return bool(scalar_operations.comparison(symbol, float(a), float(b)))


def _any_case(symbol: str, a: str, b: str) -> bool:
    return bool(scalar_operations.comparison(symbol, a.lower(), b.lower()))


def _without_null(e: expr.In) -> Expression:
    return expr.Coalesce((e, FALSE))


def _any_text(e: expr.Like) -> Expression:
    return called(Type.BOOL, lambda t, p: scalar_operations.like(t.lower(), p.lower(), e.escape), e.operand, e.pattern)


EXPRESSIONS: Final[tuple[Mutant, ...]] = tuple(
    wrong_expression(name, rewrite)
    for name, rewrite in (
        ("NULL = NULL", on(expr.Comparison, lambda e: expr.Not(expr.IsDistinct(e.left, e.right)) if e.symbol == "=" else e)),
        ("NULL <> anything", on(expr.Comparison, lambda e: expr.IsDistinct(e.left, e.right) if e.symbol == "<>" else e)),
        ("unknown AND false is unknown", on(expr.And, lambda e: called(Type.BOOL, lambda a, b: a and b, e.left, e.right))),
        ("unknown OR true is unknown", on(expr.Or, lambda e: called(Type.BOOL, lambda a, b: a or b, e.left, e.right))),
        ("NOT unknown is true", on(expr.Not, lambda e: expr.Coalesce((e, TRUE)))),
        ("AND is OR", on(expr.And, lambda e: expr.Or(e.left, e.right))),
        ("IS NULL is never true", on(expr.IsNull, lambda e: expr.And(e, FALSE))),
        ("DISTINCT FROM is <>", on(expr.IsDistinct, lambda e: expr.Comparison("<>", e.left, e.right))),
        ("IN ignores NULL", on(expr.In, _without_null)),
        ("IN looks at one option", on(expr.In, lambda e: expr.In(e.operand, e.options[:1]))),
        ("MOD takes the divisor's sign", arithmetic("MOD", lambda a, b: a % b if b else None)),
        ("integers divide to integers", arithmetic("/", lambda a, b: float(a // b) if b and a == a and abs(a) < 2**60 else None)),
        ("division by zero is zero", arithmetic("/", lambda a, b: a / b if b else 0.0)),
        ("integers wrap around", on(expr.Arithmetic, _wrapping)),
        ("subtraction is commutative", arithmetic("-", lambda a, b: b - a if isinstance(a, float) else wrapped(b - a))),
        ("negation keeps negative numbers", on(expr.Negation, lambda e: expr.Case(((expr.Comparison("<", e.operand, expr.Constant(0, Type.INT)), e.operand),), e))),
        ("NaN is not NaN", comparison((Type.FLOAT,), _ieee)),
        ("NaN comes first", comparison((Type.FLOAT,), _nan_first)),
        ("integers compare as floats", comparison((Type.INT,), _as_floats)),
        ("text is compared without case", comparison((Type.STR,), _any_case)),
        ("<= is <", on(expr.Comparison, lambda e: expr.Comparison("<", e.left, e.right) if e.symbol == "<=" else e)),
        ("LIKE ignores case", on(expr.Like, _any_text)),
        ("LIKE ignores its escape", on(expr.Like, lambda e: expr.Like(e.operand, e.pattern))),
        ("LIKE is =", on(expr.Like, lambda e: expr.Comparison("=", e.operand, e.pattern))),
        ("COALESCE takes the last", on(expr.Coalesce, lambda e: expr.Coalesce(e.operands[::-1]))),
        ("CASE treats unknown as true", on(expr.Case, lambda e: expr.Case(tuple((expr.Coalesce((c, TRUE)), r) for c, r in e.branches), e.default))),
        ("now is the next instant", on(expr.Now, lambda e: expr.Arithmetic("+", e, expr.Constant(1, Type.INT)))),
        ("now is the first instant", on(expr.Now, lambda _: expr.Constant(0, Type.INT))),
        ("now < is now <=", on(expr.Comparison, lambda e: expr.Comparison("<=", e.left, e.right) if e.symbol == "<" and expr.mentions_now(e) else e)),
        ("CASE ignores its default", on(expr.Case, lambda e: expr.Case(e.branches, expr.Constant(None, e.default.type)))),
    )
)  # fmt: skip
