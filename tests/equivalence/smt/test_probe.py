"""Soundness probe over all plans of up to two operators: what is proved never differs, what differs is never proved."""

from collections import defaultdict
from functools import cache
from itertools import combinations, product
from typing import Final

from equivalence.free import Instance
from equivalence.generate.choices import Seeded
from equivalence.generate.rows import Rows
from equivalence.generate.streams import a_stream
from equivalence.prover.attempt import Statement, attempt
from semantics import LogicalStream, Plan, Query, Stream, case, col, count, evaluate, source
from semantics.evaluate import Snapshots, apply

A: Final = source("A", x=int)
B: Final = source("B", x=int)
HORIZON: Final = 4
STREAMS: Final = 60
"""On so many pairs of streams plans are first told apart."""
MORE: Final = 40
"""Every pair that is proved is compared on so many more."""
NEAR: Final = 120
"""So many pairs that differ are tried to be proved: those that differ least often."""


def unary(query: Query) -> list[Query]:
    half = case((col("x") > 0, 1), default=0)
    return [
        query.filter(col("x") > 0),
        query.select(x=half),
        query.distinct(),
        query.window(2),
        query.istream(),
        query.aggregate(x=count()),
    ]


def binary(left: Query, right: Query) -> list[Query]:
    return [left.union(right), left.difference(right), left.intersection(right)]


@cache
def plans() -> tuple[Plan, ...]:
    """All plans with up to two operators."""
    none = [A, B]
    one = [q for x in none for q in unary(x)] + [q for x, y in product(none, none) for q in binary(x, y)]
    two = [q for x in one for q in unary(x)]
    two += [q for x, y in [*product(one, none), *product(none, one)] for q in binary(x, y)]
    return tuple(q.plan for q in [*none, *one, *two])


def streams(seed: str) -> dict[str, Stream]:
    choices = Seeded(seed)
    rows = Rows(choices, awkward=False)
    return {name: a_stream(choices, A.schema, 6, rows) for name in "AB"}


def outputs(seed: str) -> list[Snapshots]:
    """The snapshots of all plans on the same streams; shared subplans are evaluated once."""
    known: dict[Plan, Snapshots] = {}
    case_ = streams(seed)

    def of(plan: Plan) -> Snapshots:
        if plan not in known:
            inputs = tuple(map(of, plan.inputs))
            known[plan] = apply(plan, inputs) if inputs else evaluate(plan, case_, HORIZON).snapshots
        return known[plan]

    return [of(plan) for plan in plans()]


@cache
def prints() -> tuple[tuple[int, ...], ...]:
    """For every plan and every pair of streams, which of the different outputs it has."""
    rows = []
    for number in range(STREAMS):
        numbered: dict[Snapshots, int] = {}
        rows.append([numbered.setdefault(output, len(numbered)) for output in outputs(f"probe/{number}")])
    return tuple(zip(*rows, strict=True))


def proved(left: Plan, right: Plan) -> bool:
    return attempt(Statement(Instance(left, right))).found


def test_what_is_proved_never_differs() -> None:
    classes = defaultdict(list)
    for i, print_ in enumerate(prints()):
        classes[print_].append(i)
    pairs = [(members[0], other) for members in classes.values() for other in members[1:]]
    found = [(i, j) for i, j in pairs if proved(plans()[i], plans()[j])]
    assert len(found) > 0.8 * len(pairs)
    compared = 0
    for number in range(MORE):
        held = outputs(f"more/{number}")
        for i, j in found:
            compared += 1
            assert held[i] == held[j], (plans()[i], plans()[j])
    assert compared + STREAMS * len(found) >= 10_000


def test_what_differs_is_never_proved() -> None:
    """The pairs that differ least often are the most tempting."""
    differences = [
        (sum(a != b for a, b in zip(prints()[i], prints()[j], strict=True)), i, j)
        for i, j in combinations(range(len(plans())), 2)
        if prints()[i] != prints()[j]
    ]
    nearest = sorted(differences)[:NEAR]
    assert not [(plans()[i], plans()[j]) for _, i, j in nearest if proved(plans()[i], plans()[j])]


def test_the_probe_tells_plans_apart() -> None:
    assert len(plans()) > 300
    assert len(set(prints())) > 100
    assert isinstance(evaluate(A, streams("probe/0"), HORIZON), LogicalStream)
