"""Soundness probe: among all small plans, the prover must not prove a pair that differs on any of many random cases.

Pairs that ten thousand cases do not separate are not refuted by them, whatever the prover says. So the prover is asked
only about pairs that differ: about all that only many cases separate, and, because there are too many others, about
those that a mistake would most likely take for equal. The share of the pairs that never differ and are proved shows
whether the probe means anything: a prover that proves nothing is sound, too.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations, pairwise
from typing import Final, TypeVar

import numpy as np

from equivalence.prover.attempt import Statement, attempted
from equivalence.rules.instances import Instance
from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.effort import ALL_CLASSES, Effort
from equivalence.verification.prover_probe.fingerprints import Fingerprint, cases, fingerprints
from equivalence.verification.prover_probe.siblings import mirrored, siblings, without_one
from equivalence.verification.prover_probe.small_plans import doubled, larger, queries
from semantics import Plan, show
from semantics.constraint import Constraint

CASES_TO_SEPARATE, CASES_TO_COMPARE = 200, 10_000
"""Cases that separate most plans, and cases on which the rest is compared."""
INSTANTS_TO_COMPARE: Final = 6
"""Instants of the streams on which the rest is compared."""
CASES_PER_GROUP, GROUPS_OF_CASES = 2, 100
"""Plans are near to each other if they agree on many groups of cases, and not on all."""
NEAR_PAIRS_PER_PLAN: Final = 3
"""A plan is in at most this many of the nearest pairs, so that all operators come up."""
SHARE_PROVED: Final = 0.7
"""The share of pairs that seem equal which must be proved; below it the probe is vacuous."""
SHARE_PROVED_OF_LARGE: Final = 0.3
"""The same for plans of three operators, more of which are beyond the prover."""
OPERATORS_OF_LARGE: Final = 3
"""With this many operators there are too many plans to compare all that seem equal."""

T = TypeVar("T")
Pair = tuple[int, int]


def proved(left: Plan, right: Plan, declared: Collection[Constraint] = ()) -> bool:
    return attempted(Statement(Instance(left, right, tuple(declared))), thorough=True).found


@dataclass(frozen=True)
class SoundnessProbe:
    """All plans up to a number of operators; how many pairs that seem equal are tried, and how many that are near."""

    operators: int
    alike_pairs: int
    near_pairs: int
    most_classes: int = ALL_CLASSES
    """Of plans that a few cases do not separate, so many classes are compared on many cases."""
    prove: Callable[[Plan, Plan], bool] = proved

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """All plans of up to two operators; beside those of one, some of two; of those of three, a part."""
        small = [q for n in range(min(self.operators, 2) + 1) for q in queries(n)]
        more = larger() if self.operators > 2 else doubled()
        return tuple(dict.fromkeys(q.plan for q in [*small, *more]))

    @cached_property
    def _number(self) -> dict[Plan, int]:
        return {plan: i for i, plan in enumerate(self.plans)}

    @cached_property
    def _mirrored(self) -> list[int]:
        """For each plan the one with A and B swapped, or itself if that is not among the plans."""
        return [self._number.get(mirrored(plan), i) for i, plan in enumerate(self.plans)]

    def _new(self, pair: Pair) -> bool:
        """Has the pair not come up with A and B swapped?"""
        one, other = sorted(self._mirrored[i] for i in pair)
        return pair <= (one, other)

    @cached_property
    def _seen(self) -> tuple[list[bytes], list[Fingerprint]]:
        """The fingerprint of every plan on all cases, and on each group of cases."""
        whole, parts = [], []
        for print_ in fingerprints(self.plans, cases(CASES_TO_SEPARATE, seed=0)):
            whole.append(digest(print_))
            parts.append(_grouped(print_))
        return whole, parts

    @cached_property
    def classes(self) -> list[list[int]]:
        """Plans in classes: no case separates two of a class."""
        return _together(range(len(self.plans)), self._seen[0])

    @cached_property
    def refined(self) -> list[list[int]]:
        """Classes after many more cases, of those that have not come up mirrored."""
        several = [numbers for numbers in self.classes if len(numbers) > 1 and not self._came_up_mirrored(numbers)]
        wanted = self.most_classes if self.operators < OPERATORS_OF_LARGE else self.alike_pairs
        among = [i for numbers in evenly(several, wanted) for i in numbers]
        given = map(
            digest,
            fingerprints([self.plans[i] for i in among], cases(CASES_TO_COMPARE, seed=1, instants=INSTANTS_TO_COMPARE)),
        )
        return _together(among, given)

    def _came_up_mirrored(self, numbers: Sequence[int]) -> bool:
        return min(self._mirrored[i] for i in numbers) < numbers[0]

    @cached_property
    def alike(self) -> list[Pair]:
        """Pairs of the first plan of a class with another one, at most as many as wanted."""
        pairs = [(first, other) for first, *others in self.refined for other in others]
        return [*evenly(pairs, self.alike_pairs)]

    @cached_property
    def late(self) -> list[Pair]:
        """Pairs that only many cases separate: one for each two classes that were one before."""
        before: dict[bytes, list[int]] = defaultdict(list)
        for first, *_ in self.refined:
            before[self._seen[0][first]].append(first)
        return [pair for firsts in before.values() for pair in combinations(firsts, 2)]

    @cached_property
    def near(self) -> list[Pair]:
        """Pairs that differ in one operator, or in one more that might do nothing, or on the fewest cases."""
        part = self.near_pairs // 10
        changed, idle = evenly(self._differing(siblings(self.plans)), 5 * part), evenly(self._idle(), 4 * part)
        return [*dict.fromkeys([*idle, *changed, *self._nearest(part)])]

    def _idle(self) -> list[Pair]:
        """Pairs of a plan and the same plan with one more operator."""
        number = self._number
        without = ((i, number.get(less)) for i, plan in enumerate(self.plans) for less in without_one(plan))
        return self._differing((min(i, j), max(i, j)) for i, j in without if j is not None)

    def _differing(self, pairs: Iterable[Pair]) -> list[Pair]:
        """The pairs that some case separates; of two that differ by swapping A and B, one."""
        return [pair for pair in pairs if self._seen[0][pair[0]] != self._seen[0][pair[1]] and self._new(pair)]

    def _nearest(self, most: int) -> list[Pair]:
        firsts = [first for first, *_ in self.classes]
        agreeing: Counter[Pair] = Counter()
        for group in range(GROUPS_OF_CASES):
            together = _together(firsts, [int(self._seen[1][i][group]) for i in firsts])
            agreeing.update(pair for members in together for pair in pairwise(members))
        return _spread(sorted(agreeing, key=lambda pair: (-agreeing[pair], pair)), most)

    @cached_property
    def proved(self) -> list[Pair]:
        return [pair for pair in self.alike if self._proves(pair)]

    def wrongly_proved(self) -> Iterator[tuple[Plan, Plan]]:
        """Pairs that differ and are proved nevertheless: each is a mistake of the prover."""
        return ((self.plans[i], self.plans[j]) for i, j in (*self.near, *self.late) if self._proves((i, j)))

    def _proves(self, pair: Pair) -> bool:
        return self.prove(*(self.plans[i] for i in pair))


def _together(numbers: Iterable[int], given: Iterable[Hashable]) -> list[list[int]]:
    """The numbers in groups, together if what is given for them is equal."""
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for number, what in zip(numbers, given, strict=True):
        alike[what].append(number)
    return list(alike.values())


def digest(print_: Fingerprint) -> bytes:
    return blake2b(print_.tobytes(), digest_size=16).digest()


def evenly(several: Sequence[T], most: int) -> Sequence[T]:
    """At most this many, spread evenly."""
    return several[:: -(-len(several) // most) or 1]


def _spread(pairs: Iterable[Pair], most: int) -> list[Pair]:
    """The first pairs, without those of plans that already came up too often."""
    used: Counter[int] = Counter()
    chosen: list[Pair] = []
    for pair in pairs:
        if len(chosen) < most and all(used[i] < NEAR_PAIRS_PER_PLAN for i in pair):
            used.update(pair)
            chosen.append(pair)
    return chosen


def _grouped(print_: Fingerprint) -> Fingerprint:
    """A number for every group, mixed from those of its cases."""
    odd: Fingerprint = np.arange(1, 2 * CASES_PER_GROUP, 2, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    grouped: Fingerprint = (
        print_[: CASES_PER_GROUP * GROUPS_OF_CASES].reshape(GROUPS_OF_CASES, CASES_PER_GROUP) * odd
    ).sum(axis=1, dtype=np.uint64)
    return grouped


def differing(pairs: Sequence[tuple[Plan, Plan]]) -> str:
    return "\n".join(f"{show(a)}  is not  {show(b)}" for a, b in pairs)


def verify_probe(effort: Effort) -> Iterator[Outcome]:
    for operators, alike, near in effort.probes:
        probe = SoundnessProbe(operators, alike, near, effort.probe_classes)
        wrong = list(probe.wrongly_proved())
        evidence: dict[str, object] = {
            "operators": operators,
            "plans": len(probe.plans),
            "compared": sum(map(len, probe.refined)),
            "cases": len(probe.alike) + len(probe.near) + len(probe.late),
            "proved": len(probe.proved),
            "streams": CASES_TO_COMPARE,
        }
        enough = len(probe.proved) >= (SHARE_PROVED if operators < 3 else SHARE_PROVED_OF_LARGE) * len(probe.alike)
        verdict = "refuted" if wrong else "agreed" if enough else "vacuous"
        holds = not wrong and enough
        yield Outcome("proofs", f"probe {operators}", "sound", holds, verdict, evidence, text=differing(wrong))
