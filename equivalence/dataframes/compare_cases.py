"""Where the output of a job differs from the right answer, case by case."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from equivalence.conformance.subject.tolerance import close
from equivalence.programs.placed_cases import PlacedCases
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from semantics import Instant, Multiset, Row
from semantics.value import identical_row

Piece = tuple[Row, int, int, int]
"""A row, from when until when it is valid, and how often."""


@dataclass(frozen=True)
class CaseDifference:
    """The first wrong instant of a case, counted from its beginning; the right snapshot, and the job's."""

    case: int
    instant: Instant
    right: Multiset
    found: Multiset


def first_differences(
    right: PhysicalStream, found: PhysicalStream, placed: PlacedCases, tolerance: float
) -> list[CaseDifference]:
    """The first difference of each case that has one; both streams have counts."""
    sides = _by_case(right, placed), _by_case(found, placed)
    differences = []
    for case in range(len(placed.cases)):
        first = _first(sides[0][case], sides[1][case], tolerance)
        if first is not None:
            t, *snapshots = first
            differences.append(CaseDifference(case, t, *snapshots))
    return differences


def _by_case(stream: PhysicalStream, placed: PlacedCases) -> dict[int, list[Piece]]:
    """The pieces of a stream in each period, with times from its beginning; what is before all is in the first."""
    found: dict[int, list[Piece]] = defaultdict(list)
    period = placed.period
    *values, counts = stream.columns
    times = zip(stream.start.tolist(), stream.end.tolist(), counts.values.tolist(), strict=True)
    for row, (start, end, n) in zip(map(identical_row, rows(values)), times, strict=True):
        until = min(end, placed.horizon)
        for case in range(max(start, 0) // period, max(-(-until // period), 1)):
            since = case * period
            found[case].append((row, max(start - since, 0) if case else start, min(until - since, period), n))
    return found


def _first(right: Sequence[Piece], found: Sequence[Piece], tolerance: float) -> tuple[int, Multiset, Multiset] | None:
    if sorted(map(repr, right)) == sorted(map(repr, found)):
        return None
    for t in sorted({t for _, start, end, _ in (*right, *found) for t in (start, end)}):
        snapshots = _at(right, t), _at(found, t)
        if not close(*snapshots, tolerance):
            return t, *snapshots
    return None


def _at(pieces: Sequence[Piece], t: int) -> Multiset:
    return Multiset.sum((row, n) for row, start, end, n in pieces if start <= t < end)
