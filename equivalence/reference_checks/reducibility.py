"""Snapshot-reducibility (Definition 6.2) of one operator, by samples: the commuting square of Figure 8.

    streams ──op──▶ stream
      │ τ_t           │ τ_t         down: take the snapshot at t
      ▼               ▼
    snapshots ─op_R─▶ snapshot      right: the relational counterpart, computed by SQLite

An operator that is not reducible must show it: its output at some instant is not what it would be if that
instant had no past.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st

from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.strategies import cases, plans_with_root
from equivalence.reference_checks.sqlite_snapshots import relational
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from semantics import ArithmeticOverflow, Multiset, Plan, evaluate
from semantics.evaluate import Snapshots, apply

Examine = Callable[[Plan, Case], None]


class _Found(Exception):
    """Carries a counterexample out of a Hypothesis run, which reports the smallest one last."""

    def __init__(self, counterexample: Counterexample) -> None:
        super().__init__()
        self.counterexample = counterexample


@dataclass
class _Tally:
    cases: int = 0
    snapshots: int = 0
    filled: int = 0
    """Snapshots at which the output is not empty, so that there was something to be wrong about."""

    def evidence(self, sampling_seed: int) -> dict[str, object]:
        counts = {"cases": self.cases, "snapshots": self.snapshots, "filled": self.filled}
        return {"how": "sampled", **counts, "seed": sampling_seed}


def check_reducible(operator: type[Plan], *, examples: int = 100, sampling_seed: int = 0) -> Verdict:
    """Does the square commute for this operator, on generated plans that have it on top?"""
    tally = _Tally()

    def examine(plan: Plan, case: Case) -> None:
        inputs, output = _run(plan, case)
        tally.cases += 1
        for t, left in enumerate(output):
            right = relational(plan, [snapshots[t] for snapshots in inputs], t)
            tally.snapshots += 1
            tally.filled += bool(left)
            if left != right:
                raise _Found(Counterexample((plan,), case, t, left, right))

    found = _sample(operator, examine, examples, sampling_seed)
    if found is not None:
        return Verdict("refuted", tally.evidence(sampling_seed), found)
    return Verdict("agreed" if tally.filled else "vacuous", tally.evidence(sampling_seed))


def check_irreducible(operator: type[Plan], *, examples: int = 100, sampling_seed: int = 0) -> Verdict:
    """Is there a case in which this operator's output depends on the past? The verdict keeps it as its witness."""
    tally = _Tally()

    def examine(plan: Plan, case: Case) -> None:
        inputs, output = _run(plan, case)
        tally.cases += 1
        for t, left in enumerate(output):
            right = _without_past(plan, inputs, t)
            tally.snapshots += 1
            tally.filled += bool(left or right)
            if left != right:
                raise _Found(Counterexample((plan,), case, t, left, right))

    witness = _sample(operator, examine, examples, sampling_seed)
    if witness is None:
        return Verdict("vacuous", tally.evidence(sampling_seed))
    return Verdict("agreed", {**tally.evidence(sampling_seed), "witness": witness.to_json()})


def _without_past(plan: Plan, inputs: tuple[Snapshots, ...], t: int) -> Multiset:
    """What the operator gives for the snapshots at t alone, as if they were the first ones."""
    return apply(plan, tuple((snapshots[t],) for snapshots in inputs), t)[0]


def _run(plan: Plan, case: Case) -> tuple[tuple[Snapshots, ...], Snapshots]:
    try:
        inputs = tuple(evaluate(child, case, CASE_HORIZON).snapshots for child in plan.inputs)
        return inputs, apply(plan, inputs)
    except ArithmeticOverflow:
        reject()


def _sample(operator: type[Plan], examine: Examine, examples: int, sampling_seed: int) -> Counterexample | None:
    """Run examine on generated plans and cases; the counterexample that it finds, made small."""

    @seed(sampling_seed)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        plan = data.draw(plans_with_root(operator, awkward=False))
        examine(plan, data.draw(cases(plan, awkward=False)))

    try:
        run()
    except _Found as found:
        return found.counterexample
    return None
