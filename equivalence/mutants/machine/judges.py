"""All suites that judge mutants, and how many trials of each there are.

Nothing says which suite judges which file: a trial is given all mutants in functions that it executes. The cheap suites
and those that see most come first.
"""

from collections.abc import Iterator
from typing import Final

from equivalence.mutants.machine.suites.bad_calls import bad_calls
from equivalence.mutants.machine.suites.batches import batched_differences, batched_runs
from equivalence.mutants.machine.suites.canonical_form import canonical_form
from equivalence.mutants.machine.suites.engine_cases import cases_of, cases_without_numba
from equivalence.mutants.machine.suites.query_sessions import query_sessions
from equivalence.mutants.machine.suites.rewrites import rewrites
from equivalence.mutants.machine.trial import Suite, Trial
from physical.engines.delta.engine import DeltaEngine
from physical.engines.incremental.engine import IncrementalEngine
from physical.engines.interval.engine import IntervalEngine

JUDGES: Final[tuple[tuple[Suite, int], ...]] = (
    (bad_calls, 1),
    (cases_of(IntervalEngine()), 2000),
    (query_sessions, 300),
    (canonical_form, 300),
    (batched_runs, 300),
    (batched_differences, 300),
    (rewrites, 2400),
    (cases_of(DeltaEngine()), 300),
    (cases_of(IncrementalEngine()), 300),
    (cases_without_numba(IntervalEngine()), 300),
)


def all_trials(seed: int = 0, share: float = 1.0) -> Iterator[Trial]:
    """All trials, or a share of each suite."""
    for suite, size in JUDGES:
        yield from suite(seed, max(int(size * share), 1))
