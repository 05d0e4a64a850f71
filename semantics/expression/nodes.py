"""Typed expressions over one row: a closed union of nodes, checked when built."""

from collections.abc import Callable
from typing import ClassVar, Literal, cast

from semantics.casts import castable
from semantics.dataclass_on_use import dataclass
from semantics.errors import TypeMismatch
from semantics.expression.operands import NUMERIC_TYPES, TRUTH_TYPES, check_symbol, check_type, common_type
from semantics.how_many import how_many
from semantics.result_types import arithmetic_type, has_opposite
from semantics.value import Type, Value, conform

ArithmeticSymbol = Literal["+", "-", "*", "/", "MOD"]
ComparisonSymbol = Literal["=", "<>", "<", "<=", ">", ">="]


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
        check_symbol(self.symbol, ArithmeticSymbol)
        left, right = self.left.type, self.right.type
        if arithmetic_type(self.symbol, left, right) is None:
            for operand in (self.left, self.right):
                if not (operand.type.is_counted or operand.type.is_decimal):
                    check_type(self.symbol, operand, NUMERIC_TYPES)
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
            check_type("-", self.operand, NUMERIC_TYPES)

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
        check_symbol(self.symbol, ComparisonSymbol)
        common_type(self.symbol, (self.left, self.right))


@dataclass(frozen=True, slots=True)
class And:
    left: "Expression"
    right: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        for operand in (self.left, self.right):
            check_type("AND", operand, TRUTH_TYPES)


@dataclass(frozen=True, slots=True)
class Or:
    left: "Expression"
    right: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        for operand in (self.left, self.right):
            check_type("OR", operand, TRUTH_TYPES)


@dataclass(frozen=True, slots=True)
class Not:
    operand: "Expression"
    type: ClassVar[Type] = Type.BOOL

    def __post_init__(self) -> None:
        check_type("NOT", self.operand, TRUTH_TYPES)


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
            check_type("LIKE", operand, (Type.STR,))
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
            check_type("CASE: WHEN", condition, TRUTH_TYPES)
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
            raise TypeMismatch(f"{name}: {how_many(len(parameters), 'argument')} needed, got {len(self.arguments)}")
        for argument, parameter in zip(self.arguments, parameters, strict=True):
            check_type(name, argument, NUMERIC_TYPES if parameter is Type.FLOAT else (parameter,))

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
