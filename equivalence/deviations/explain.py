"""Find the smallest set of deviations under which a wrong output is right."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import log2
from typing import Final

from equivalence.deviations.catalogue import CATALOGUE, variants_for
from equivalence.deviations.catalogue.certain_rows import MANY_ROWS, ONE_ROW
from equivalence.deviations.catalogue.outputs import key_columns
from equivalence.deviations.cells import differing_cells, distance, same
from equivalence.deviations.clues import clue_of, with_suspects
from equivalence.deviations.deviation import Clue, Deviation, Variant, applied
from equivalence.deviations.explanation import Diagnosis, Explanation
from equivalence.deviations.local_faults import local_fault
from equivalence.deviations.near_counts import near
from equivalence.deviations.outcome import Outcomes, added, rounded
from equivalence.deviations.reach import FEW_ROWS, Neighbourhood
from equivalence.deviations.situation import Situation
from semantics import Row, SnapeqError
from semantics.sparse.row_steps import Counts, Steps

BEAM: Final = 8
"""The best single deviations, each of which is tried with every other one."""
MOST_ALIKE: Final = 2
"""Parameters of one deviation among these."""
MOST_PAIRS: Final = 1_500
"""Further pairs that are tried over few rows if neither of two deviations brings an output nearer by itself; over more
rows each takes longer, and fewer are tried."""
HALF: Final = 0.5
"""An explanation of fewer differences is not given, nor one that is hardly nearer than an empty output."""
RECHECKED: Final = 6

Combination = tuple[Variant, ...]


def explain(situation: Situation, got: Counts, *, pairs: bool = True, tolerance: float = 0.0) -> Diagnosis:
    """What is wrong with an output; nothing if it is right. Floats may differ by a relative tolerance.

    >>> from equivalence.deviations.situation import situation_of
    >>> from equivalence.recordings.recording import LastInstants
    >>> from semantics import parse, parse_plan
    >>> plan = parse_plan("S(x int) | window(range 10) | aggregate(count(*) as n)")
    >>> rows = parse("raw(x int): (1)@1 (2)@10 (3)@12 (4)@29")
    >>> panes = situation_of(plan, {"S": rows}, LastInstants(10, horizon=40))
    >>> wrong = {(2,): [(9, 1), (10, 0), (19, 1), (20, 0)], (1,): [(29, 1), (30, 0)]}
    >>> explain(panes, wrong).best.sentence
    'pane ends are inclusive (window [s, e] instead of [s, e))'
    """
    return Inference(situation, rounded(got), tolerance=tolerance).diagnosis(pairs)


@dataclass
class Inference:
    """One search: what was tried, and how near each came."""

    situation: Situation
    got: Counts
    outcomes: Outcomes = field(default_factory=Outcomes)
    exact: list[Explanation] = field(default_factory=list)
    ranked: list[tuple[float, Combination]] = field(default_factory=list)
    untried: dict[str, None] = field(default_factory=dict)
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        self.right = self.outcomes.of(self.situation)
        self.cells = differing_cells(self.right, self._near(self.got, self.right))
        self.total = distance(self.right, self._near(self.got, self.right))
        self.keys = key_columns(self.situation.plan) or ()
        self.near = Neighbourhood(self.situation, self.outcomes, self.got)

    def _near(self, got: Counts, made: Counts) -> Counts:
        """What was got, its floats as deviations made them where they are close enough."""
        return near(got, made, self.tolerance)

    def diagnosis(self, pairs: bool = True) -> Diagnosis:
        if not self.total:
            return Diagnosis(0)
        self.near.grow(self.cells)
        clue = clue_of(self.cells, self.got)
        candidates = variants_for(self.situation, clue)
        self._try((variant,) for variant in candidates)
        if not self.exact:
            clue = with_suspects(self.situation, self.cells, clue)
            self._try_certain_rows(ONE_ROW, clue)
        if all(found.is_of_data for found in self.exact):
            self._read_off_local_fault(())
        if not self.exact:
            self._try_certain_rows(MANY_ROWS, clue)
        if not self.exact and pairs:
            self._try_pairs()
        return self._concluded()

    def _try_certain_rows(self, deviations: tuple[Deviation, ...], clue: Clue) -> None:
        self._try((variant,) for deviation in deviations for variant in deviation.variants(self.situation, clue))

    def _try(self, combinations: Iterable[Combination]) -> None:
        for combination in combinations:
            try:
                self._attempt(combination)
            except SnapeqError:
                self.untried |= dict.fromkeys(variant.name for variant in combination)

    def _attempt(self, combination: Combination) -> None:
        """On the surroundings of the first difference; if it is right there, on everything."""
        here = self.near.output(combination)
        target = self._near(self.near.view(self.got), here)
        if not same(here, target):
            self.ranked.append((self._cost(combination, self._loose(here, target)), combination))
            return
        made = here if self.near.whole else self.outcomes.of(applied(combination, self.situation))
        got = self._near(self.got, made)
        if same(made, got):
            self.exact.append(Explanation(combination, self.total, self.total, cost=self._bits(combination)))
            return
        self.ranked.append((self._cost(combination, self._loose(made, got)), combination))
        self.near.grow(differing_cells(made, got))

    def _try_pairs(self) -> None:
        """Each of the best with every other one that changes something here."""
        before, self.ranked = self.ranked, []
        self._try(combination for _, combination in before)  # all on the same surroundings, which have grown
        right = self.near.view(self.right)
        target = self._near(self.near.view(self.got), right)
        nothing = self._cost((), self._loose(right, target))
        singles = [(cost, c[0]) for cost, c in sorted(self.ranked, key=lambda r: r[0]) if len(c) == 1]
        better = [(cost, variant) for cost, variant in singles if cost < nothing + self._bits((variant,))]
        best = [variant for _, variant in _varied(better)[:BEAM]]
        seen: set[frozenset[Variant]] = set()
        for first in best:
            self._try_with(first, [*(second for _, second in singles), *self._fitting(first)], seen)
        if not self.exact:
            self._try_far_pairs(singles, seen)

    def _try_with(self, first: Variant, seconds: Iterable[Variant], seen: set[frozenset[Variant]]) -> None:
        for second in seconds:
            pair = frozenset((first, second))
            if first.deviation.knob != second.deviation.knob and pair not in seen:
                seen.add(pair)
                self._try([(first, second)])

    def _fitting(self, first: Variant) -> list[Variant]:
        """Deviations with the parameters that the differences suggest which another one leaves."""
        try:
            made = self.outcomes.of(applied((first,), self.situation))
        except SnapeqError:
            return []
        cells = differing_cells(made, self._near(self.got, made))
        return variants_for(self.situation, clue_of(cells, self.got)) if cells else []

    def _try_far_pairs(self, singles: list[tuple[float, Variant]], seen: set[frozenset[Variant]]) -> None:
        """Pairs of which neither half brings the output nearer, the nearest first.

        So many are tried that some fit by chance: one is taken only if it says less than the differences do.
        """
        pairs = sorted(combinations(_varied(singles), 2), key=lambda pair: pair[0][0] + pair[1][0])
        for (_, first), (_, second) in pairs[: MOST_PAIRS * FEW_ROWS // max(self.situation.rows, FEW_ROWS)]:
            self._try_with(first, (second,), seen)
        self.exact = [found for found in self.exact if found.cost < self.total * self._unit()]

    def _read_off_local_fault(self, combination: Combination) -> Explanation | None:
        meant = applied(combination, self.situation)
        made = self.outcomes.of(meant) if combination else self.right
        got = self._near(self.got, made)
        fault = local_fault(meant, made, got, differing_cells(made, got))
        if fault is None:
            return None
        cost = self._bits(combination) + fault.places * self._unit()
        explanation = Explanation(combination, self.total, self.total, fault, cost)
        self.exact.append(explanation)
        return explanation

    def _concluded(self) -> Diagnosis:
        """The exact ones, fewest deviations first; else the best of the near ones, scored on everything."""
        untried = tuple(self.untried)
        if self.exact:
            fewest = min(len(explanation.names) for explanation in self.exact)
            shortest = [explanation for explanation in self.exact if len(explanation.names) == fewest]
            return Diagnosis(self.total, self._told_once(sorted(shortest, key=lambda e: e.cost)), untried=untried)
        likely = [combination for _, combination in sorted(self.ranked, key=lambda r: r[0])[:RECHECKED]]
        with_faults = [found for c in likely if len(c) == 1 and (found := self._faulty(c)) is not None]
        if with_faults:
            return Diagnosis(self.total, (min(with_faults, key=lambda e: e.cost),), untried=untried)
        scored = [self._scored(combination) for combination in likely]
        most_left = HALF * min(self.total, distance({}, self.got))
        near = [explanation for explanation in scored if self.total - explanation.explained <= most_left]
        return Diagnosis(self.total, (), min(near, key=lambda e: e.cost, default=None), untried)

    def _told_once(self, found: list[Explanation]) -> tuple[Explanation, ...]:
        """Explanations that mean the same plan over the same rows are one, with several names."""
        told: list[tuple[Situation, Explanation]] = []
        for explanation in found:
            meant = applied(explanation.variants, self.situation)
            same = next((i for i, (_, e) in enumerate(told) if e.names == explanation.names and not e.fault), None)
            if same is not None and told[same][0] != meant:
                other, first = told[same]
                told[same] = (other, replace(first, other_parameters=first.other_parameters + 1))
                continue
            i = next((i for i, (other, e) in enumerate(told) if other == meant and not e.fault), None)
            if i is None or explanation.fault:
                told.append((meant, explanation))
            elif explanation.names != told[i][1].names:
                told[i] = (meant, replace(told[i][1], also=(*told[i][1].also, explanation.names)))
        return tuple(explanation for _, explanation in told)

    def _faulty(self, combination: Combination) -> Explanation | None:
        try:
            return self._read_off_local_fault(combination)
        except SnapeqError:
            return None

    def _scored(self, combination: Combination) -> Explanation:
        made = self.outcomes.of(applied(combination, self.situation))
        left = distance(made, self._near(self.got, made))
        cost = self._bits(combination) + left * self._unit()
        return Explanation(combination, max(self.total - left, 0), self.total, cost=cost)

    def _bits(self, combination: Combination) -> float:
        return sum(log2(len(CATALOGUE)) + log2(v.among) + v.deviation.bits for v in combination)

    def _unit(self) -> float:
        return log2(2 + len(self.right))

    def _cost(self, combination: Combination, left: int) -> float:
        return self._bits(combination) + left * self._unit()

    def _loose(self, made: Counts, target: Counts) -> int:
        """Column by column beside the key: so two mistakes in different columns show separately."""
        width = max((len(row) for row in (*made, *target)), default=0)
        others = [i for i in range(width) if i not in self.keys]
        if len(others) < 2:
            return distance(made, target)
        return sum(distance(_column(made, self.keys, i), _column(target, self.keys, i)) for i in others)


def _varied(ranked: list[tuple[float, Variant]]) -> list[tuple[float, Variant]]:
    """At most a few parameters of each deviation, so that one with many does not crowd out the others."""
    taken: Counter[str] = Counter()
    kept = []
    for cost, variant in ranked:
        taken[variant.name] += 1
        kept += [(cost, variant)] if taken[variant.name] <= MOST_ALIKE else []
    return kept


def _column(counts: Counts, keys: tuple[int, ...], column: int) -> Counts:
    parts: dict[Row, list[Steps]] = {}
    for row, steps in counts.items():
        parts.setdefault((*(row[key] for key in keys), row[column]), []).append(steps)
    return {row: found[0] if len(found) == 1 else added(found) for row, found in parts.items()}
