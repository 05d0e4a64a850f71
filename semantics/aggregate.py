"""Aggregates: a closed union, and what each means as a function of a whole multiset.

`semantics.partial_aggregate` states the same aggregates piece by piece, as init, merge and eval.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, assert_never, cast

from semantics.errors import FunctionError, TypeMismatch
from semantics.expression import NUMERIC_TYPES, Expression, evaluate
from semantics.multiset import Multiset
from semantics.scalar_operations import Number
from semantics.value import NAN, NULL, Type, Value, check_int, conform, order

Exact = Fraction | float
"""A rational number, or one of the floats that are none: NaN and the infinities."""


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
    argument: Expression
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Sum:
    """Exact over ints, an error if it overflows; correctly rounded over floats."""

    argument: Expression

    def __post_init__(self) -> None:
        _check_numeric("SUM", self.argument)

    @property
    def type(self) -> Type:
        return self.argument.type


@dataclass(frozen=True, slots=True)
class Avg:
    """The exact sum divided by the count, rounded once."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        _check_numeric("AVG", self.argument)


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
        _check_numeric("VAR_POP", self.argument)


@dataclass(frozen=True, slots=True)
class StddevPop:
    """The square root of VAR_POP."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        _check_numeric("STDDEV_POP", self.argument)


@dataclass(frozen=True, slots=True)
class Median:
    """The middle value, or the mean of the two middle ones, rounded once."""

    argument: Expression
    type: ClassVar[Type] = Type.FLOAT

    def __post_init__(self) -> None:
        _check_numeric("MEDIAN", self.argument)


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


Aggregate = (
    CountRows | Count | CountDistinct | Sum | Avg | Min | Max | VarPop | StddevPop | Median | Largest | UserDefined
)


def aggregate(function: Aggregate, snapshot: Multiset) -> Value:
    """The value of an aggregate over all rows of a snapshot, which may be empty.

    >>> from semantics.expression import Ref
    >>> aggregate(Avg(Ref(0, Type.INT)), Multiset({(1,): 2, (2,): 1, (None,): 5}))
    1.3333333333333333
    """
    if isinstance(function, CountRows):
        return check_int(len(snapshot), "COUNT(*)")
    return aggregate_values(function, arguments(function.argument, snapshot))


def arguments(argument: Expression, snapshot: Multiset) -> list[Value]:
    """What an aggregate takes in: the values that are not NULL, in their total order."""
    values = [(evaluate(argument, row), n) for row, n in snapshot.pairs()]
    return sorted([value for value, n in values if value is not NULL for _ in range(n)], key=order)


def aggregate_values(function: Aggregate, values: Sequence[Value]) -> Value:
    """The value of an aggregate over sorted values that are not NULL."""
    match function:
        case CountRows() | Count():
            return len(values)
        case CountDistinct():
            return len(set(values))
        case _ if not values:
            return NULL
        case Sum():
            return rounded(total(map(exact, values)), function.type)
        case Avg():
            return rounded(total(map(exact, values)) / len(values))
        case Min():
            return values[0]
        case Max():
            return values[-1]
        case VarPop():
            return rounded(variance([exact(value) for value in values]))
        case StddevPop():
            return math.sqrt(cast(float, rounded(variance([exact(value) for value in values]))))
        case Median():
            middle = (values[(len(values) - 1) // 2], values[len(values) // 2])
            return rounded(total(map(exact, middle)) / 2)
        case Largest(rank=rank):
            return values[-rank] if rank <= len(values) else NULL
        case UserDefined(function=user):
            return fold(user, values)
        case _:
            assert_never(function)


def fold(user: AggregateFunction, values: Sequence[Value]) -> Value:
    """Make a partial aggregate of the first value, merge in the others, evaluate it."""
    first, *others = [conform(value, user.parameter, f"{user.name}: argument") for value in values]
    try:
        partial = user.init(first)
        for value in others:
            partial = user.merge(partial, value)
        result = user.eval(partial)
    except Exception as error:
        raise FunctionError(f"{user.name}: failed for {[first, *others]!r}: {error!r}") from error
    return conform(result, user.result, f"{user.name}: result")


def exact(value: Value) -> Exact:
    """A number without rounding; NaN and the infinities stay what they are."""
    number = cast(Number, value)
    return Fraction(number) if math.isfinite(number) else float(number)


def total(numbers: "map[Exact] | Sequence[Exact]") -> Exact:
    """The exact sum; floats that are no rationals decide it among themselves."""
    rationals, specials = Fraction(0), 0.0
    for number in numbers:
        if isinstance(number, Fraction):
            rationals += number
        else:
            specials += number
    return specials if specials != 0.0 else rationals


def variance(numbers: Sequence[Exact]) -> Exact:
    """The mean of the squared distances from the mean; NaN if there is no finite mean."""
    mean = total(numbers) / len(numbers)
    if not isinstance(mean, Fraction):
        return NAN
    return total([(cast(Fraction, number) - mean) ** 2 for number in numbers]) / len(numbers)


def rounded(number: Exact, type_: Type = Type.FLOAT) -> Number:
    """The number as a value: an int that must fit, or the nearest float."""
    if isinstance(number, float):
        return number
    if type_ is Type.INT:
        return check_int(int(number), "SUM")
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _check_numeric(name: str, argument: Expression) -> None:
    if argument.type not in NUMERIC_TYPES:
        message = f"{name}: argument must be INT or FLOAT, got {argument.type.name}"
        raise TypeMismatch(message, (argument,))
