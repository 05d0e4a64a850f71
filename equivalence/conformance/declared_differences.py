"""Differences that the documentation of an engine admits: its adapter declares them by name, and they refute nothing.

They are reported as known gaps, with a sentence; one that does not show is reported, too, as a stale gap.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.finding import Finding
from physical.columns.stream import PhysicalStream
from semantics import Multiset, SnapeqError, Type, Value
from semantics.aggregate import Aggregate, Avg, StddevPop, Sum, VarPop
from semantics.over import FrameAggregate
from semantics.plan import Aggregation, Grouping, Over

OVERFLOW: Final = re.compile("overflow|out of range", re.IGNORECASE)


@dataclass(frozen=True)
class DeclaredDifference:
    """A sentence for reports, and which findings it explains."""

    sentence: str
    explains: Callable[[Finding], bool]


def _has_special_float(finding: Finding) -> bool:
    return any(isinstance(value, float) and not math.isfinite(value) for value in _values(finding))


def _is_float_sum(finding: Finding) -> bool:
    found = finding.counterexample
    blamed = None if found is None else found.blamed
    if finding.name is not FaultKind.WRONG_RESULT or not isinstance(blamed, Aggregation | Grouping | Over):
        return False
    sums = {i: one for i, one in _aggregates(blamed) if isinstance(one, Sum | Avg | VarPop | StddevPop)}
    if isinstance(found, Counterexample) and found.plans == (blamed,):
        # Means and variances of integers are made of floats, too.
        rounded = {i for i, one in sums.items() if one.argument.type is Type.FLOAT or not isinstance(one, Sum)}
        return bool(rounded) and _differs_only_in(rounded, found)
    return any(one.argument.type is Type.FLOAT for one in sums.values()) and not _has_special_float(finding)


def _aggregates(node: Aggregation | Grouping | Over) -> Iterator[tuple[int, Aggregate]]:
    """The aggregates, with the columns in which they stand."""
    if isinstance(node, Over):
        made = [f.aggregate if isinstance(f, FrameAggregate) else None for f in node.functions]
        return ((len(node.input.schema) + i, one) for i, one in enumerate(made) if one is not None)
    return enumerate(node.aggregates, len(node.keys) if isinstance(node, Grouping) else 0)


def _differs_only_in(columns: Collection[int], found: Counterexample) -> bool:
    """Are both sides the same but for these columns, in which the right answer is a number, or NULL on both sides?"""

    def rest(side: Multiset) -> Counter[str]:
        kept = ([value is None if i in columns else value for i, value in enumerate(row)] for row in side)
        return Counter(map(repr, kept))

    numbers = [row[i] for row in found.left for i in columns]
    return rest(found.left) == rest(found.right) and not any(number != number for number in numbers)


def _has_nul(finding: Finding) -> bool:
    return any(isinstance(value, str) and "\0" in value for value in _values(finding))


def _is_overflow(finding: Finding) -> bool:
    missed = finding.name is FaultKind.MISSED_OVERFLOW
    return missed or (finding.name is FaultKind.RAISES and OVERFLOW.search(finding.message) is not None)


def _values(finding: Finding) -> Iterator[Value]:
    """All values in the streams of the case."""
    streams = finding.counterexample.streams.values() if finding.counterexample is not None else ()
    for stream in streams:
        for row, _, _ in PhysicalStream.of(stream).to_elements():
            yield from row


DECLARABLE: Final[Mapping[str, DeclaredDifference]] = {
    "special floats": DeclaredDifference("NaN and the infinities are not values like any others", _has_special_float),
    "float sums": DeclaredDifference("sums of floats are rounded on the way, and may leave the doubles", _is_float_sum),
    "NUL in texts": DeclaredDifference("a text holds no character of code 0, or is cut off there", _has_nul),
    "overflow": DeclaredDifference(
        "when an integer overflow is an error is not promised: some are missed, others are on rows that nobody needs",
        _is_overflow,
    ),
}
"""What an adapter may declare."""


def check_declared(names: tuple[str, ...], engine: str) -> tuple[str, ...]:
    """The names, if each is one."""
    unknown = [name for name in names if name not in DECLARABLE]
    if unknown:
        known = ", ".join(DECLARABLE)
        raise SnapeqError(f"engine {engine}: differences must be among {known}; got {', '.join(map(str, unknown))}")
    return names


def explained_by(names: tuple[str, ...], finding: Finding) -> str | None:
    """The first of these differences that explains a finding."""
    return next((name for name in names if DECLARABLE[name].explains(finding)), None)
