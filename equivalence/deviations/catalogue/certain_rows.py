"""Deviations of certain rows, which only a wrong output gives away: a row, a run of them, or all with one value."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from equivalence.deviations.deviation import Clue, Deviation, Parameter
from equivalence.deviations.situation import Arrival, Situation
from semantics.value import Value, brief, identical_row

CERTAIN_ROWS: Final = "certain rows"
"""The knob: these are tried last, once it is known which input rows decide the first difference."""
STARTS_OF_RUNS: Final = 8
LONGEST_RUN: Final = 32

Rows = tuple[Arrival, ...]


def _suspects(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    return [f"{name} row {number + 1}" for name, number in clue.suspects]


def _runs(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Rows that came one after the other, from one of those that decide the first difference on."""
    for name, number in sorted(clue.suspects, key=lambda place: place[1])[:STARTS_OF_RUNS]:
        most = min(LONGEST_RUN, len(situation.inputs[name].arrivals) - number)
        yield from (f"{name} rows {number + 1} to {number + length}" for length in range(2, most + 1))


def _bounds(rows: Parameter) -> tuple[str, int, int]:
    """The source, and the numbers of the first row and of the one behind the last."""
    name, _, numbers = str(rows).replace(" rows ", " row ").rpartition(" row ")
    first, _, last = numbers.partition(" to ")
    return name, int(first) - 1, int(last or first)


def _copies(number: int) -> Callable[[Situation, Parameter], Situation]:
    """These rows so many times, one delivery of all of them after the other."""

    def apply(situation: Situation, rows: Parameter) -> Situation:
        name, first, stop = _bounds(rows)
        arrivals = situation.inputs[name].arrivals
        return _with_rows(situation, name, (*arrivals[:first], *arrivals[first:stop] * number, *arrivals[stop:]))

    return apply


def _with_rows(situation: Situation, name: str, arrivals: Rows) -> Situation:
    return replace(situation, inputs={**situation.inputs, name: replace(situation.inputs[name], arrivals=arrivals)})


def _values_of_suspects(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Each value of a row that decides the first difference, if other rows of its column have another one."""
    found: dict[Parameter, None] = {}
    for name, number in clue.suspects:
        given = situation.inputs[name]
        for i, column in enumerate(given.schema.names):
            value = given.arrivals[number].row[i]
            if any(identical_row((arrival.row[i],)) != identical_row((value,)) for arrival in given.arrivals):
                found[_label(name, column, value)] = None
    return found


def _label(name: str, column: str, value: Value) -> str:
    return f"{name}.{column} = {brief(*identical_row((value,)))}"


def _without_value(situation: Situation, label: Parameter) -> Situation:
    """All rows but those with a value, as it is written."""
    name, _, column = str(label).partition(" = ")[0].rpartition(".")
    given = situation.inputs[name]
    place = given.schema.names.index(column)
    return _with_rows(
        situation, name, tuple(a for a in given.arrivals if _label(name, column, a.row[place]) != str(label))
    )


ONE_ROW: Final[tuple[Deviation, ...]] = (
    Deviation("a row lost", "the input {} is lost", CERTAIN_ROWS, "input", "before the watermark", _suspects, _copies(0), parameter="row", bits=4.0),
    Deviation("a row counted twice", "the input {} counts twice", CERTAIN_ROWS, "input", "before the watermark", _suspects, _copies(2), parameter="row", bits=4.0),
)  # fmt: skip

MANY_ROWS: Final[tuple[Deviation, ...]] = (
    Deviation("a run of rows lost", "the input {} are lost", CERTAIN_ROWS, "input", "before the watermark", _runs, _copies(0), parameter="rows", bits=6.0, synonyms=("batch lost", "gap after a restart")),
    Deviation("a run of rows counted twice", "the input {} count twice", CERTAIN_ROWS, "input", "before the watermark", _runs, _copies(2), parameter="rows", bits=6.0, synonyms=("batch replayed", "at least once after a restart")),
    Deviation("rows with one value lost", "rows with {} are lost", CERTAIN_ROWS, "input", "before the watermark", _values_of_suspects, _without_value, parameter="value", bits=5.0, locality="whole", synonyms=("partition lost", "one key never processed")),
)  # fmt: skip
