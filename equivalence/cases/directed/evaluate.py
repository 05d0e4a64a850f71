"""The results of plans on a case with times of any size."""

from collections.abc import Sequence
from typing import Final

from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import settled_after
from equivalence.cases.random_cases import Case
from semantics import FOREVER, Plan, TooManyChanges
from semantics.sparse import SparseEvaluation, SparseStream
from semantics.time import End

MOST_CHANGES_OF_A_CASE: Final = 20_000
"""A case with more is given up: it would take longer than hundreds of others."""


def evaluate_case(plans: Sequence[Plan], case: Case, limit: int = MOST_CHANGES_OF_A_CASE) -> list[SparseStream]:
    """What each plan means on a case, at all instants; raises TooManyChanges where that is too much.

    What is asked of now may change for ever. Then the result is followed until everything else has settled.

    What the plans have in common is evaluated once.

    >>> from semantics import parse, parse_plan
    >>> case = {"S": parse("raw(x int): (7)@1000000000000")}
    >>> [result.at(10**12 + 599) for result in evaluate_case([parse_plan("S(x int) | window(range 600)")], case)]
    [Multiset({(7,): 1})]
    """
    try:
        return _evaluated(plans, case, FOREVER, limit)
    except TooManyChanges:
        if not any(node.mentions_now for plan in plans for node in plan.walk()):
            raise
    return _evaluated(plans, case, settled_after(case, clues_of(*plans)), limit)


def _evaluated(plans: Sequence[Plan], case: Case, horizon: End, limit: int) -> list[SparseStream]:
    evaluation = SparseEvaluation(case, horizon, limit=limit)
    return [evaluation.of(plan) for plan in plans]
