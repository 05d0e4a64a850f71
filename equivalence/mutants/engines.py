"""Engines that are wrong as engines: the interval engine, spoilt before or after it runs."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any, Final

import numpy as np

from equivalence.mutants.mutant import Mutant
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.engines.interval.engine import IntervalEngine
from physical.kernels.types import ENDLESS
from semantics import Column, Plan, Schema, Type

Before = Callable[[dict[str, PhysicalStream]], dict[str, PhysicalStream]]
After = Callable[[PhysicalStream], Any]
_ENGINE: Final = IntervalEngine()


class Spoilt:
    """The interval engine with its inputs or its output spoilt."""

    def __init__(self, name: str, before: Before | None = None, after: After | None = None) -> None:
        self.name = name
        self.before = before
        self.after = after

    def supports(self, plan: Plan) -> bool:  # all of them
        return True

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> Any:
        inputs: dict[str, Any] = dict(sources)
        if self.before is not None:
            inputs = self.before({name: PhysicalStream.of(stream) for name, stream in sources.items()})
        result = _ENGINE.run(plan, inputs, horizon)
        return result if self.after is None else self.after(result)


class Ravaging(Spoilt):
    """The interval engine, which does something to its inputs or to itself on the way."""

    def __init__(self, name: str, ravage: Callable[[Plan, Any], None]) -> None:
        super().__init__(name)
        self.ravage = ravage

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> Any:
        result = _ENGINE.run(plan, sources, horizon)
        self.ravage(plan, sources)
        return result


def each(spoil: Callable[[PhysicalStream], PhysicalStream]) -> Before:
    """Every input spoilt by itself."""
    return lambda inputs: {name: spoil(stream) for name, stream in inputs.items()}


def valid(stream: PhysicalStream, start: Any, end: Any) -> PhysicalStream:
    """The stream with other intervals, those that hold no instant left out, in order."""
    moved = stream.valid_during(np.asarray(start, np.int64), np.asarray(end, np.int64))
    return in_order(moved.take(moved.start < moved.end))


def _nulls(stream: PhysicalStream) -> Any:
    masks = [~column.mask() for column in stream.columns]
    return np.logical_or.reduce(masks) if masks else np.zeros(len(stream), np.bool_)


def _first_of_ties(stream: PhysicalStream) -> PhysicalStream:
    return stream.take(np.unique(stream.start, return_index=True)[1])


def _no_ties_between_sources(inputs: dict[str, PhysicalStream]) -> dict[str, PhysicalStream]:
    """Of two sources that tie the second one loses the element."""
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
    spans: dict[Any, list[Any]] = {}
    for row, interval in stream.to_interval().elements:
        spans.setdefault(row, []).append(interval)
    start = {row: found[0].start for row, found in spans.items()}
    glued = [(row, type(found[0])(start[row], max(i.end for i in found))) for row, found in spans.items()]
    return PhysicalStream.from_elements(stream.schema, sorted(glued, key=lambda element: element[1].start))


def _renamed(stream: PhysicalStream) -> PhysicalStream:
    names = [Column(f"c{i}", type_) for i, type_ in enumerate(stream.schema.types)]
    return stream.with_columns(Schema(tuple(names)), stream.columns)


def _floats(stream: PhysicalStream) -> PhysicalStream:
    wide = {Type.INT: Type.FLOAT}
    schema = Schema(tuple(Column(c.name, wide.get(c.type, c.type)) for c in stream.schema.columns))
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


def _endless_output(stream: PhysicalStream) -> Iterator[Any]:
    elements = stream.to_interval().elements
    return (elements[0] for _ in count()) if elements else iter(())


def _pops(plan: Plan, sources: Any) -> None:
    sources.pop(next(iter(sources)))


def _overwrites(plan: Plan, sources: Any) -> None:
    for stream in sources.values():
        if isinstance(stream, PhysicalStream):
            stream.end[:] = stream.start + 1


def _empties(plan: Plan, sources: Any) -> None:
    for stream in sources.values():
        if not isinstance(stream, PhysicalStream):
            object.__setattr__(stream, "elements", ())


def _fails_on_empty(plan: Plan, sources: Any) -> None:
    for stream in sources.values():
        if len(PhysicalStream.of(stream)) == 0:
            raise ZeroDivisionError("an average over nothing")


def _quits(plan: Plan, sources: Any) -> None:
    if len(plan.inputs) == 2:
        raise SystemExit(3)


def _forgetful() -> After:
    """Every other result has lost its last element."""
    numbers = count()
    return lambda stream: stream.take(np.s_[: len(stream) - next(numbers) % 2])


def _remembering() -> After:
    """Elements of the last result come again."""
    last: dict[Schema, PhysicalStream] = {}

    def again(stream: PhysicalStream) -> PhysicalStream:
        before = last.get(stream.schema, PhysicalStream.empty(stream.schema))
        last[stream.schema] = stream
        return in_order(joined([stream, before.take(np.s_[:1])]))

    return again


_BEFORE: Final[tuple[tuple[str, Before], ...]] = (
    ("loses the last element of a source", each(lambda s: s.take(np.s_[:-1]))),
    ("starts one late", each(lambda s: valid(s, s.start + 1, s.end))),
    ("inputs end one early", each(lambda s: valid(s, s.start, np.where(s.end == ENDLESS, s.end, s.end - 1)))),
    ("inputs end one late", each(lambda s: valid(s, s.start, np.where(s.end == ENDLESS, s.end, s.end + 1)))),
    ("takes for ever for one instant", each(lambda s: valid(s, s.start, np.where(s.end == ENDLESS, s.start + 1, s.end)))),
    ("takes every input for raw", each(lambda s: valid(s, s.start, s.start + 1))),
    ("takes intervals for closed", each(lambda s: valid(s, s.start, np.where(s.end - s.start == 1, s.end, np.minimum(s.end, ENDLESS - 1) + 1)))),
    ("first of ties wins", each(_first_of_ties)),
    ("instant 0 is too early", each(lambda s: s.take(s.start > 0))),
    ("large batches are cut", each(lambda s: s.take(np.s_[:5]))),
    ("inputs with NULL are dropped", each(lambda s: s.take(~_nulls(s)))),
    ("inputs are sets", each(_as_set)),
    ("ties between sources are lost", _no_ties_between_sources),
    ("silence ends a stream", each(lambda s: s.take(s.start < 10))),
    ("zero has two signs", each(_signed_zeros)),
    ("nested intervals are dropped", each(lambda s: s.take(s.end >= np.maximum.accumulate(s.end)) if len(s) else s)),
)  # fmt: skip
_AFTER: Final[tuple[tuple[str, Callable[[], After]], ...]] = (
    ("loses the tail", lambda: lambda s: s.take(np.s_[:-1])),
    ("loses the head", lambda: lambda s: s.take(np.s_[1:])),
    ("ends one early", lambda: lambda s: valid(s, s.start, s.end - 1)),
    ("ends one late", lambda: lambda s: valid(s, s.start, s.end + 1)),
    ("emits early", lambda: lambda s: valid(s, np.maximum(s.start - 1, 0), s.end)),
    ("output is a set", lambda: _as_set),
    ("coalesces across gaps", lambda: _glued),
    ("output in reverse", lambda: lambda s: s.take(np.s_[::-1])),
    ("empty intervals", lambda: lambda s: s.valid_during(s.start, s.start)),
    ("negative starts", lambda: lambda s: s.valid_during(s.start - 1, s.end)),
    ("other names", lambda: _renamed),
    ("integers become floats", lambda: _floats),
    ("no result", lambda: lambda s: None),
    ("never ends", lambda: _endless_output),
    ("forgets now and then", _forgetful),
    ("remembers the last result", _remembering),
)  # fmt: skip
_RAVAGES: Final[tuple[tuple[str, Callable[[Plan, Any], None]], ...]] = (
    ("takes a source away", _pops),
    ("overwrites its inputs", _overwrites),
    ("empties its inputs", _empties),
    ("fails on empty input", _fails_on_empty),
    ("quits", _quits),
)
ENGINES: Final[tuple[Mutant, ...]] = (
    *(Mutant(name, "engine", Spoilt(name, before=before)) for name, before in _BEFORE),
    *(Mutant(name, "engine", Spoilt(name, after=make())) for name, make in _AFTER),
    *(Mutant(name, "engine", Ravaging(name, ravage)) for name, ravage in _RAVAGES),
)
