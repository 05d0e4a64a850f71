"""The aggregates of one argument, and COUNT(*)."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Final, Literal, get_args

from semantics.dataclass_on_use import dataclass
from semantics.decimals import LARGEST_PRECISION, LEAST_QUOTIENT_SCALE
from semantics.errors import TypeMismatch
from semantics.expression import NUMERIC_TYPES, Expression
from semantics.types import Type, decimal
from semantics.value import Value

MOST_DIGITS: Final = 9
"""Of a percentile's fraction: positions in a group are computed with 64 bits."""

BitSymbol = Literal["and", "or", "xor"]


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """An aggregate that a user brings, as in Algorithm 3: partial aggregates are made, merged and evaluated.

    It never sees NULL, and must not depend on the order in which values are merged.
    """

    name: str
    parameter: Type
    result: Type
    init: Callable[[Any], Any]
    merge: Callable[[Any, Any], Any]
    eval: Callable[[Any], Value]


@dataclass(frozen=True, slots=True)
class CountRows:
    """COUNT(*): the number of rows."""

    argument: ClassVar[None] = None
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Count:
    """COUNT(x): the number of values that are not NULL."""

    argument: Expression
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class CountDistinct:
    """COUNT(DISTINCT x, …): the number of different values, or of different rows of values without a NULL."""

    argument: Expression
    others: tuple[Expression, ...] = ()
    type: ClassVar[Type] = Type.INT

    def __post_init__(self) -> None:
        object.__setattr__(self, "others", tuple(self.others))


@dataclass(frozen=True, slots=True)
class Sum:
    """Exact over ints, an error if it overflows; correctly rounded over floats."""

    argument: Expression

    def __post_init__(self) -> None:
        _check_summable("SUM", self.argument)

    @property
    def type(self) -> Type:
        return sum_type(self.argument.type)


@dataclass(frozen=True, slots=True)
class Avg:
    """The exact sum divided by the count, rounded once."""

    argument: Expression

    def __post_init__(self) -> None:
        _check_summable("AVG", self.argument)

    @property
    def type(self) -> Type:
        return average_type(self.argument.type)


@dataclass(frozen=True, slots=True)
class Min:
    argument: Expression

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True, slots=True)
class Max:
    argument: Expression

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True, slots=True)
class VarPop:
    """The exact population variance, rounded once."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        check_numeric("VAR_POP", self.argument)


@dataclass(frozen=True, slots=True)
class StddevPop:
    """The square root of VAR_POP."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        check_numeric("STDDEV_POP", self.argument)


@dataclass(frozen=True, slots=True)
class VarSamp:
    """The exact variance of a sample, rounded once; NULL for a single value."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        check_numeric("VAR_SAMP", self.argument)


@dataclass(frozen=True, slots=True)
class StddevSamp:
    """The square root of VAR_SAMP."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        check_numeric("STDDEV_SAMP", self.argument)


@dataclass(frozen=True, slots=True)
class Mode:
    """The most frequent value; of several, the least."""

    argument: Expression

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True, slots=True)
class Percentile:
    """The value below which this fraction of all values lies, or a number between two values, rounded once."""

    argument: Expression
    fraction: Fraction
    discrete: bool = False

    def __post_init__(self) -> None:
        if not self.discrete:
            check_numeric("PERCENTILE_CONT", self.argument)
        given = self.fraction
        if not isinstance(given, Fraction) or not 0 <= given <= 1 or 10**MOST_DIGITS % given.denominator:
            expected = f"a fraction from 0 to 1 with at most {MOST_DIGITS} decimal digits"
            raise TypeMismatch(f"PERCENTILE: expected {expected}, got {given}")

    @property
    def type(self) -> Type:
        return self.argument.type if self.discrete else Type.FLOAT


def decimal_fraction(number: int | float | str) -> Fraction:
    """A number as it is written in decimals: 0.1 is a tenth.

    >>> decimal_fraction(0.1)
    Fraction(1, 10)
    """
    try:
        return Fraction(str(number))
    except ValueError:
        raise TypeMismatch(f"PERCENTILE: expected a number from 0 to 1, got {number!r}") from None


def decimal_text(fraction: Fraction) -> str:
    """The decimals of a percentile's fraction.

    >>> decimal_text(Fraction(1, 4)), decimal_text(Fraction(1))
    ('0.25', '1.0')
    """
    whole, part = divmod(int(fraction * 10**MOST_DIGITS), 10**MOST_DIGITS)
    return f"{whole}.{f'{part:0{MOST_DIGITS}d}'.rstrip('0') or 0}"


@dataclass(frozen=True, slots=True)
class Bitwise:
    """BIT_AND, BIT_OR and BIT_XOR of ints, in two's complement."""

    symbol: BitSymbol
    argument: Expression
    type: ClassVar[Type] = Type.INT

    def __post_init__(self) -> None:
        if self.symbol not in get_args(BitSymbol):
            raise TypeMismatch(f"BIT: symbol must be one of {', '.join(get_args(BitSymbol))}, got {self.symbol!r}")
        if self.argument.type is not Type.INT:
            message = f"BIT_{self.symbol.upper()}: argument must be INT, got {self.argument.type.name}"
            raise TypeMismatch(message, (self.argument,))


@dataclass(frozen=True, slots=True)
class Median:
    """The middle value, or the mean of the two middle ones, rounded once."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        check_numeric("MEDIAN", self.argument)


@dataclass(frozen=True, slots=True)
class Largest:
    """The value at this rank from the top, duplicates counted, NULL if there are fewer; TOP-K is ranks 1 … K."""

    argument: Expression
    rank: int

    def __post_init__(self) -> None:
        if type(self.rank) is not int or self.rank < 1:
            raise TypeMismatch(f"TOP: rank must be an integer ≥ 1, got {self.rank!r}")

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True, slots=True)
class UserDefined:
    function: AggregateFunction
    argument: Expression

    def __post_init__(self) -> None:
        if not isinstance(self.function, AggregateFunction):
            raise TypeMismatch(f"aggregated: expected an AggregateFunction, got {self.function!r}")
        name, parameter = self.function.name, self.function.parameter
        if self.argument.type not in (NUMERIC_TYPES if parameter is Type.FLOAT else (parameter,)):
            message = f"{name}: argument must be {parameter.name}, got {self.argument.type.name}"
            raise TypeMismatch(message, (self.argument,))

    @property
    def type(self) -> Type:
        return self.function.result


def sum_type(argument: Type) -> Type:
    """The type of a sum: that of its argument, but decimals get all digits that there are."""
    return argument if argument.sizes is None else decimal(LARGEST_PRECISION, argument.sizes[1])


def average_type(argument: Type) -> Type:
    """The type of an average: a decimal of decimals with at least six digits behind the point, a span of spans."""
    if argument.sizes is not None:
        return decimal(LARGEST_PRECISION, max(argument.sizes[1], LEAST_QUOTIENT_SCALE))
    return argument if argument.is_interval else Type.FLOAT


def _check_summable(name: str, argument: Expression) -> None:
    if not argument.type.is_interval:
        check_numeric(name, argument)


def check_numeric(name: str, argument: Expression) -> None:
    if not argument.type.is_number:
        message = f"{name}: argument must be INT or FLOAT, got {argument.type.name}"
        raise TypeMismatch(message, (argument,))
