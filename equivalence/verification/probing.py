"""Soundness probe: over all small plans, what is proved never differs, and what differs is never proved."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from equivalence.free import Instance
from equivalence.generate.choices import Seeded
from equivalence.generate.rows import Rows
from equivalence.generate.streams import a_stream
from equivalence.prover.attempt import Statement, attempted
from equivalence.verification.effort import Effort
from equivalence.verification.outcome import Outcome
from semantics import Plan, Query, Stream, case, col, count, evaluate, show, source
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
DECIDED: Final = 0.8
"""Of the pairs that seem to be equal, so many have to be proved, or the probe shows little."""


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


def queries(operators: int) -> list[Query]:
    """All queries with just so many operators."""
    if operators == 0:
        return [A, B]
    made = [q for x in queries(operators - 1) for q in unary(x)]
    for below in range(operators):
        made += [q for x, y in product(queries(below), queries(operators - 1 - below)) for q in binary(x, y)]
    return made


def streams(seed: str) -> dict[str, Stream]:
    choices = Seeded(seed)
    rows = Rows(choices, awkward=False)
    return {name: a_stream(choices, A.schema, 6, rows) for name in "AB"}


def proved(left: Plan, right: Plan) -> bool:
    return attempted(Statement(Instance(left, right)), thorough=True).found


@dataclass(frozen=True)
class Probe:
    """All plans with up to so many operators; with more than two, so many of the pairs are tried."""

    operators: int
    prove: Callable[[Plan, Plan], bool] = proved
    most: int = 1_000_000

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        return tuple(q.plan for n in range(self.operators + 1) for q in queries(n))

    def outputs(self, seed: str) -> list[Snapshots]:
        """The snapshots of all plans on the same streams; shared subplans are evaluated once."""
        known: dict[Plan, Snapshots] = {}
        case_ = streams(seed)

        def of(plan: Plan) -> Snapshots:
            if plan not in known:
                inputs = tuple(map(of, plan.inputs))
                known[plan] = apply(plan, inputs) if inputs else evaluate(plan, case_, HORIZON).snapshots
            return known[plan]

        return [of(plan) for plan in self.plans]

    @cached_property
    def prints(self) -> tuple[tuple[int, ...], ...]:
        """For every plan and every pair of streams, which of the different outputs it has."""
        rows = []
        for number in range(STREAMS):
            numbered: dict[Snapshots, int] = {}
            rows.append([numbered.setdefault(output, len(numbered)) for output in self.outputs(f"probe/{number}")])
        return tuple(zip(*rows, strict=True))

    @cached_property
    def alike(self) -> list[tuple[int, int]]:
        """Pairs of plans that no stream has told apart."""
        classes = defaultdict(list)
        for i, print_ in enumerate(self.prints):
            classes[print_].append(i)
        pairs = [(members[0], other) for members in classes.values() for other in members[1:]]
        return pairs[:: -(-len(pairs) // self.most)]

    @cached_property
    def proved(self) -> list[tuple[int, int]]:
        return [(i, j) for i, j in self.alike if self.prove(self.plans[i], self.plans[j])]

    def wrongly_proved(self) -> Iterator[tuple[Plan, Plan]]:
        """Pairs that are proved and differ after all."""
        for number in range(MORE):
            held = self.outputs(f"more/{number}")
            yield from ((self.plans[i], self.plans[j]) for i, j in self.proved if held[i] != held[j])

    def different_but_proved(self) -> Iterator[tuple[Plan, Plan]]:
        """The pairs that differ least often are the most tempting."""
        for i, j in self.nearest():
            if self.prove(self.plans[i], self.plans[j]):
                yield self.plans[i], self.plans[j]

    def nearest(self) -> list[tuple[int, int]]:
        first = {print_: i for i, print_ in reversed([*enumerate(self.prints)])}
        seen = list(first.items())[: 10 * NEAR] if self.operators > 2 else list(first.items())
        apart = [(_distance(a, b), i, j) for a, i in seen for b, j in seen if i < j]
        return [(i, j) for _, i, j in sorted(apart)[:NEAR]]


def _distance(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a != b for a, b in zip(left, right, strict=True))


def verify_probe(effort: Effort) -> Iterator[Outcome]:
    probe = Probe(effort.probe, most=effort.probe_pairs)
    wrong = [*probe.wrongly_proved(), *probe.different_but_proved()]
    evidence: dict[str, object] = {
        "operators": probe.operators,
        "plans": len(probe.plans),
        "cases": len(probe.alike) + NEAR,
        "proved": len(probe.proved),
        "streams": STREAMS + MORE,
    }
    enough = len(probe.proved) >= DECIDED * len(probe.alike)
    text = "\n".join(f"{show(a)}  is not  {show(b)}" for a, b in wrong)
    verdict = "refuted" if wrong else "agreed" if enough else "vacuous"
    yield Outcome("proofs", "probe", "sound", not wrong and enough, verdict, evidence, text=text)
