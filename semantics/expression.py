"""Typed expressions over one row: a closed union of nodes, checked when built, and their meaning."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Final, Literal, assert_never, cast, get_args

from semantics import scalar_operations
from semantics.casts import cast_value, castable
from semantics.decimals import rounded
from semantics.errors import ArithmeticOverflow, FunctionError, TypeMismatch
from semantics.result_types import arithmetic_type, common_type_of, has_opposite
from semantics.scalar_operations import Number, Truth
from semantics.temporal import Date
from semantics.typed_arithmetic import opposite, typed_arithmetic
from semantics.value import NULL, Row, Type, Value, conform, identical, promoted_to

ArithmeticSymbol = Literal["+", "-", "*", "/", "MOD"]
ComparisonSymbol = Literal["=", "<>", "<", "<=", ">", ">="]
TRUTH_TYPES: Final = (Type.BOOL,)
NUMERIC_TYPES: Final = (Type.INT, Type.FLOAT)
PLAIN_NUMBERS: Final = frozenset({int, float})
PROMOTED: Final = frozenset({int, Decimal, Date})
"""Values that may have to become values of a wider type: an int a float, a date a timestamp."""


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """A pure function: one that a user brings, or one of `semantics.functions`."""

    name: str
    parameters: tuple[Type, ...]
    result: Type
    call: Callable[..., Value]
    strict: bool = True
    """Is it NULL as soon as an argument is? Then it is called only where no argument is NULL."""
    total: bool = False
    """Has it a value, or NULL, for all arguments? If not, it may fail."""


@dataclass(frozen=True, slots=True)
class Ref:
    """The value of the column at this position."""

    index: int
    type: Type

    def __post_init__(self) -> None:
        if type(self.index) is not int or self.index < 0 or not isinstance(self.type, Type):
            raise TypeMismatch(f"Ref: expected a position ≥ 0 and a Type, got {self.index!r} and {self.type!r}")


@dataclass(frozen=True, slots=True)
class Constant:
    """A value; NULL too has a type here."""

    value: Value
    type: Type

    def __post_init__(self) -> None:
        if not isinstance(self.type, Type):
            raise TypeMismatch(f"Constant: expected a Type, got {self.type!r}")
        object.__setattr__(self, "value", conform(self.value, self.type, "Constant"))

    # Since Python 3.13 the method that a dataclass would have compares field by field, and no NaN equals NaN. Tuples
    # compare by identity first, and `conform` leaves only one NaN.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and (self.value, self.type) == (other.value, other.type)

    def __reduce__(self) -> tuple[object, ...]:
        return (Constant, (self.value, self.type))


@dataclass(frozen=True, slots=True)
class Now:
    """The instant of the snapshot that the row is in; it has a value only once an operator says which that is."""

    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Arithmetic:
    symbol: ArithmeticSymbol
    left: "Expression"
    right: "Expression"

    def __post_init__(self) -> None:
        _check_symbol(self.symbol, ArithmeticSymbol)
        left, right = self.left.type, self.right.type
        if arithmetic_type(self.symbol, left, right) is None:
            for operand in (self.left, self.right):
                if not (operand.type.is_counted or operand.type.is_decimal):
                    _check_type(self.symbol, operand, NUMERIC_TYPES)
            message = f"{self.symbol}: there is no {left.name} {self.symbol} {right.name}"
            raise TypeMismatch(message, (self.left, self.right))

    @property
    def type(self) -> Type:
        return cast(Type, arithmetic_type(self.symbol, self.left.type, self.right.type))


@dataclass(frozen=True, slots=True)
class Negation:
    operand: "Expression"

    def __post_init__(self) -> None:
        if not has_opposite(self.operand.type):
            _check_type("-", self.operand, NUMERIC_TYPES)

    @property
    def type(self) -> Type:
        return self.operand.type


@dataclass(frozen=True, slots=True)
class Comparison:
    symbol: ComparisonSymbol
    left: "Expression"
    right: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        _check_symbol(self.symbol, ComparisonSymbol)
        common_type(self.symbol, (self.left, self.right))


@dataclass(frozen=True, slots=True)
class And:
    left: "Expression"
    right: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        for operand in (self.left, self.right):
            _check_type("AND", operand, TRUTH_TYPES)


@dataclass(frozen=True, slots=True)
class Or:
    left: "Expression"
    right: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        for operand in (self.left, self.right):
            _check_type("OR", operand, TRUTH_TYPES)


@dataclass(frozen=True, slots=True)
class Not:
    operand: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        _check_type("NOT", self.operand, TRUTH_TYPES)


@dataclass(frozen=True, slots=True)
class IsNull:
    operand: "Expression"
    type: ClassVar[Type] = Type.BOOL


@dataclass(frozen=True, slots=True)
class IsDistinct:
    """IS DISTINCT FROM; IS NOT DISTINCT FROM is its negation."""

    left: "Expression"
    right: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        common_type("IS DISTINCT FROM", (self.left, self.right))


@dataclass(frozen=True, slots=True)
class In:
    operand: "Expression"
    options: tuple["Expression", ...]
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        if not self.options:
            raise TypeMismatch("IN: at least one option is needed, got none")
        for option in self.options:
            common_type("IN", (self.operand, option))


@dataclass(frozen=True, slots=True)
class Like:
    operand: "Expression"
    pattern: "Expression"
    escape: str | None = None
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        for operand in (self.operand, self.pattern):
            _check_type("LIKE", operand, (Type.STR,))
        if self.escape is not None and (not isinstance(self.escape, str) or len(self.escape) != 1):
            raise TypeMismatch(f"LIKE: escape must be one character, got {self.escape!r}")


@dataclass(frozen=True, slots=True)
class Case:
    """The value of the first branch whose condition is TRUE, else of the default."""

    branches: tuple[tuple["Expression", "Expression"], ...]
    default: "Expression"

    def __post_init__(self) -> None:
        if not self.branches:
            raise TypeMismatch("CASE: at least one WHEN is needed, got none")
        for condition, _ in self.branches:
            _check_type("CASE: WHEN", condition, TRUTH_TYPES)
        common_type("CASE", self.results)

    @property
    def results(self) -> tuple["Expression", ...]:
        return (*(result for _, result in self.branches), self.default)

    @property
    def type(self) -> Type:
        return common_type("CASE", self.results)


@dataclass(frozen=True, slots=True)
class Coalesce:
    """The first operand that is not NULL."""

    operands: tuple["Expression", ...]

    def __post_init__(self) -> None:
        if not self.operands:
            raise TypeMismatch("COALESCE: at least one operand is needed, got none")
        common_type("COALESCE", self.operands)

    @property
    def type(self) -> Type:
        return common_type("COALESCE", self.operands)


@dataclass(frozen=True, slots=True)
class Cast:
    """The operand as a value of another type; where there is none it is an error, or NULL if the cast is safe."""

    operand: "Expression"
    type: Type
    safe: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.type, Type):
            raise TypeMismatch(f"CAST: expected a Type, got {self.type!r}")
        if not castable(self.operand.type, self.type):
            message = f"CAST: no {self.type.name} can be made of {self.operand.type.name}"
            raise TypeMismatch(message, (self.operand,))


@dataclass(frozen=True, slots=True)
class Call:
    function: ScalarFunction
    arguments: tuple["Expression", ...]

    def __post_init__(self) -> None:
        if not isinstance(self.function, ScalarFunction):
            raise TypeMismatch(f"call: expected a ScalarFunction, got {self.function!r}")
        name, parameters = self.function.name, self.function.parameters
        if len(self.arguments) != len(parameters):
            raise TypeMismatch(f"{name}: {len(parameters)} arguments are needed, got {len(self.arguments)}")
        for argument, parameter in zip(self.arguments, parameters, strict=True):
            _check_type(name, argument, NUMERIC_TYPES if parameter is Type.FLOAT else (parameter,))

    @property
    def type(self) -> Type:
        return self.function.result


Expression = (
    Ref
    | Constant
    | Now
    | Arithmetic
    | Negation
    | Comparison
    | And
    | Or
    | Not
    | IsNull
    | IsDistinct
    | In
    | Like
    | Case
    | Coalesce
    | Cast
    | Call
)
"""What is computed from a row: a closed union, so that type checkers see which cases are missing."""


def evaluate(expression: Expression, row: Row) -> Value:
    """The value of an expression for one row.

    AND, OR and IN evaluate all their operands; CASE and COALESCE only what they need.

    >>> price = Ref(0, Type.FLOAT)
    >>> evaluate(Comparison(">", price, Constant(10.0, Type.FLOAT)), (12.5,))
    True
    """
    value = _value(expression, row)
    if type(value) in PROMOTED:  # an int result of a branch becomes a float where the whole expression is one
        return promoted_to(value, expression.type)
    return identical(value) if type(value) is float else value


def holds(predicate: Expression, row: Row) -> bool:
    """A filter keeps a row only where its predicate is TRUE: neither FALSE nor unknown."""
    return evaluate(predicate, row) is True


def _value(expression: Expression, row: Row) -> Value:
    match expression:
        case Ref(index=index):
            return row[index]
        case Constant(value=value):
            return value
        case Now():
            raise TypeMismatch("NOW: a row alone has no instant; the operator must put one in its place")
        case Arithmetic(symbol=symbol, left=left, right=right):
            return _arithmetic(expression, symbol, _number(left, row), _number(right, row))
        case Negation(operand=operand):
            value = evaluate(operand, row)
            return scalar_operations.negate(cast(Number, value)) if type(value) in PLAIN_NUMBERS else opposite(value)
        case Comparison(symbol=symbol, left=left, right=right):
            return scalar_operations.comparison(symbol, evaluate(left, row), evaluate(right, row))
        case And(left=left, right=right):
            return scalar_operations.kleene_and(_truth(left, row), _truth(right, row))
        case Or(left=left, right=right):
            return scalar_operations.kleene_or(_truth(left, row), _truth(right, row))
        case Not(operand=operand):
            return scalar_operations.kleene_not(_truth(operand, row))
        case IsNull(operand=operand):
            return evaluate(operand, row) is NULL
        case IsDistinct(left=left, right=right):
            return scalar_operations.distinct(evaluate(left, row), evaluate(right, row))
        case In(operand=operand, options=options):
            return _in(evaluate(operand, row), [evaluate(option, row) for option in options])
        case Like(operand=operand, pattern=pattern, escape=escape):
            return scalar_operations.like(_text(operand, row), _text(pattern, row), escape)
        case Case(branches=branches, default=default):
            chosen = (result for condition, result in branches if holds(condition, row))
            return evaluate(next(chosen, default), row)
        case Coalesce(operands=operands):
            values = (evaluate(operand, row) for operand in operands)
            return next((value for value in values if value is not NULL), NULL)
        case Cast(operand=operand, type=type_, safe=safe):
            return cast_value(evaluate(operand, row), operand.type, type_, safe=safe)
        case Call(function=function, arguments=arguments):
            return applied(function, [evaluate(argument, row) for argument in arguments])
        case _:
            assert_never(expression)


# The same function, of which the types of operands say more.
_number = cast("Callable[[Expression, Row], Number | None]", evaluate)
_truth = cast("Callable[[Expression, Row], Truth]", evaluate)
_text = cast("Callable[[Expression, Row], str | None]", evaluate)


def _arithmetic(whole: Arithmetic, symbol: str, left: Value, right: Value) -> Value:
    if left is NULL or right is NULL:
        return NULL
    if type(left) in PLAIN_NUMBERS and type(right) in PLAIN_NUMBERS:
        return scalar_operations.arithmetic(symbol, cast(Number, left), cast(Number, right))
    type_ = whole.type
    if type_ is Type.FLOAT:  # a DECIMAL meets a FLOAT
        return scalar_operations.arithmetic(symbol, float(cast(Number, left)), float(cast(Number, right)))
    return typed_arithmetic(symbol, left, right, type_)


def _in(value: Value, options: Sequence[Value]) -> Truth:
    """SQL's IN: TRUE if equal to one option, unknown if that depends on a NULL."""
    found: Truth = False
    for option in options:
        found = scalar_operations.kleene_or(found, scalar_operations.comparison("=", value, option))
    return found


