"""What lies outside the prover's fragment, as far as that can be told from a plan alone.

The prover knows some functions by name only: equal arguments give equal results, and nothing else is known of them. A
proof that needs more cannot be found. Nothing is refused for that, because often the name is all that a proof needs.
"""

from collections.abc import Iterator
from typing import Any

from equivalence.prover.attempt import MOST_OPERATORS, size
from equivalence.prover.meaning.aggregates import FreeAggregate
from equivalence.prover.meaning.concrete import parts
from semantics import Plan, Type
from semantics.aggregate import (
    Avg,
    Bitwise,
    Largest,
    Listed,
    Median,
    Mode,
    Paired,
    Percentile,
    StddevPop,
    StddevSamp,
    Sum,
    UserDefined,
    VarPop,
    VarSamp,
    name_of,
)
from semantics.expression import Arithmetic, Like
from semantics.plan import Aggregation, CountWindow, Grouping, PartitionedWindow


def in_fragment(plan: Plan) -> str | None:
    """Why a proof about a plan may be beyond the prover; None if nothing speaks against one.

    >>> from semantics import median, source
    >>> in_fragment(source("A", x=int).aggregate(m=median("x")).plan)
    'Median is known only as some function of the multiset of values'
    """
    operators = size(plan)
    if operators > MOST_OPERATORS:
        return f"the plan has {operators} operators, at most {MOST_OPERATORS} are attempted"
    return "; ".join(limits(plan)) or None


def limits(plan: Plan) -> list[str]:
    """Each limit once, in the order in which they come up in the plan."""
    return list(dict.fromkeys([limit for part in parts(plan) for limit in _limits_of(part)]))


def _limits_of(part: Any) -> Iterator[str]:
    match part:
        case Paired() | Listed(by=(_, *_)):
            yield f"{name_of(part).upper()} of several columns: the prover knows functions of single values"
        case (
            Median() | Percentile() | Mode() | VarPop() | StddevPop() | VarSamp() | StddevSamp() | Bitwise() | Listed()
        ):
            yield f"{type(part).__name__} is known only as some function of the multiset of values"
        case Largest(rank=rank) if rank > 1:
            yield "the k-th largest value is known only as some function of the multiset of values"
        case UserDefined(function=function) if not isinstance(function, FreeAggregate):
            yield f"{function.name} is known only as some function of the multiset of values"
        case Sum() | Avg() if part.argument.type is Type.FLOAT:
            yield "sums of floats are known only as some function of the multiset of values"
        case Arithmetic() if part.type is Type.FLOAT:
            yield "of arithmetic with floats nothing is known but that it is a function"
        case Like():
            yield "of LIKE nothing is known but that it is a function"
        case Aggregation(input=input) | Grouping(input=input) if any(map(_counts_rows, parts(input))):
            yield "an aggregate over a count window"
        case _:
            pass


def _counts_rows(part: Any) -> bool:
    return isinstance(part, CountWindow | PartitionedWindow)
