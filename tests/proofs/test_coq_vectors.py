"""The reference and the interval engine agree with the oracle that is extracted from the Coq proofs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import deepcopy
from itertools import pairwise
from typing import Any, cast

import pytest

from equivalence.mutants import OPERATORS, WINDOWS, Mutant, WrongReference
from physical import run
from semantics import LogicalStream, Plan, Stream, evaluate
from tests.proofs.vectors import Element, Vector, cases, read

CASES = cases()
VECTORS = [read(case) for case in CASES]
BY_OPERATOR = defaultdict(list)
for each in VECTORS:
    BY_OPERATOR[each.operator].append(each)
ALGORITHMS = ("distinct", "difference", "coalesce", "count", "sum", "max")


def interval_engine(plan: Plan, streams: Mapping[str, Stream], horizon: int) -> LogicalStream:
    return run(plan, streams, horizon).to_logical(horizon)


def by_operator(operators: Iterable[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("operator", operators)


def test_there_are_hundreds_of_cases_of_all_operators() -> None:
    assert len(VECTORS) >= 300
    assert min(len(vectors) for vectors in BY_OPERATOR.values()) >= 12
    assert set(ALGORITHMS) <= set(BY_OPERATOR)


@by_operator(BY_OPERATOR)
def test_oracle_reference(operator: str) -> None:
    for vector in BY_OPERATOR[operator]:
        assert vector.agrees(evaluate), vector


@by_operator(BY_OPERATOR)
def test_oracle_interval_engine(operator: str) -> None:
    for vector in BY_OPERATOR[operator]:
        assert vector.agrees(interval_engine), vector


@by_operator(ALGORITHMS)
def test_the_proved_algorithms_put_out_ordered_elements_that_mean_the_snapshots(operator: str) -> None:
    for vector in BY_OPERATOR[operator]:
        assert vector.elements is not None
        assert vector.is_meant_by(vector.elements), vector


def test_inputs_have_gaps_ties_adjacent_intervals_and_duplicates() -> None:
    inputs = [elements for vector in VECTORS for elements in vector.inputs.values()]
    following = [pair for elements in inputs for pair in pairwise(elements)]
    assert any(not elements for elements in inputs)
    assert any(after[1] > before[2] for before, after in following)
    assert any(after[1] == before[1] and after != before for before, after in following)
    assert any(after[1] == before[2] and after[0] == before[0] for before, after in following)
    assert any(after == before for before, after in following)


# A vector that is altered, an operator that is wrong, an algorithm that is wrong: each is noticed.


def altered(case: dict[str, Any]) -> dict[str, Any]:
    """One more copy of the first row that is anywhere; a row, where there is none."""
    other = deepcopy(case)
    rows = [entry for snapshot in other["snapshots"] for entry in snapshot]
    if rows:
        rows[0][1] += 1
    else:
        other["snapshots"][0].append([[0] * len(read(case).plan.schema), 1])
    return other


def test_every_altered_vector_is_noticed() -> None:
    for case in CASES:
        assert not read(altered(case)).agrees(evaluate)


ELSEWHERE = (
    "NULL",
    "NaN",
    "unknown",
    "nothing is 0",
    "member is 0",
    "first key",
    "Rstream",
    "count window",
    "limit",
    "partition",
)
"""Mutants that are wrong about other values, other operators or more columns than the recorded cases have."""
MUTANTS = [m for m in (*OPERATORS, *WINDOWS) if not any(words in m.name for words in ELSEWHERE)]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_vector_notices_a_wrong_operator(mutant: Mutant) -> None:
    assert any(not vector.agrees(cast(WrongReference, mutant.engine).evaluate) for vector in VECTORS)


def overlapping_distinct(vector: Vector) -> list[Element]:
    """Drops only duplicates with the same interval."""
    return sorted(set(vector.inputs["A"]), key=lambda element: element[1])


def difference_of_whole_elements(vector: Vector) -> list[Element]:
    """Takes away elements, where it should take away instants."""
    return [element for element in vector.inputs["A"] if element not in vector.inputs["B"]]


def coalesce_of_overlaps(vector: Vector) -> list[Element]:
    """Merges intervals that overlap, where it should merge those that meet."""
    merged: list[Element] = []
    for value, start, end in vector.inputs["A"]:
        if merged and merged[-1][0] == value and merged[-1][2] >= start:
            value, start, before = merged.pop()
            end = max(end, before)
        merged.append((value, start, end))
    return merged


def sum_without_cuts(vector: Vector) -> list[Element]:
    """Sums what starts together, and does not see what is still there."""
    starts = sorted({start for _, start, _ in vector.inputs["A"]})
    together = [[element for element in vector.inputs["A"] if element[1] == start] for start in starts]
    return [(sum(value for value, _, _ in parts), parts[0][1], parts[0][2]) for parts in together]


WRONG = {
    "distinct": overlapping_distinct,
    "difference": difference_of_whole_elements,
    "coalesce": coalesce_of_overlaps,
    "sum": sum_without_cuts,
}


@by_operator(WRONG)
def test_a_vector_notices_a_wrong_algorithm(operator: str) -> None:
    assert any(not vector.is_meant_by(WRONG[operator](vector)) for vector in BY_OPERATOR[operator])
