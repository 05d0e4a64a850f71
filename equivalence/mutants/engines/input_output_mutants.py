"""The interval engine, right in itself, with wrong inputs or wrong outputs, or with manners that no engine may have."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Final

import numpy as np

from equivalence.mutants.mutant import Mutant, MutatedEngine
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.engine import IntervalEngine
from physical.kernels.types import ENDLESS, Bools, Ints
from physical.runtime.run_whole import AnyStream
from semantics import Column as Named
from semantics import Interval, Plan, Row, Schema, Type

Inputs = dict[str, PhysicalStream]
ChangeInputs = Callable[[Inputs], Inputs]
ChangeOutput = Callable[[PhysicalStream], object]
Misbehave = Callable[[Plan, dict[str, AnyStream]], None]
_ENGINE: Final = IntervalEngine()


class WrongInputs(MutatedEngine):
    """The interval engine over inputs that have been changed."""

    def __init__(self, name: str, change: ChangeInputs) -> None:
        super().__init__(name)
        self.change = change

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> PhysicalStream:
        return _ENGINE.run(plan, self.change({name: PhysicalStream.of(s) for name, s in sources.items()}), horizon)


class WrongOutput(MutatedEngine):
    """The interval engine, whose result is changed."""

    def __init__(self, name: str, change: ChangeOutput) -> None:
        super().__init__(name)
        self.change = change

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> object:
        return self.change(_ENGINE.run(plan, sources, horizon))


class Misbehaving(MutatedEngine):
    """The interval engine, which fails or damages its inputs after it has computed a right result."""

    def __init__(self, name: str, misbehave: Misbehave) -> None:
        super().__init__(name)
        self.misbehave = misbehave

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> PhysicalStream:
        result = _ENGINE.run(plan, sources, horizon)
        assert isinstance(sources, dict)  # as the suite gives them; one of these mutants takes a source away
        self.misbehave(plan, sources)
        return result


def each_input(change: Callable[[PhysicalStream], PhysicalStream]) -> ChangeInputs:
    """Every input is changed by itself."""
    return lambda inputs: {name: change(stream) for name, stream in inputs.items()}


def valid(stream: PhysicalStream, start: Ints, end: Ints) -> PhysicalStream:
    """The stream with other intervals, those that hold no instant left out, in order."""
    moved = stream.valid_during(start, end)
    return in_order(moved.take(moved.start < moved.end))


def _nulls(stream: PhysicalStream) -> Bools:
    masks = [np.zeros(len(stream), np.bool_), *(~column.mask() for column in stream.columns)]
    nulls: Bools = np.logical_or.reduce(masks)
    return nulls


def _first_of_ties(stream: PhysicalStream) -> PhysicalStream:
    return stream.take(np.unique(stream.start, return_index=True)[1])


def _no_ties_between_sources(inputs: Inputs) -> Inputs:
    """If two sources tie, the second one loses its element."""
    seen: set[int] = set()
    kept = {}
    for name, stream in inputs.items():
        kept[name] = stream.take(np.array([t not in seen for t in stream.start.tolist()], np.bool_))
        seen |= set(stream.start.tolist())
    return kept


def _as_set(stream: PhysicalStream) -> PhysicalStream:
    rows = list(dict.fromkeys(stream.to_interval().elements))
    return PhysicalStream.from_elements(stream.schema, rows)


def _glued(stream: PhysicalStream) -> PhysicalStream:
    """Equal rows are merged into one interval, whatever lies between."""
    spans: dict[Row, list[Interval]] = {}
    for row, interval in stream.to_interval().elements:
        spans.setdefault(row, []).append(interval)
    glued = [(row, Interval(found[0].start, max(i.end for i in found))) for row, found in spans.items()]
    return PhysicalStream.from_elements(stream.schema, sorted(glued, key=lambda element: element[1].start))


def _renamed(stream: PhysicalStream) -> PhysicalStream:
    names = [Named(f"c{i}", type_) for i, type_ in enumerate(stream.schema.types)]
    return stream.with_columns(Schema(tuple(names)), stream.columns)


def _floats(stream: PhysicalStream) -> PhysicalStream:
    wide = {Type.INT: Type.FLOAT}
    schema = Schema(tuple(Named(c.name, wide.get(c.type, c.type)) for c in stream.schema.columns))
    columns = [
        ColumnVector(wide[c.type], c.values.astype(float), c.valid) if c.type in wide else c for c in stream.columns
    ]
    return stream.with_columns(schema, columns)


def _signed_zeros(stream: PhysicalStream) -> PhysicalStream:
    """A zero with a negative sign is taken for a number of its own."""
    return stream.with_columns(stream.schema, [_sign(column) for column in stream.columns])


def _sign(column: ColumnVector) -> ColumnVector:
    if column.type is not Type.FLOAT:
        return column
    negative = (column.values == 0) & np.signbit(column.values)
    return ColumnVector(column.type, np.where(negative, -5e-324, column.values), column.valid)


def _endless_output(stream: PhysicalStream) -> Iterator[tuple[Row, Interval]]:
    elements = stream.to_interval().elements
    return (elements[0] for _ in count()) if elements else iter(())


def _pops(plan: Plan, sources: dict[str, AnyStream]) -> None:
    sources.pop(next(iter(sources)))


def _overwrites(plan: Plan, sources: dict[str, AnyStream]) -> None:
    for stream in sources.values():
        if isinstance(stream, PhysicalStream):
            stream.end[:] = stream.start + 1


def _empties(plan: Plan, sources: dict[str, AnyStream]) -> None:
    for stream in sources.values():
        if not isinstance(stream, PhysicalStream):
            object.__setattr__(stream, "elements", ())  # a careful engine cannot: streams are frozen


def _fails_on_empty(plan: Plan, sources: dict[str, AnyStream]) -> None:
    for stream in sources.values():
        if len(PhysicalStream.of(stream)) == 0:
            raise ZeroDivisionError("an average over nothing")


def _quits(plan: Plan, sources: dict[str, AnyStream]) -> None:
    if len(plan.inputs) == 2:
        raise SystemExit(3)


def _forgetful() -> ChangeOutput:
    """Every other result has lost its last element."""
    numbers = count()
    return lambda stream: stream.take(np.s_[: len(stream) - next(numbers) % 2])


def _remembering() -> ChangeOutput:
    """Elements of the last result come again."""
    last: dict[Schema, PhysicalStream] = {}

    def again(stream: PhysicalStream) -> PhysicalStream:
        before = last.get(stream.schema, PhysicalStream.empty(stream.schema))
        last[stream.schema] = stream
        return in_order(joined([stream, before.take(np.s_[:1])]))

    return again


_INPUTS: Final[tuple[tuple[str, ChangeInputs], ...]] = (
    ("loses the last element of a source", each_input(lambda s: s.take(np.s_[:-1]))),
    ("inputs start one late", each_input(lambda s: valid(s, s.start + 1, s.end))),
    ("inputs end one early", each_input(lambda s: valid(s, s.start, np.where(s.end == ENDLESS, s.end, s.end - 1)))),
    ("inputs end one late", each_input(lambda s: valid(s, s.start, np.where(s.end == ENDLESS, s.end, s.end + 1)))),
    ("endless intervals last one instant", each_input(lambda s: valid(s, s.start, np.where(s.end == ENDLESS, s.start + 1, s.end)))),
    ("every input is treated as raw", each_input(lambda s: valid(s, s.start, s.start + 1))),
    ("intervals include their end", each_input(lambda s: valid(s, s.start, np.where(s.end - s.start == 1, s.end, np.minimum(s.end, ENDLESS - 1) + 1)))),
    ("first of ties wins", each_input(_first_of_ties)),
    ("instant 0 is too early", each_input(lambda s: s.take(s.start > 0))),
    ("large batches are cut", each_input(lambda s: s.take(np.s_[:5]))),
    ("inputs with NULL are dropped", each_input(lambda s: s.take(~_nulls(s)))),
    ("inputs are sets", each_input(_as_set)),
    ("ties between sources are lost", _no_ties_between_sources),
    ("silence ends a stream", each_input(lambda s: s.take(s.start < 10))),
    ("zero has two signs", each_input(_signed_zeros)),
    ("nested intervals are dropped", each_input(lambda s: s.take(s.end >= np.maximum.accumulate(s.end)) if len(s) else s)),
)  # fmt: skip
_OUTPUTS: Final[tuple[tuple[str, ChangeOutput], ...]] = (
    ("output loses its last element", lambda s: s.take(np.s_[:-1])),
    ("output loses its first element", lambda s: s.take(np.s_[1:])),
    ("output ends one early", lambda s: valid(s, s.start, s.end - 1)),
    ("output ends one late", lambda s: valid(s, s.start, s.end + 1)),
    ("emits early", lambda s: valid(s, np.maximum(s.start - 1, 0), s.end)),
    ("output is a set", _as_set),
    ("coalesces across gaps", _glued),
    ("output in reverse", lambda s: s.take(np.s_[::-1])),
    ("empty intervals", lambda s: s.valid_during(s.start, s.start)),
    ("negative starts", lambda s: s.valid_during(s.start - 1, s.end)),
    ("output has other column names", _renamed),
    ("integers become floats", _floats),
    ("no result", lambda s: None),
    ("never ends", _endless_output),
    ("every other output loses an element", _forgetful()),
    ("repeats an element of the last output", _remembering()),
)  # fmt: skip
_MANNERS: Final[tuple[tuple[str, Misbehave], ...]] = (
    ("takes a source away", _pops),
    ("overwrites its inputs", _overwrites),
    ("empties its inputs", _empties),
    ("fails on empty input", _fails_on_empty),
    ("quits", _quits),
)
ENGINES: Final[tuple[Mutant, ...]] = tuple(
    Mutant(engine, "engine")
    for engine in (
        *(WrongInputs(name, change) for name, change in _INPUTS),
        *(WrongOutput(name, change) for name, change in _OUTPUTS),
        *(Misbehaving(name, misbehave) for name, misbehave in _MANNERS),
    )
)
