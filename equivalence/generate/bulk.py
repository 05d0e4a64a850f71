"""Streams by the thousand: the values and situations of the Hypothesis strategies, from a plain seeded generator."""

from collections.abc import Mapping
from random import Random

from equivalence.generate.cases import Case
from equivalence.generate.rows import AWKWARD, COMMON
from equivalence.generate.streams import HORIZON
from semantics import FOREVER, Interval, IntervalStream, RawStream, Row, Schema, Stream, Type, Value


def random_case(random: Random, schemas: Mapping[str, Schema], *, max_size: int = 8) -> Case:
    """Streams for these sources."""
    return {name: random_stream(random, schema, max_size=max_size) for name, schema in sorted(schemas.items())}


def random_stream(random: Random, schema: Schema, *, max_size: int = 8) -> Stream:
    """A raw or an interval stream."""
    size = random.randint(0, max_size)
    if random.random() < 1 / 3:
        raw = [(_row(random, schema), random.randrange(HORIZON)) for _ in range(size)]
        return RawStream(schema, sorted(raw, key=lambda element: element[1]))
    elements = [(_row(random, schema), _interval(random)) for _ in range(size)]
    elements += [_continuation(random, element) for element in elements if random.random() < 1 / 8]
    return IntervalStream(schema, sorted(elements, key=lambda element: element[1].start))


def _row(random: Random, schema: Schema) -> Row:
    return tuple(_value(random, type_) for type_ in schema.types)


def _value(random: Random, type_: Type) -> Value:
    chance = random.random()
    if chance < 1 / 7:
        return None
    if chance < 2 / 7 and AWKWARD[type_]:
        return random.choice(AWKWARD[type_])
    return random.choice(COMMON[type_])


def _interval(random: Random) -> Interval:
    start = random.randrange(HORIZON)
    length = random.choice([random.randint(1, 4), random.randint(2, HORIZON), FOREVER])
    return Interval(start, start + length)


def _continuation(random: Random, element: tuple[Row, Interval]) -> tuple[Row, Interval]:
    """The same row once more, just when the element ends or, if it never does, at the same time."""
    row, interval = element
    start = interval.start if interval.end == FOREVER else int(interval.end)
    return row, Interval(start, start + random.randint(1, 3))
