"""Exhaustive small scope: two plans on all streams over a bounded domain, smallest first.

Evidence of this kind is no proof: a difference may need more rows, instants or duplicates than the bound has.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from equivalence.exhaustive.dense import (
    Admissible,
    CaseBatch,
    Counts,
    Failures,
    Mask,
    Rows,
    ScopeBound,
    SmallScope,
    admissible_under,
    all_of,
    choose_scope,
    meanings,
    unstack,
)
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from semantics import (
    ArithmeticOverflow,
    IntervalStream,
    LogicalStream,
    Plan,
    RawStream,
    SnapeqError,
    Stream,
    evaluate,
    show,
)
from semantics.constraint import ALWAYS, Constraint, Lasting, names
from semantics.evaluate import Planned
from semantics.plan import Source


class DenseError(Exception):
    """The evaluator on batches disagrees with the reference: a mistake in snapeq, never a verdict on plans."""


def exhaust(
    left: Planned,
    right: Planned,
    *,
    bound: ScopeBound | Mapping[str, ScopeBound] | None = None,
    limit: int = 2_000_000,
    admissible: Admissible | None = None,
    constraints: Collection[Constraint] = (),
) -> Verdict:
    """Compare two plans on all admissible streams within a bound, by default the largest with at most `limit` cases.

    Streams are admissible if they keep the constraints, and any other condition that is given.

    >>> from semantics import source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> verdict = exhaust(a.difference(b).union(b), a)
    >>> verdict.kind, {name: show(stream) for name, stream in verdict.counterexample.streams.items()}
    ('refuted', {'A': 'raw(x int):', 'B': 'raw(x int): (0)@0'})
    """
    lasting = frozenset(constraint.source for constraint in constraints if isinstance(constraint, Lasting))
    chosen = choose_scope(left.plan, right.plan, bound, limit, lasting)
    if chosen is None:
        return Verdict("vacuous", {"how": "exhaustive", "bound": None, "cases": 0, "filled": 0})
    conditions = [admissible_under(about, chosen.schemas) for about in constraints if names(about) <= {*chosen.rows}]
    if admissible is not None:
        conditions.insert(0, admissible)
    return _Search(left.plan, right.plan, chosen).verdict(all_of(*conditions) if conditions else None)


@dataclass
class _Search:
    left: Plan
    right: Plan
    scope: SmallScope
    cases: int = 0
    filled: int = 0
    overflow: int = 0
    inadmissible: int = 0

    def verdict(self, admissible: Admissible | None) -> Verdict:
        for batch in self.scope.batches():
            found = self._examine(batch if admissible is None else self._restricted(batch, admissible))
            if found is not None:
                return Verdict("refuted", self._evidence(), found)
        return Verdict("agreed" if self.filled else "vacuous", self._evidence())

    def _restricted(self, batch: CaseBatch, admissible: Admissible) -> CaseBatch:
        mask = admissible(batch)
        if mask.shape != batch.shape[1:] or mask.dtype != np.bool_:
            got = f"{mask.dtype} of shape {mask.shape}"
            raise SnapeqError(f"exhaust: admissible must say true or false for {batch.shape[1]} cases, got {got}")
        self.inadmissible += int(np.count_nonzero(~mask))
        return batch.where(mask)

    def _examine(self, batch: CaseBatch) -> Counterexample | None:
        """The first case in which the two sides differ; all cases up to it are counted."""
        failures = Failures(batch.shape[1])
        known = meanings(self.scope.nodes, batch, failures)
        left, right = known[self.left], known[self.right]
        sound = ~failures.cases
        wrong = _differ(left, right, batch) & sound
        if wrong.any():
            first = int(wrong.argmax())
            self._count(sound[: first + 1], ((_filled(left, batch) | _filled(right, batch)) & sound)[: first + 1])
            return self._refuted(batch, left, right, first)
        filled = _filled(left, batch) & sound
        if filled.any() and not self.filled:
            self._replay(batch, left, right, int(filled.argmax()))
        self._count(sound, filled)
        return None

    def _count(self, sound: Mask, filled: Mask) -> None:
        self.cases += int(np.count_nonzero(sound))
        self.overflow += int(np.count_nonzero(~sound))
        self.filled += int(np.count_nonzero(filled))

    def _refuted(self, batch: CaseBatch, left: Rows, right: Rows, case: int) -> Counterexample:
        found = self._replay(batch, left, right, case)
        if found is None:
            raise DenseError(f"batches tell {show(self.left)} and {show(self.right)} apart, the reference does not")
        return found

    def _replay(self, batch: CaseBatch, left: Rows, right: Rows, case: int) -> Counterexample | None:
        """The same case on the reference, which must say the same; None if both sides are equal."""
        streams = {node.name: self._stream(node, batch, case) for node in self.scope.nodes if isinstance(node, Source)}
        one = self._confirmed(self.left, unstack(left, case, self.left.schema, batch.shape[0]), streams)
        other = self._confirmed(self.right, unstack(right, case, self.right.schema, batch.shape[0]), streams)
        for t, (here, there) in enumerate(zip(one.snapshots, other.snapshots, strict=True)):
            if here != there:
                return Counterexample((self.left, self.right), streams, t, here, there)
        return None

    def _stream(self, source: Source, batch: CaseBatch, case: int) -> Stream:
        """One case of a source, element by element."""
        elements = [
            (row, t)
            for t in range(batch.shape[0])
            for row, counts in batch.sources[source.name].items()
            for _ in range(int(counts[t, case]))
        ]
        if source.name in self.scope.lasting:
            return IntervalStream(source.schema, [(row, ALWAYS) for row, t in elements if t == 0])
        return RawStream(source.schema, elements)

    def _confirmed(self, plan: Plan, dense: LogicalStream, streams: Mapping[str, Stream]) -> LogicalStream:
        try:
            reference = evaluate(plan, streams, dense.horizon)
        except ArithmeticOverflow as error:
            raise DenseError(f"the reference overflows on {show(plan)}: {error}") from error
        if reference != dense:
            lets = ", ".join(f"{name} = {show(stream)}" for name, stream in streams.items())
            raise DenseError(f"{show(plan)} on {lets}: the reference says {show(reference)}, batches say {show(dense)}")
        return reference

    def _evidence(self) -> dict[str, object]:
        counts = {"cases": self.cases, "filled": self.filled}
        apart = {"overflow": self.overflow, "inadmissible": self.inadmissible}
        bound = {"bound": self.scope.to_json(), "horizon": self.scope.horizon}
        return {"how": "exhaustive", **bound, **counts, **apart}


def _differ(left: Rows, right: Rows, batch: CaseBatch) -> Mask:
    """In which cases do the two sides differ?"""
    wrong: Mask = np.zeros(batch.shape[1], np.bool_)
    for row in {**left, **right}:
        one, other = left.get(row), right.get(row)
        if one is not other:
            unequal = np.not_equal(0 if one is None else one, 0 if other is None else other)
            if unequal.any():
                wrong |= unequal.any(axis=0)
    return wrong


def _filled(rows: Rows, batch: CaseBatch) -> Mask:
    """In which cases does this side hold anything?"""
    found: Counts = np.zeros(batch.shape[1], batch.width)
    for counts in rows.values():
        for snapshot in counts:
            found |= snapshot
    return np.not_equal(found, 0)
