"""Are two answers the same? A benchmark whose sides disagree is worthless.

Small streams are compared by their canonical forms as sorted arrays. Large ones by a fingerprint in linear time: the
sum of hash(row, instant) over all bounds, starts counted positive and ends negative. It depends on the snapshots
alone, and differs for different ones except with a probability of about 1 in 2⁶⁴.
"""

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness.table import Answer, Array, Ints, Table

EXACT_UP_TO = 400_000
"""Up to this many elements, sorting them is fast."""


class Disagreement(Exception):
    """Two contestants gave different answers to the same question."""


def check_agreement(what: str, answers: dict[str, Answer]) -> None:
    """Raise a Disagreement that says how the first answer and another one differ."""
    (first, expected), *others = answers.items()
    for name, answer in others:
        difference = compare(expected, answer)
        if difference:
            raise Disagreement(f"{what}: {first} and {name} disagree: {difference}")


def compare(left: Answer, right: Answer) -> str | None:
    """How two answers differ, or None."""
    if not isinstance(left, Table) or not isinstance(right, Table):
        return None if left is right else f"{_shown(left)} against {_shown(right)}"
    if set(left.columns) != set(right.columns):
        return f"columns {', '.join(left.columns)} against {', '.join(right.columns)}"
    flaw = _flaw(left) or _flaw(right)
    if flaw:
        return flaw
    names = list(left.columns)
    if max(len(left), len(right)) > EXACT_UP_TO:
        return None if fingerprint(left, names) == fingerprint(right, names) else "their fingerprints differ"
    return _first_difference(canonical(left, names), canonical(right, names))


def canonical(table: Table, names: list[str]) -> list[Array]:
    """The columns, start, end and multiplicity of the canonical form, sorted by columns and then by start."""
    rows, times, change = _bounds(table, names)
    order = np.lexsort([times, *reversed(rows)])
    keys = [key[order] for key in (*rows, times)]
    first = np.flatnonzero(_changes(keys))
    net = np.add.reduceat(change[order], first) if len(first) else first
    first, net = first[net != 0], net[net != 0]
    here = np.flatnonzero(np.cumsum(net) > 0)
    begin, end = first[here], first[here + 1]
    return [*(key[begin] for key in keys), keys[-1][end], np.cumsum(net)[here]]


def fingerprint(table: Table, names: list[str]) -> int:
    """The same number for equivalent streams, and almost never for others."""
    rows, times, change = _bounds(table, names)
    hashes = np.zeros(len(times), np.uint64)
    for key in (*rows, times):
        hashes = _mixed(hashes + key.view(np.uint64))
    return int((hashes * change.view(np.uint64)).sum())


def _bounds(table: Table, names: list[str]) -> tuple[list[Ints], Ints, Ints]:
    """Every element twice: where it comes and where it goes, with the change in multiplicity."""
    rows = [np.tile(_codes(table.columns[name]), 2) for name in names]
    times = np.concatenate([table.start, table.end])
    return rows, times, np.concatenate([table.count, -table.count])


def _codes(column: Array) -> Ints:
    """Integers that are equal iff the values are."""
    if column.dtype.kind != "f":
        return column.astype(np.int64)
    return (column.astype(np.float64) + 0.0).view(np.int64)


def _changes(keys: list[Ints]) -> NDArray[np.bool_]:
    """Where a row of keys differs from the one before."""
    changes = np.ones(len(keys[0]), np.bool_)
    changes[1:] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    return changes


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of splitmix64: every bit of the input changes half the bits of the output."""
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _first_difference(left: list[Array], right: list[Array]) -> str | None:
    """The first run (columns as codes, start, end, multiplicity) that only one side has."""
    pairs = zip(np.column_stack(left).tolist(), np.column_stack(right).tolist(), strict=False)
    for mine, yours in pairs:
        if mine != yours:
            return f"run {mine} against {yours}"
    if len(left[0]) != len(right[0]):
        return f"{len(left[0])} runs against {len(right[0])}"
    return None


def _flaw(table: Table) -> str | None:
    """The first element that no stream may have: it would cancel out when bounds are added up."""
    wrong = (table.end <= table.start) | (table.count <= 0)
    if not wrong.any():
        return None
    i = int(np.argmax(wrong))
    return f"element {i} is valid during [{table.start[i]}, {table.end[i]}), {table.count[i]} times"


def _shown(answer: Answer) -> str:
    return f"{len(answer)} elements" if isinstance(answer, Table) else str(answer)
