"""Every way to call every function, on values that tell functions apart."""

from collections.abc import Iterator
from itertools import chain

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.function_calls import DRAWN, FunctionCalls, choose_argument, signatures
from equivalence.cases.random_rows import TYPES
from semantics import Row, Schema, Scope, Type, Value
from semantics.expression import Call, Constant, Expression, Ref
from semantics.functions.definition import Word
from semantics.functions.table import call_of
from semantics.temporal import Date, DayInterval, MonthInterval, Time, Timestamp

WAYS = [way for type_ in DRAWN for way in chain.from_iterable(signatures(type_))]
TEMPORAL: dict[Type, list[Value]] = {
    Type.TIMESTAMP: [
        None,
        *map(
            Timestamp,
            (
                "2024-02-29 13:45:06.789",
                "1969-12-31 23:59:59",
                "0001-01-01",
                "9999-12-31 23:59:59.999999",
                "2024-03-03",
                "2001-01-01",
                "2024-12-30 00:00:00.5",
            ),
        ),
    ],
    Type.DATE: [None, *map(Date, ("2024-02-29", "1969-12-31", "0001-01-01", "9999-12-31", "2024-03-03", "2021-01-03"))],
    Type.TIME: [None, *map(Time, ("00:00:00", "13:45:06.789", "23:59:59.999999"))],
    Type.DAY_INTERVAL: [None, *map(DayInterval, (0, 1, -1, 10**6, 900 * 10**6, 10**14, -(10**13)))],
    Type.MONTH_INTERVAL: [None, *map(MonthInterval, (0, 1, -13, 25))],
}
SCOPE = Scope(Schema.of(b=bool, x=int, f=float, s=str))


def call(way: tuple[str, tuple[Type | Word, ...]], number: int = 0) -> Call:
    """A call with a column for each argument, and the word with this number where one is needed."""
    name, parameters = way
    arguments: list[Expression] = [
        Constant(p.samples[number % len(p.samples)], Type.STR) if isinstance(p, Word) else Ref(i, p)
        for i, p in enumerate(parameters)
    ]
    made = call_of(name, arguments)
    assert isinstance(made, Call)
    return made


def rows(made: Call, number: int, seed: object = 0) -> list[Row]:
    """Rows with a value for each argument."""
    choices = SeededChoices(f"{made.function.name}/{seed}")
    return [tuple(_value(choices, argument) for argument in made.arguments) for _ in range(number)]


def _value(choices: Choices, argument: Expression) -> Value:
    if isinstance(argument, Constant):
        return argument.value
    return choices.of(TEMPORAL.get(argument.type) or [choose_argument(choices, argument.type)])


def nested_calls(number: int) -> Iterator[Expression]:
    """Random expressions of several calls."""
    for i in range(number):
        choices = SeededChoices(f"nested {i}")
        yield FunctionCalls(choices, SCOPE, False).of(choices.of(TYPES), 2)
