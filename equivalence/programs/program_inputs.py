"""Streams as the tables that a program gets: the declared columns, in their order, with times as they are declared."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import layout
from physical.columns.arrow import to_arrow
from physical.columns.arrow_types import arrow_type
from physical.columns.stream import PhysicalStream
from physical.files.layout import Layout
from physical.kernels.types import ENDLESS, Ints
from semantics import SnapeqError, Stream
from semantics.how_many import how_many

MOMENT: Final = pa.timestamp("us", tz="UTC")


@dataclass(frozen=True)
class ProgramInput:
    """One stream or table of a query."""

    name: str
    columns: tuple[str, ...]
    layout: Layout

    def table(self, stream: Stream | PhysicalStream) -> pa.Table:
        """All elements of a stream, in their order; text is plain text."""
        elements = PhysicalStream.of(stream)
        arrays = zip(elements.schema.columns, to_arrow(elements).columns, strict=False)
        named = {column.name: array.cast(arrow_type(column.type)) for column, array in arrays}
        if self.layout.start is not None:
            named[self.layout.start] = self._times(self.layout.start, elements.start)
        if self.layout.end is not None:
            named[self.layout.end] = self._times(self.layout.end, elements.end)
        return pa.table({column: named[column] for column in self.columns})

    def _times(self, column: str, instants: Ints) -> pa.Array:
        endless = instants == ENDLESS
        if column not in self.layout.timestamps:
            return pa.array(instants, mask=endless)
        return pa.array(np.where(endless, 0, instants) * (self.layout.unit * 1000), mask=endless).cast(MOMENT)


def program_inputs(query: QueryOverFiles) -> list[ProgramInput]:
    """The inputs of a program for a query, in the order of their declarations."""
    found = []
    for source in query.sources:
        known, declared = layout(source.name, query), query.declaration(source.name)
        columns = known.names if declared is None else declared.columns
        found.append(ProgramInput(source.name, columns, known))
    order = [] if query.catalogue is None else list(query.catalogue.relations)
    return sorted(found, key=lambda one: order.index(one.name) if one.name in order else len(order))


def milliseconds_of(query: QueryOverFiles) -> int:
    """How long an instant of a query is."""
    return 1000 if query.catalogue is None else query.catalogue.unit.value


def called(program: Callable[..., Any], what: str, inputs: Sequence[ProgramInput], given: Sequence[Any]) -> Any:
    """Call a program with its inputs: by the names of its parameters, in order, or all in one mapping."""
    by_name = {one.name.lower(): data for one, data in zip(inputs, given, strict=True)}
    wanted = parameters_of(program)
    if {p.name.lower() for p in wanted} == by_name.keys():
        return program(**{p.name: by_name[p.name.lower()] for p in wanted})
    if len(wanted) == len(given):
        return program(*given)
    if len(wanted) == 1:
        return program({one.name: data for one, data in zip(inputs, given, strict=True)})
    streams = ", ".join(one.name for one in inputs)
    raise SnapeqError(
        f"{what} takes {how_many(len(wanted), 'argument')}; expected one for each of {streams}, or one mapping"
    )


def parameters_of(program: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a program that have to be given."""
    return [
        p
        for p in inspect.signature(program).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


def name_of(program: Callable[..., Any]) -> str:
    """What a program is called in evidence."""
    return str(getattr(program, "__name__", type(program).__name__))
