"""Expressions that call built-in functions, as the table offers them, on values that tell functions apart."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_expressions import COMPARISONS, ExpressionGenerator
from equivalence.cases.random_plans import PlanGenerator
from equivalence.cases.random_rows import TYPES, choose_value
from semantics import Expression, Plan, Scope, Type, Value
from semantics.expression import Arithmetic, Cast, Comparison, Constant, Ref
from semantics.functions.definition import Family, Function, Overload, Word
from semantics.functions.table import FAMILIES, call_of
from semantics.plan import Map
from semantics.temporal import DayInterval, MonthInterval, Timestamp
from semantics.types import TEMPORAL_TYPES
from semantics.value import INT_MIN, NAN

VALUES: Final[dict[Type, tuple[Value, ...]]] = {
    Type.INT: (1, 0, 2, -1, 3, -2, 5, 12, 65, -7, 1250, -64),
    Type.FLOAT: (0.0, 1.0, 2.675, -1.5, 2.5, 1.005, 100.0, -0.285, 1e16, NAN, float("inf")),
    Type.BOOL: (False, True),
    Type.STR: (
        *("", "a", "ab", " Ab a ", "aB c", "a,b,c", "b1a", "ß", "a0-a07", "ab,B " * 8 + "a1", "-" * 66 + "aB"),
        *("😀b", "\ta\n", "äe\u0301"),
    ),
}
PARTS: Final[dict[Type, tuple[Value, ...]]] = {
    Type.INT: (1, 2, -1, 0, 3, -2, 1, 2, 9, 17, 36, -33, 67),
    Type.STR: ("a", "b", "A", "ab", ",", "ba"),
}
"""Arguments behind the first: positions and numbers of characters, and texts that are parts of others."""
RARE: Final[dict[Type, tuple[Value, ...]]] = {
    Type.INT: (INT_MIN, 2**53 + 1),
    Type.FLOAT: (float("-inf"), 1e308, 5e-324),
    Type.BOOL: (False,),
    Type.STR: ("a\n", "😀b"),
}
DRAWN: Final = (*TYPES, *TEMPORAL_TYPES)
"""Types of arguments. Columns have the first of them only; the others are computed from these."""
BASE: Final = Constant(Timestamp("2024-02-29 13:45:06.789"), Type.TIMESTAMP)
STEPS: Final = tuple(DayInterval(text) for text in ("1 00:00:00", "0 07:30:00.25", "-31 01:00:00"))
OF_PARTS: Final = ("Arrays and rows", "JSON")
"""Families of functions that `equivalence.cases.nested_calls` draws."""
MOST_REPETITIONS: Final = 2
MOST_COLUMNS: Final = 64
WEIGHT_OF_WORDS: Final = 3
_MADE: Final = (*TYPES, Type.STR, Type.INT, Type.FLOAT, Type.TIMESTAMP, Type.DATE)
Signature = tuple[str, tuple[Type | Word, ...]]
"""The name of a function, and the parameters of one way to call it."""


def choose_argument(choices: Choices, type_: Type) -> Value:
    """A value that tells functions apart; one in eight is NULL. Few are rare: little is seen where a call fails."""
    if type_ not in VALUES:
        return choose_value(choices, type_, False)
    if choices.below(8) == 7:
        return None
    return choices.of(RARE[type_] if choices.below(160) == 159 else VALUES[type_])


@cache
def signatures(result: Type) -> tuple[tuple[Signature, ...], ...]:
    """For each function that gives values of this type: the ways to call it. Those that take words come up more."""
    families = [family for name, family in FAMILIES.items() if name not in OF_PARTS]
    functions = (found for family in families for found in family if isinstance(found, Function))
    found = [tuple(_signatures(function, result)) for function in functions]
    return tuple(ways for ways in found if ways for _ in range(WEIGHT_OF_WORDS if _takes_a_word(ways) else 1))


def _takes_a_word(ways: tuple[Signature, ...]) -> bool:
    return any(isinstance(parameter, Word) for _, parameters in ways for parameter in parameters)


def _signatures(function: Function, result: Type) -> Iterator[Signature]:
    for overload in function.overloads:
        most = len(overload.parameters)
        for number in range(most - overload.optional, most + MOST_REPETITIONS * overload.repeats + 1):
            yield from ((function.names[0], parameters) for parameters in _typed(overload, number, result))


def _typed(overload: Overload, number: int, result: Type) -> Iterator[tuple[Type | Word, ...]]:
    """The parameters, with each type of a family in its place."""
    families = {p for p in (*(overload.expanded(number) or ()), overload.result) if isinstance(p, Family)}
    for type_ in [type_ for type_ in DRAWN if all(family.has(type_) for family in families)] if families else [result]:
        if (type_ if isinstance(overload.result, Family) else overload.result) is result:
            parameters = tuple(type_ if isinstance(p, Family) else p for p in overload.expanded(number) or ())
            plain = tuple(p for p in parameters if isinstance(p, Word) or (isinstance(p, Type) and p in DRAWN))
            if len(plain) == len(parameters):
                yield plain


class FunctionCalls(ExpressionGenerator):
    """Most expressions call a function of the table."""

    def of(self, type_: Type, depth: int) -> Expression:
        if depth and self.choices.below(4) and signatures(type_):
            return self.call(type_, depth - 1)
        return super().of(type_, depth) if type_ in TYPES else self.leaf(type_)

    def leaf(self, type_: Type) -> Expression:
        if type_ not in TYPES:
            return self._point_or_span(type_)
        columns = [Ref(i, t) for i, t in enumerate(self.scope.types) if t is type_]
        if columns and self.choices.below(4) < 3:
            return self.choices.of(columns)
        return Constant(choose_argument(self.choices, type_), type_)

    def _point_or_span(self, type_: Type) -> Expression:
        """A point in time or a span that depends on a number."""
        number = self.leaf(Type.INT)
        if type_ is Type.MONTH_INTERVAL:
            return Arithmetic("*", number, Constant(MonthInterval(5), type_))
        span = Arithmetic("*", number, Constant(self.choices.of(STEPS), Type.DAY_INTERVAL))
        if type_ is Type.DAY_INTERVAL:
            return span
        point = Arithmetic("+", BASE, span)
        return point if type_ is Type.TIMESTAMP else Cast(point, type_)

    def call(self, type_: Type, depth: int) -> Expression:
        name, parameters = self.choices.of(self.choices.of(signatures(type_)))
        made = call_of(name, [self._argument(i, parameter, depth) for i, parameter in enumerate(parameters)])
        assert made is not None
        return made

    def plain_call(self, type_: Type, depth: int) -> Expression:
        """A call whose value any column may have: points in time as what they count."""
        made = self.call(type_, depth)
        return made if type_ in TYPES else Cast(made, Type.INT)

    def _argument(self, place: int, parameter: Type | Word, depth: int) -> Expression:
        if isinstance(parameter, Word):
            return Constant(self.choices.of(parameter.samples), Type.STR)
        if place and parameter in PARTS and self.choices.chance(1, 2):
            return Constant(self.choices.of(PARTS[parameter]), parameter)
        return self.of(parameter, depth)


class CallingFunctions(PlanGenerator):
    """Maps of many calls straight from a source, and conditions that compare what functions give."""

    def map(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        child = self.source()
        calls = FunctionCalls(self.choices, Scope(child.schema), self.awkward)
        columns = range(self.choices.between(1, MOST_COLUMNS))
        made = tuple(calls.plain_call(self.choices.of(_MADE), self.choices.below(2)) for _ in columns)
        return Map(child, made, tuple(f"c{i}" for i in columns))

    def predicate(self, scope: Scope) -> Expression:
        calls, type_ = FunctionCalls(self.choices, scope, self.awkward), self.choices.of(TYPES)
        if type_ is Type.BOOL:
            return calls.call(type_, 1)
        return Comparison(self.choices.of(COMPARISONS), calls.call(type_, 0), calls.of(type_, 1))
