"""Exhaustive small scope: two plans on all streams over a bounded domain, smallest first.

Two kinds of cases are exhausted: many copies of few rows, and few elements of many rows. The evidence says what was:
instants, values of every column, multiplicities, rows. It is no proof: a difference may need more than that. Where the
plans ask for something that no case has, such as more rows for a window of rows, the answer is unknown.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from equivalence.exhaustive.dense import (
    Admissible,
    CaseBatch,
    Counts,
    Failures,
    FewElements,
    Mask,
    Rows,
    ScopeBound,
    SmallScope,
    admissible_under,
    all_of,
    candidates,
    choose_scope,
    few_elements,
    meanings,
    unstack,
)
from equivalence.exhaustive.reach import Reach
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
    evaluate_sparse,
    show,
)
from semantics.constraint import ALWAYS, Constraint, Lasting, names
from semantics.evaluate import Planned
from semantics.plan import Over, SessionWindow, Source, Unnest


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
    """Compare two plans on all admissible streams within a bound.

    By default this is the largest bound with at most `limit` cases, and half as many again of few elements each.
    Streams are admissible if they keep the constraints, and any other condition that is given.

    >>> from semantics import source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> verdict = exhaust(a.difference(b).union(b), a)
    >>> verdict.kind, {name: show(stream) for name, stream in verdict.counterexample.streams.items()}
    ('refuted', {'A': 'raw(x int):', 'B': 'raw(x int): (0)@0'})
    """
    lasting = frozenset(constraint.source for constraint in constraints if isinstance(constraint, Lasting))
    odd = [
        node
        for side in (left.plan, right.plan)
        for node in side.walk()
        if isinstance(node, SessionWindow | Over | Unnest)
    ]
    if odd:
        reason = f"small cases do not follow {odd[0].operator}"
        return Verdict("unknown", {"how": "exhaustive", "bound": None, "cases": 0, "filled": 0, "reason": reason})
    nodes, rows = candidates(left.plan, right.plan)
    chosen = choose_scope(nodes, rows, bound, limit, lasting)
    if chosen is None:
        reason = f"the smallest scope has more than {limit:,} cases"
        return Verdict("vacuous", {"how": "exhaustive", "bound": None, "cases": 0, "filled": 0, "reason": reason})
    conditions = [admissible_under(about, chosen.schemas) for about in constraints if names(about) <= {*chosen.rows}]
    if admissible is not None:
        conditions.insert(0, admissible)
    few = few_elements(nodes, rows, limit, lasting) if bound is None else []
    return _Search(left.plan, right.plan, chosen, few).verdict(all_of(*conditions) if conditions else None)


@dataclass
class _Search:
    left: Plan
    right: Plan
    scope: SmallScope
    few: Sequence[FewElements]
    reach: Reach = field(default_factory=Reach)
    cases: int = 0
    filled: int = 0
    overflow: int = 0
    inadmissible: int = 0

    @property
    def scopes(self) -> list[SmallScope | FewElements]:
        return [self.scope, *self.few]

    def verdict(self, admissible: Admissible | None) -> Verdict:
        for scope in self.scopes:
            for batch in scope.batches():
                found = self._examine(batch if admissible is None else self._restricted(batch, admissible))
                if found is not None:
                    return Verdict("refuted", self._evidence(), found)
        return self._without_difference()

    def _without_difference(self) -> Verdict:
        """Agreed, unless what was examined could not have shown what the plans ask for."""
        if not self.filled:
            return Verdict("vacuous", {**self._evidence(), "reason": "no case gives the left side anything to hold"})
        missed = [self.scope.timing.cut] if self.scope.timing.cut else self.reach.missed(self.scope.nodes)
        if missed:
            return Verdict("unknown", {**self._evidence(), "reason": missed[0]})
        return Verdict("agreed", self._evidence())

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
        self.reach.note(self.scope.nodes, known)
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
        one = self._confirmed(self.left, unstack(left, case, self.left.schema, batch.shape[0]), streams, batch)
        other = self._confirmed(self.right, unstack(right, case, self.right.schema, batch.shape[0]), streams, batch)
        for t, here, there in zip(batch.instants, one.snapshots, other.snapshots, strict=True):
            if here != there:
                return Counterexample((self.left, self.right), streams, t, here, there)
        return None

    def _stream(self, source: Source, batch: CaseBatch, case: int) -> Stream:
        """One case of a source, element by element."""
        elements = [
            (row, t)
            for place, t in enumerate(batch.instants)
            for row, counts in batch.sources[source.name].items()
            for _ in range(int(counts[place, case]))
        ]
        if source.name in self.scope.lasting:
            return IntervalStream(source.schema, [(row, ALWAYS) for row, t in elements if t == 0])
        return RawStream(source.schema, elements)

    def _confirmed(
        self, plan: Plan, dense: LogicalStream, streams: Mapping[str, Stream], batch: CaseBatch
    ) -> LogicalStream:
        try:
            reference = reference_at(plan, streams, batch.instants)
        except ArithmeticOverflow as error:
            raise DenseError(f"the reference overflows on {show(plan)}: {error}") from error
        if reference != dense:
            lets = ", ".join(f"{name} = {show(stream)}" for name, stream in streams.items())
            raise DenseError(f"{show(plan)} on {lets}: the reference says {show(reference)}, batches say {show(dense)}")
        return reference

    def _evidence(self) -> dict[str, object]:
        counts = {"cases": self.cases, "filled": self.filled}
        apart = {"overflow": self.overflow, "inadmissible": self.inadmissible}
        bound = {"bound": self.scope.to_json(), "few elements": [scope.to_json() for scope in self.few]}
        times = {"instants": list(self.scope.timing.instants), "horizon": self.scope.timing.moments[-1] + 1}
        exhausted = [f"{scope.cases:,} cases: {scope}" for scope in self.scopes]
        return {"how": "exhaustive", **bound, **times, **counts, **apart, "exhausted": exhausted}


def reference_at(plan: Plan, streams: Mapping[str, Stream], instants: Sequence[int]) -> LogicalStream:
    """What the reference says at these instants, one after the other; it must not say more between them."""
    horizon = instants[-1] + 1
    if len(instants) == horizon:
        return evaluate(plan, streams, horizon)
    sparse = evaluate_sparse(plan, streams)
    between = {t for t, _ in sparse.changes()} - {*instants}
    if between:
        raise DenseError(f"the reference says that {show(plan)} changes at {min(between)}, between two moments")
    return LogicalStream(plan.schema, tuple(sparse.at(t) for t in instants))


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
