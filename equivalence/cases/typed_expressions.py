"""Maps and filters of casts, dates and decimals, at values where rounding, months and midnight tell them apart."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from equivalence.cases.choices import Choices
from equivalence.cases.plan_shapes import MeetingInputs
from equivalence.cases.random_expressions import COMPARISONS, ExpressionGenerator
from equivalence.cases.random_plans import Catalogue, PlanGenerator
from equivalence.cases.random_rows import AWKWARD_VALUES, COMMON_VALUES
from semantics import Date, DayInterval, Expression, MonthInterval, Plan, Schema, Scope, Timestamp, Type, Value, decimal
from semantics.decimals import scaled
from semantics.expression import Arithmetic, ArithmeticSymbol, Comparison, Constant, Negation, Ref
from semantics.functions.definition import DECIMAL, Function
from semantics.functions.numbers import NUMBERS
from semantics.functions.table import call_of
from semantics.plan import Map
from semantics.result_types import common_type_of
from semantics.temporal import DAY_MICROS

if TYPE_CHECKING:  # situations are made of what stands here
    from equivalence.cases.situation import Situation

CATALOGUE: Final[Catalogue] = {
    "A": Schema.of(at=Type.TIMESTAMP, d=Type.DATE, p=decimal(9, 3), f=float),
    "B": Schema.of(at=Type.TIMESTAMP, m=Type.MONTH_INTERVAL, i=Type.DAY_INTERVAL, s=str),
    "C": Schema.of(d=Type.DATE, m=Type.MONTH_INTERVAL, q=decimal(22, 2), x=int),
}
MOST_COLUMNS: Final = 16
TARGETS: Final = (decimal(6, 2), decimal(4), decimal(20, 1), Type.INT, Type.DATE, Type.STR, Type.TIMESTAMP)
OPERATIONS: Final[tuple[tuple[ArithmeticSymbol, Type, Type], ...]] = (
    ("+", Type.DATE, Type.MONTH_INTERVAL),
    ("-", Type.DATE, Type.MONTH_INTERVAL),
    ("+", Type.TIMESTAMP, Type.MONTH_INTERVAL),
    ("-", Type.TIMESTAMP, Type.TIMESTAMP),
    ("-", Type.TIMESTAMP, Type.DATE),
    ("+", Type.TIMESTAMP, Type.DAY_INTERVAL),
    ("*", decimal(9, 3), decimal(22, 2)),
    ("/", decimal(9, 3), Type.INT),
    ("+", decimal(9, 3), decimal(22, 2)),
    ("-", decimal(9, 3), decimal(22, 2)),
    ("/", decimal(22, 2), decimal(9, 3)),
    ("MOD", decimal(9, 3), Type.INT),
    ("/", Type.DAY_INTERVAL, Type.INT),
    ("*", Type.INT, Type.MONTH_INTERVAL),
)
DECIMALS: Final = (decimal(9, 3), decimal(22, 2))
DIGITS: Final = (0, 1, 2, -1)
ON_DECIMALS: Final = tuple(
    (function.names[0], overload.parameters)
    for function in NUMBERS
    if isinstance(function, Function)
    for overload in function.overloads
    if overload.parameters[:1] == (DECIMAL,)
)
"""Functions of a decimal and perhaps a number of digits."""
MOSTLY_EQUAL: Final = (*COMPARISONS[:1] * 6, *COMPARISONS)
NEGATED: Final = (decimal(9, 3), decimal(22, 2), Type.DAY_INTERVAL, Type.MONTH_INTERVAL)
ALIKE: Final = (
    (Type.DATE, Type.TIMESTAMP),
    (Type.TIMESTAMP, Type.DATE),
    (decimal(9, 3), Type.FLOAT),
    (decimal(9, 3), decimal(22, 2)),
    (Type.INT, decimal(9, 3)),
    (Type.DAY_INTERVAL, Type.DAY_INTERVAL),
    (Type.MONTH_INTERVAL, Type.MONTH_INTERVAL),
    (Type.DATE, Type.DATE),
    (Type.TIMESTAMP, Type.TIMESTAMP),
    (decimal(9, 3), decimal(9, 3)),
    (decimal(22, 2), decimal(22, 2)),
)
"""What can be compared, although it has to become alike first."""
_NOON: Final = DAY_MICROS // 2
_TELLING: Final[dict[Type, tuple[Value, ...]]] = {
    Type.FLOAT: (0.5, 1.5, -0.5, -2.5, 0.125, 2.675, 7.0, 1e10, 0.1),
    Type.INT: (0, 1, 2, -3, 7, 1000),
    Type.STR: ("1", " 2.5 ", "2024-02-29", "x", "true", "-0.125", "1970-01-01 12:00:00", "", "2023-02-29"),
    Type.TIMESTAMP: tuple(Timestamp(n) for n in (0, 1, _NOON, -_NOON, DAY_MICROS, 30 * DAY_MICROS + _NOON, 1_000_500)),
    Type.DATE: tuple(Date(n) for n in (0, 1, -1, -31, -366, 30, 31, 59, 19_782)),
    Type.MONTH_INTERVAL: tuple(MonthInterval(n) for n in (0, 1, -1, 12, 13)),
    Type.DAY_INTERVAL: tuple(DayInterval(n) for n in (0, 1, -1, 500, DAY_MICROS, -_NOON)),
}

UNITS: Final = (5, -5, 15, 25, 0, 125, 1500, -2500, 7000, 1)
EQUAL_AS_DOUBLES: Final = (10**17, 10**17 + 1, -(10**17), -(10**17) - 1)
"""Decimals in units of their last digit; the last ones where they have more digits than doubles."""
DIGITS_OF_DOUBLES: Final = 17
ENDS: Final[dict[Type, tuple[Value, ...]]] = {
    Type.TIMESTAMP: (Timestamp(Timestamp.least), Timestamp(Timestamp.greatest)),
    Type.DATE: (Date(Date.least), Date(Date.greatest)),
}
"""The first and the last there is: a little more is an error."""
COUNTS_AT_ENDS: Final = tuple(
    n for kind in (Date, Timestamp) for n in (kind.least - 1, kind.least, kind.greatest, kind.greatest + 1)
)
"""Days and microseconds there, and next to what is still one."""


def choose_telling(choices: Choices, type_: Type) -> Value:
    """A value at which wrong rounding, months and days show; one in eight is NULL, and few are at the end of time."""
    if choices.chance(1, 8):
        return None
    if type_ in ENDS and choices.chance(1, 40):
        return choices.of(ENDS[type_])
    if type_.sizes is not None:
        units = (*UNITS, *EQUAL_AS_DOUBLES, *EQUAL_AS_DOUBLES) if type_.sizes[0] > DIGITS_OF_DOUBLES else UNITS
        return scaled(choices.of(units), type_.sizes[1])
    return choices.of(_TELLING.get(type_) or [*COMMON_VALUES[type_], *AWKWARD_VALUES[type_]])


def sometimes_at_the_ends(choices: Choices, situation: "Situation", operator: type[Plan]) -> "Situation":  # noqa: ARG001
    """One case in six has a row or two of nothing but numbers and times next to what is no time any more."""
    return replace(situation, value=_at_an_end, least=1, largest=2) if choices.chance(1, 6) else situation


def _at_an_end(choices: Choices, type_: Type) -> Value:
    if type_ is Type.INT:
        return choices.of(COUNTS_AT_ENDS)
    return choices.of(ENDS[type_]) if type_ in ENDS else choose_telling(choices, type_)


class TypedExpressions(ExpressionGenerator):
    """Casts, arithmetic and comparisons of the newer types, over columns wherever there are any."""

    def made(self) -> Expression:
        kinds = (self.some_cast, self.some_cast, self.operation, self.operation, self.compared, self.call_on_decimal)
        return self.choices.of(kinds)()

    def some_cast(self) -> Expression:
        return self.cast(self.choices.of(TARGETS), 0)

    def operation(self) -> Expression:
        if self.choices.chance(1, 8):
            return Negation(self.leaf(self.choices.of(NEGATED)))
        symbol, left, right = self.choices.of(OPERATIONS)
        return Arithmetic(symbol, self.leaf(left), self.leaf(right))

    def call_on_decimal(self) -> Expression:
        name, parameters = self.choices.of(ON_DECIMALS)
        number = self.leaf(self.choices.of(DECIMALS))
        made = call_of(name, [number, *(Constant(self.choices.of(DIGITS), Type.INT) for _ in parameters[1:])])
        assert made is not None
        return made

    def compared(self) -> Expression:
        left, right = self.choices.of(ALIKE)
        return Comparison(self.choices.of(COMPARISONS), self.leaf(left), self.leaf(right))

    def constant(self, type_: Type) -> Value:
        return choose_telling(self.choices, type_)


class CastingMaps(PlanGenerator):
    """Maps of many such expressions straight from a source, and conditions that compare them."""

    def map(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        child = self.source()
        typed = TypedExpressions(self.choices, Scope(child.schema), self.awkward)
        columns = range(self.choices.between(1, MOST_COLUMNS))
        return Map(child, tuple(typed.made() for _ in columns), tuple(f"c{i}" for i in columns))

    def predicate(self, scope: Scope) -> Expression:
        typed = TypedExpressions(self.choices, scope, self.awkward)
        if self.choices.chance(1, 2):
            return typed.compared()
        made = typed.some_cast()
        return Comparison(self.choices.of(COMPARISONS), made, typed.leaf(made.type))


class JoiningTypes(MeetingInputs):
    """Most conditions compare a column of each side; their types need not be the same."""

    def predicate(self, scope: Scope) -> Expression:
        pairs = _comparable_across(scope)
        if not pairs or self.choices.chance(1, 4):
            return super().predicate(scope)
        return Comparison(self.choices.of(MOSTLY_EQUAL), *self.choices.of(pairs))


def _comparable_across(scope: Scope) -> list[tuple[Ref, Ref]]:
    columns, width = [Ref(i, type_) for i, type_ in enumerate(scope.types)], len(scope.left)
    return [(a, b) for a in columns[:width] for b in columns[width:] if common_type_of((a.type, b.type)) is not None]
