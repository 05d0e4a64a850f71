"""Soundness probe: over all small plans, what is proved never differs, and what differs is never proved."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Final

import numpy as np

from equivalence.free import Instance
from equivalence.prover.attempt import Statement, attempted
from equivalence.verification.effort import Effort
from equivalence.verification.fingerprints import Print, cases, prints
from equivalence.verification.outcome import Outcome
from equivalence.verification.small_plans import larger, queries
from semantics import Plan, show

FIRST, ALL = 200, 10_000
"""On so many cases plans are told apart, and on so many every pair is compared that is proved."""
GROUP, GROUPS = 2, 100
"""Plans that agree on many of so many groups of so many cases, and not on all cases, are near to each other."""
OFTEN: Final = 3
"""A plan is in so many pairs of near ones at most, so that all operators come up."""
DECIDED: Final = 0.7
"""Of the pairs that seem to be equal, so many have to be proved, or the probe shows little."""
SOME: Final = 0.3
"""The same for plans of three operators, more of which are beyond the prover."""

Pair = tuple[int, int]


def proved(left: Plan, right: Plan) -> bool:
    return attempted(Statement(Instance(left, right)), thorough=False).found


@dataclass(frozen=True)
class Probe:
    """All plans with up to so many operators; of the pairs that are alike, and of those that are near, so many."""

    operators: int
    alike_pairs: int
    near_pairs: int
    prove: Callable[[Plan, Plan], bool] = proved

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """All with up to two operators, and of those with three a part."""
        small = [q for n in range(min(self.operators, 2) + 1) for q in queries(n)]
        return tuple(dict.fromkeys(q.plan for q in [*small, *(larger() if self.operators > 2 else ())]))

    @cached_property
    def _seen(self) -> tuple[list[bytes], list[Print]]:
        """For every plan what it gives on all cases, and on every group of some of them."""
        whole, parts = [], []
        for print_ in prints(self.plans, cases(FIRST, seed=0)):
            whole.append(blake2b(print_.tobytes(), digest_size=16).digest())
            parts.append(_grouped(print_))
        return whole, parts

    @cached_property
    def classes(self) -> list[list[int]]:
        """Plans that no case has told apart, together."""
        alike: dict[bytes, list[int]] = defaultdict(list)
        for i, print_ in enumerate(self._seen[0]):
            alike[print_].append(i)
        return list(alike.values())

    @cached_property
    def alike(self) -> list[Pair]:
        """The first of each class with every other one, or as many of these pairs as are wanted."""
        pairs = [(first, other) for first, *others in self.classes for other in others]
        return pairs[:: -(-len(pairs) // self.alike_pairs)]

    @cached_property
    def near(self) -> list[Pair]:
        """Pairs of plans that differ: operators that might do nothing, and those that agree on most groups of cases."""
        number = {plan: i for i, plan in enumerate(self.plans)}
        inputs = [(number[child], i) for i, plan in enumerate(self.plans) for child in plan.inputs if child in number]
        idle = [(i, j) for i, j in inputs if self._seen[0][i] != self._seen[0][j]]
        half = self.near_pairs // 2
        return [*idle[:: -(-len(idle) // half)], *self._nearest(half)]

    def _nearest(self, most: int) -> list[Pair]:
        firsts = [first for first, *_ in self.classes]
        agreeing: Counter[Pair] = Counter()
        for group in range(GROUPS):
            together: dict[int, list[int]] = defaultdict(list)
            for i in firsts:
                together[int(self._seen[1][i][group])].append(i)
            agreeing.update(pair for members in together.values() for pair in pairwise(members))
        return _spread(sorted(agreeing, key=lambda pair: (-agreeing[pair], pair)), most)

    @cached_property
    def proved(self) -> list[Pair]:
        return [(i, j) for i, j in self.alike if self.prove(self.plans[i], self.plans[j])]

    def wrongly_proved(self) -> Iterator[tuple[Plan, Plan]]:
        """Pairs that differ and are proved all the same: near ones, or alike ones on more cases."""
        yield from ((self.plans[i], self.plans[j]) for i, j in self.near if self.prove(self.plans[i], self.plans[j]))
        batch = cases(ALL, seed=1)
        for pair in self.proved:
            left, right = (self.plans[i] for i in pair)
            if len({print_.tobytes() for print_ in prints([left, right], batch)}) > 1:
                yield left, right


def _spread(pairs: Iterable[Pair], most: int) -> list[Pair]:
    """The first so many, none of which has a plan that was there too often before."""
    used: Counter[int] = Counter()
    chosen: list[Pair] = []
    for pair in pairs:
        if len(chosen) < most and all(used[i] < OFTEN for i in pair):
            used.update(pair)
            chosen.append(pair)
    return chosen


def _grouped(print_: Print) -> Print:
    """A number for every group: a mixture of those of its cases."""
    odd: Print = np.arange(1, 2 * GROUP, 2, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    grouped: Print = (print_[: GROUP * GROUPS].reshape(GROUPS, GROUP) * odd).sum(axis=1, dtype=np.uint64)
    return grouped


def differing(pairs: Sequence[tuple[Plan, Plan]]) -> str:
    return "\n".join(f"{show(a)}  is not  {show(b)}" for a, b in pairs)


def verify_probe(effort: Effort) -> Iterator[Outcome]:
    for operators, alike, near in effort.probes:
        probe = Probe(operators, alike, near)
        wrong = list(probe.wrongly_proved())
        evidence: dict[str, object] = {
            "operators": operators,
            "plans": len(probe.plans),
            "cases": len(probe.alike) + len(probe.near),
            "proved": len(probe.proved),
            "streams": ALL,
        }
        enough = len(probe.proved) >= (DECIDED if operators < 3 else SOME) * len(probe.alike)
        verdict = "refuted" if wrong else "agreed" if enough else "vacuous"
        holds = not wrong and enough
        yield Outcome("proofs", f"probe {operators}", "sound", holds, verdict, evidence, text=differing(wrong))
