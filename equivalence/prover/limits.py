"""What of a plan the prover knows by name only: a proof that needs more about it cannot be found."""

from collections.abc import Iterator
from typing import Any

from equivalence.prover.meaning.aggregates import FreeAggregate
from equivalence.prover.meaning.concrete import parts
from semantics import Plan, Type
from semantics.aggregate import Avg, Largest, Median, StddevPop, Sum, UserDefined, VarPop
from semantics.expression import Arithmetic, Like
from semantics.plan import Aggregation, CountWindow, Grouping, PartitionedWindow


def limits(plan: Plan) -> list[str]:
    """Each said once, in the order in which they come up."""
    return list(dict.fromkeys([said for part in parts(plan) for said in _said(part)]))


def _said(part: Any) -> Iterator[str]:
    match part:
        case Median() | VarPop() | StddevPop():
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
        case Aggregation(input=input) | Grouping(input=input) if any(map(_counts, parts(input))):
            yield "an aggregate over a count window"
        case _:
            pass


def _counts(part: Any) -> bool:
    return isinstance(part, CountWindow | PartitionedWindow)
