"""When the elements of each group enter and leave, and the arguments of aggregates along that time."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from physical.columns.column import ColumnVector, dtype_of, order_codes, rows
from physical.columns.row_numbers import row_numbers, row_order
from physical.kernels import aggregation_script as kernel
from physical.kernels import extremes, ranks
from physical.kernels.multiplicity import bucketed
from physical.kernels.types import ENDLESS, Array, Bools, Ints
from semantics import StreamError, Type

MAX_ELEMENTS: Final = 2**30
"""Exact sums hold fewer values than this: with more, a limb could overflow (see `physical.kernels.exact`)."""

Given = ColumnVector | tuple[ColumnVector, ...] | None
"""What an aggregate is given: a column, several of them, or nothing for COUNT(*)."""


def given_of(columns: Sequence[ColumnVector]) -> Given:
    """What an aggregate with these arguments is given."""
    return tuple(columns) if len(columns) > 1 else next(iter(columns), None)


@dataclass(frozen=True)
class GroupTimeline:
    """The elements, the script by which they enter and leave their groups, and the rows that the script reads."""

    groups: Ints
    group_count: int
    start: Ints
    end: Ints
    script: Ints
    row_group: Ints
    row_start: Ints
    row_end: Ints

    @classmethod
    def of(cls, groups: Ints, group_count: int, start: Ints, end: Ints) -> "GroupTimeline":
        if len(start) >= MAX_ELEMENTS:
            raise StreamError(f"aggregation: expected fewer than {MAX_ELEMENTS} elements, got {len(start)}")
        departures = np.argsort(end, kind="stable")[: np.count_nonzero(end < ENDLESS)]
        return cls(groups, group_count, start, end, *kernel.scripted(groups, group_count, start, end, departures))

    @cached_property
    def begin(self) -> Ints:
        """Where each group begins if all groups are laid end to end, and where the last one ends."""
        sizes = np.bincount(self.groups, minlength=self.group_count)
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])

    @cached_property
    def leave_in_order(self) -> bool:
        return extremes.leave_in_order(self.groups, self.group_count, self.end)

    def made_of(self, row: int) -> Bools:
        """Which elements a row was computed from."""
        t = self.row_start[row]
        return np.asarray((self.groups == self.row_group[row]) & (self.start <= t) & (t < self.end))


@dataclass(frozen=True)
class Argument:
    """The argument of an aggregate; what several aggregates of one argument need is computed once."""

    given: ColumnVector | None
    timeline: GroupTimeline
    only: Ints | None = None
    """The script, if not all values take part."""

    @property
    def column(self) -> ColumnVector:
        assert self.given is not None, "only COUNT(*) has no argument"
        return self.given

    @cached_property
    def script(self) -> Ints:
        if self.only is not None:
            return self.only
        if self.given is None or self.given.valid is None:
            return self.timeline.script
        return kernel.without_nulls(self.timeline.script, self.given.valid)

    @property
    def followed(self) -> tuple[Ints, Ints, Ints]:
        """The first three parameters of every kernel."""
        return self.script, self.timeline.groups, self.timeline.row_group

    @cached_property
    def counts(self) -> Ints:
        return kernel.counts(*self.followed, self.timeline.group_count)

    @cached_property
    def int_sums(self) -> tuple[Ints, Ints]:
        return kernel.int_sums(*self.followed, self.timeline.group_count, self.column.values)

    @cached_property
    def codes(self) -> Ints:
        return order_codes(self.column)[0]

    @cached_property
    def places(self) -> tuple[Ints, Ints, Ints]:
        """The places that `ranks.placed` gives; NULL has a place too, but never enters."""
        by_code = np.argsort(self.codes)
        order = by_code[bucketed(self.timeline.groups[by_code], self.timeline.group_count)[0]]
        return ranks.placed(self.timeline.groups, self.timeline.begin, self.codes, order)

    def decoded(self, codes: Ints) -> Array:
        """The values that codes stand for."""
        if self.column.type is Type.FLOAT:
            return np.where(codes < 0, np.int64(-(2**63)) - codes - 1, codes).view(np.float64)
        return codes.astype(dtype_of(self.column.type), copy=False)

    @cached_property
    def of_distinct(self) -> "Argument":
        """The same argument, each value once."""
        return replace(self, only=ranks.of_distinct(self.script, self.places[0]))

    def values_at(self, codes: Ints) -> list[Any]:
        """What codes stand for, as the definition of an aggregate takes it in."""
        return ColumnVector(self.column.type, self.decoded(codes), None, self.column.words).to_values()

    def result(self, type_: Type, values: Array, at_least: int = 1) -> ColumnVector:
        """A column of new values, NULL in rows that have too few values."""
        words = self.column.words if type_ is self.column.type else None
        if at_least == 1 and self.column.valid is None:
            return ColumnVector(type_, values, None, words)
        valid = self.counts >= at_least
        values[~valid] = 0
        return ColumnVector(type_, values, None if valid.all() else valid, words)


@dataclass(frozen=True)
class RowArgument(Argument):
    """Several arguments: one column of the places of their rows in the total order, NULL where a needed one is."""

    columns: tuple[ColumnVector, ...] = ()
    first: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """An element that has the row of each place."""

    @classmethod
    def of(cls, columns: tuple[ColumnVector, ...], needed: int, timeline: GroupTimeline) -> "RowArgument":
        order, (numbers, _) = row_order(columns, np.zeros(len(columns[0]), np.int64)), row_numbers(columns)
        begins = np.ones(len(order), np.bool_)
        begins[1:] = numbers[order][1:] != numbers[order][:-1]
        codes = np.empty(len(order), np.int64)
        codes[order] = np.cumsum(begins) - 1
        masks = [column.valid for column in columns[:needed] if column.valid is not None]
        valid = np.logical_and.reduce(masks) if masks else None
        return cls(ColumnVector(Type.INT, codes, valid), timeline, None, columns, order[begins])

    def values_at(self, codes: Ints) -> list[Any]:
        return rows([column.take(self.first[codes]) for column in self.columns])


def argument_of(given: Given, needed: int, timeline: GroupTimeline) -> Argument:
    """What an aggregate is given, along a timeline."""
    return RowArgument.of(given, needed, timeline) if isinstance(given, tuple) else Argument(given, timeline)


def arguments_of(given: Sequence[Given], needed: Sequence[int], timeline: GroupTimeline) -> list[Argument]:
    """The arguments of all aggregates; what several of them have in common is computed once."""
    known: dict[object, Argument] = {}
    found = []
    for columns, count in zip(given, needed, strict=True):
        key = (count, tuple(map(id, columns))) if isinstance(columns, tuple) else id(columns)
        if key not in known:
            known[key] = argument_of(columns, count, timeline)
        found.append(known[key])
    return found