def applied(function: ScalarFunction, values: Sequence[Value]) -> Value:
    """The value of a function for these arguments."""
    if function.strict and any(value is NULL for value in values):
        return NULL
    arguments = [conform(v, p, f"{function.name}: argument") for v, p in zip(values, function.parameters, strict=True)]
    try:
        result = function.call(*arguments)
    except ArithmeticOverflow:
        raise
    except Exception as error:
        raise FunctionError(f"{function.name}: failed for {tuple(arguments)!r}: {error!r}") from error
    return conform(_in_size(result, function), function.result, f"{function.name}: result")


def _in_size(result: Value, function: ScalarFunction) -> Value:
    """A DECIMAL that fits into its type; one that does not is an overflow."""
    sizes = function.result.sizes
    if sizes is not None and isinstance(result, Decimal) and rounded(result, *sizes) is None:
        raise ArithmeticOverflow(f"{function.name}: result must fit into {function.result.name}, got {result}")
    return result


def common_type(where: str, operands: Sequence[Expression]) -> Type:
    """The one type of all operands; FLOAT where ints and floats meet."""
    found = common_type_of([operand.type for operand in operands])
    if found is None:
        got = " and ".join(sorted({operand.type.name for operand in operands}))
        raise TypeMismatch(f"{where}: operands must have one type, got {got}", tuple(operands))
    return found


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions."""
    match expression:
        case Ref() | Constant() | Now():
            return ()
        case Negation() | Not() | IsNull() | Cast():
            return (expression.operand,)
        case Arithmetic() | Comparison() | And() | Or() | IsDistinct():
            return (expression.left, expression.right)
        case In():
            return (expression.operand, *expression.options)
        case Like():
            return (expression.operand, expression.pattern)
        case Case():
            return (*(part for branch in expression.branches for part in branch), expression.default)
        case Coalesce():
            return expression.operands
        case Call():
            return expression.arguments
        case _:
            assert_never(expression)


def refs(expression: Expression) -> Iterator[Ref]:
    """Every column reference in an expression."""
    if isinstance(expression, Ref):
        yield expression
    for child in children(expression):
        yield from refs(child)


def mentions_now(expression: Expression) -> bool:
    """Does the value depend on the instant, too, and not on the row alone?"""
    return isinstance(expression, Now) or any(map(mentions_now, children(expression)))


def conjuncts(predicate: Expression) -> Iterator[Expression]:
    """The parts of a conjunction; TRUE if and only if all parts are."""
    if isinstance(predicate, And):
        yield from conjuncts(predicate.left)
        yield from conjuncts(predicate.right)
    else:
        yield predicate


def _check_type(where: str, operand: Expression, allowed: Sequence[Type]) -> None:
    if operand.type not in allowed:
        expected = " or ".join(t.name for t in allowed)
        raise TypeMismatch(f"{where}: operand must be {expected}, got {operand.type.name}", (operand,))


def _check_symbol(symbol: str, symbols: object) -> None:
    if symbol not in get_args(symbols):
        raise TypeMismatch(f"expression: operator must be one of {' '.join(get_args(symbols))}, got {symbol!r}")
