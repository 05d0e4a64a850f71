"""Soundness probe over plans of two columns, about whose streams something is declared: what differs is not proved.

Each pair is a plan and a rewriting of it that tempts: another operator in the place of one, one operator fewer, or two
of them in the other order. Of the last also the extremes are compared, where both sides hold something: a mistake about
values shows there, and elsewhere it may hide behind rows that one side does not have.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.effort import Effort
from equivalence.verification.prover_probe.declared_cases import declared_cases
from equivalence.verification.prover_probe.fingerprints import fingerprints
from equivalence.verification.prover_probe.probe import differing, digest, evenly, proved
from equivalence.verification.prover_probe.siblings import siblings, without_one
from equivalence.verification.prover_probe.two_columns import (
    DECLARED,
    A,
    B,
    extremes,
    further,
    further_queries,
    queries,
    unary,
    where_both_are,
)
from semantics import Plan, Query
from semantics.constraint import Constraint

CASES: Final = ((200, 2), (2_000, 3))
"""How many cases, of how many instants: some that separate most pairs, and more for the rest."""
SCHEMAS: Final = {"A": A.schema, "B": B.schema}
SHARE_PROVED: Final = 0.5
"""The share of pairs that seem equal which must be proved; below it the probe is vacuous."""
Pair = tuple[Plan, Plan]


def exchanged() -> list[tuple[Query, Query]]:
    """Two operators, and the same two in the other order."""
    made = [[*unary(query)] for query in unary(A)]
    return [(made[i][j], made[j][i]) for i, j in combinations(range(len(made)), 2)]


def exchanged_further() -> list[tuple[Query, Query]]:
    """The same with an operator that looks at time or at other rows."""
    above = [[*unary(query)] for query in further(A)]
    below = [[*further(query)] for query in unary(A)]
    return [(made, below[j][i]) for i, several in enumerate(above) for j, made in enumerate(several)]


def extremes_of_exchanged() -> list[tuple[Query, Query]]:
    return [where_both_are(*extreme) for pair in exchanged() for extreme in zip(*map(extremes, pair), strict=True)]


def rewritten(further: bool) -> list[Pair]:
    """Plans with another operator in the place of one."""
    found: list[Pair] = []
    for plans in (_plans(queries()), *([_plans(further_queries())] if further else [])):
        found += [(plans[i], plans[j]) for i, j in siblings(plans)]
    return found


def shortened(further: bool) -> list[Pair]:
    """Plans without one of their operators."""
    plans = _plans([*queries(), *(further_queries() if further else [])])
    return [(plan, less) for plan in plans for less in without_one(plan) if less.schema == A.schema]


def _plans(several: Iterable[Query]) -> list[Plan]:
    return list(dict.fromkeys(query.plan for query in several))


@dataclass(frozen=True)
class DeclaredProbe:
    """Pairs of plans over streams that keep what is declared, at most as many of each kind."""

    declared: tuple[Constraint, ...]
    most: int
    further: bool = False
    """Whether plans with operators that look at time or at other rows are among them."""

    @cached_property
    def pairs(self) -> list[Pair]:
        both = [
            (left.plan, right.plan)
            for kind in (exchanged(), *([exchanged_further()] if self.further else []), extremes_of_exchanged())
            for left, right in evenly(kind, self.most)
        ]
        return [*both, *evenly(rewritten(self.further), self.most), *evenly(shortened(self.further), self.most)]

    @cached_property
    def _sorted(self) -> tuple[list[Pair], list[Pair]]:
        """The pairs that some case separates, and the others."""
        apart, alike = list[Pair](), self.pairs
        for seed, (number, instants) in enumerate(CASES):
            batch = declared_cases(number, seed, instants, SCHEMAS, self.declared)
            plans = list(dict.fromkeys(plan for pair in alike for plan in pair))
            seen = dict(zip(plans, map(digest, fingerprints(plans, batch)), strict=True))
            apart += [pair for pair in alike if seen[pair[0]] != seen[pair[1]]]
            alike = [pair for pair in alike if seen[pair[0]] == seen[pair[1]]]
        return apart, alike

    @property
    def apart(self) -> list[Pair]:
        return self._sorted[0]

    @property
    def alike(self) -> list[Pair]:
        return self._sorted[1]

    @cached_property
    def proved(self) -> list[Pair]:
        return [pair for pair in self.alike if proved(*pair, self.declared)]

    @property
    def says_enough(self) -> bool:
        return len(self.proved) >= SHARE_PROVED * len(self.alike)

    def wrongly_proved(self) -> Iterator[Pair]:
        """Pairs that differ and are proved nevertheless: each is a mistake of the prover."""
        return (pair for pair in self.apart if proved(*pair, self.declared))


def verify_declared(effort: Effort) -> Iterator[Outcome]:
    for name, declared in DECLARED.items():
        probe = DeclaredProbe(declared, effort.declared_pairs)
        wrong = list(probe.wrongly_proved())
        evidence: dict[str, object] = {
            "declared": [str(constraint) for constraint in declared],
            "cases": len(probe.pairs),
            "proved": len(probe.proved),
            "streams": sum(number for number, _ in CASES),
        }
        verdict = "refuted" if wrong else "agreed" if probe.says_enough else "vacuous"
        holds = verdict == "agreed"
        yield Outcome("proofs", f"probe with {name} declared", "sound", holds, verdict, evidence, text=differing(wrong))
