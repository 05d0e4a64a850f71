"""All suites that judge mutants, and how many trials of each there are.

Nothing says which suite judges which file: a trial is given all mutants in functions that it executes. The cheap suites
and those that see most come first.
"""

from collections.abc import Iterator
from typing import Final

from equivalence.mutants.machine.suites.arrow_tables import arrow_tables
from equivalence.mutants.machine.suites.bad_calls import bad_calls
from equivalence.mutants.machine.suites.batches import batched_differences, batched_runs, counted_runs
from equivalence.mutants.machine.suites.canonical_form import canonical_form
from equivalence.mutants.machine.suites.crowds import crowds_of, endless_runs
from equivalence.mutants.machine.suites.engine_cases import cases_of, cases_without_numba, covering_cases_of
from equivalence.mutants.machine.suites.keys_of_plans import keys_of_plans
from equivalence.mutants.machine.suites.late_now import late_now_of, now_of
from equivalence.mutants.machine.suites.many_keys import many_keys_of
from equivalence.mutants.machine.suites.many_values import many_values_of
from equivalence.mutants.machine.suites.numbers import arithmetic_of, numbers_of
from equivalence.mutants.machine.suites.parts_by_key import parts_by_key
from equivalence.mutants.machine.suites.pieces import pieces
from equivalence.mutants.machine.suites.query_sessions import query_sessions
from equivalence.mutants.machine.suites.rewrites import near_rewrites, rewrites
from equivalence.mutants.machine.suites.signed_elements import SignedElements
from equivalence.mutants.machine.suites.small_steps import in_small_steps_of
from equivalence.mutants.machine.suites.states import prompt_sessions, states_of
from equivalence.mutants.machine.trial import Suite, Trial
from physical.engines.delta.engine import DeltaEngine
from physical.engines.incremental.engine import IncrementalEngine
from physical.engines.interval.engine import IntervalEngine

JUDGES: Final[tuple[tuple[Suite, int], ...]] = (
    (bad_calls, 1),
    (cases_of(IntervalEngine()), 2000),
    (numbers_of(IntervalEngine()), 600),
    (arithmetic_of(IntervalEngine()), 484),
    (late_now_of(IntervalEngine()), 60),
    (now_of(IntervalEngine()), 200),
    (many_values_of(IntervalEngine()), 400),
    (arrow_tables, 200),
    (in_small_steps_of(arrow_tables), 50),
    (crowds_of(IntervalEngine()), 330),
    (states_of(IntervalEngine()), 300),
    (prompt_sessions, 300),
    (in_small_steps_of(crowds_of(IntervalEngine())), 330),
    (endless_runs, 110),
    (query_sessions, 300),
    (in_small_steps_of(query_sessions), 150),
    (canonical_form, 300),
    (in_small_steps_of(canonical_form), 150),
    (batched_runs, 300),
    (in_small_steps_of(batched_runs), 200),
    (batched_differences, 300),
    (counted_runs, 150),
    (pieces, 100),
    (rewrites, 2400),
    (near_rewrites, 2400),
    (keys_of_plans, 400),
    (parts_by_key, 300),
    (many_keys_of(IntervalEngine()), 35),
    (covering_cases_of(IntervalEngine()), 440),
    (cases_of(DeltaEngine()), 300),
    (cases_of(SignedElements()), 100),
    (cases_of(IncrementalEngine()), 300),
    (in_small_steps_of(crowds_of(DeltaEngine())), 110),
    (in_small_steps_of(crowds_of(IncrementalEngine())), 110),
    (numbers_of(DeltaEngine()), 100),
    (numbers_of(IncrementalEngine()), 100),
    (cases_without_numba(IntervalEngine()), 300),
)


def all_trials(seed: int = 0, share: float = 1.0) -> Iterator[Trial]:
    """All trials, or a share of each suite."""
    for suite, size in JUDGES:
        yield from suite(seed, max(int(size * share), 1))
