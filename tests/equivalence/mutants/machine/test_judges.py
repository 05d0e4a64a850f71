"""Every suite of trials: right code passes, and planted mutants of what it is there for do not."""

from itertools import islice

import pytest

from equivalence.mutants.machine.judges import JUDGES
from equivalence.mutants.machine.laboratory import Laboratory
from equivalence.mutants.machine.suites.arrow_tables import arrow_tables
from equivalence.mutants.machine.suites.bad_calls import bad_calls
from equivalence.mutants.machine.suites.batches import batched_differences, batched_runs
from equivalence.mutants.machine.suites.canonical_form import canonical_form
from equivalence.mutants.machine.suites.crowds import crowds_of, endless_runs
from equivalence.mutants.machine.suites.engine_cases import cases_of, cases_without_numba, covering_cases_of
from equivalence.mutants.machine.suites.keys_of_plans import keys_of_plans
from equivalence.mutants.machine.suites.many_values import many_values_of
from equivalence.mutants.machine.suites.numbers import numbers_of
from equivalence.mutants.machine.suites.parts_by_key import parts_by_key
from equivalence.mutants.machine.suites.pieces import pieces
from equivalence.mutants.machine.suites.query_sessions import query_sessions
from equivalence.mutants.machine.suites.rewrites import rewrites
from equivalence.mutants.machine.suites.small_steps import in_small_steps_of
from equivalence.mutants.machine.suites.states import prompt_sessions, states_of
from equivalence.mutants.machine.targets import module_name, target_mutations
from equivalence.mutants.machine.trial import Suite
from physical.engines.interval.engine import IntervalEngine

INTERVAL = IntervalEngine()


@pytest.mark.parametrize(("suite", "size"), JUDGES)
def test_trials_are_what_their_seed_says(suite: Suite, size: int) -> None:
    trials = list(islice(suite(0, min(size, 5)), 5))
    assert trials
    assert [trial.finding() for trial in trials] == [None] * len(trials)
    again = islice(suite(0, min(size, 5)), 5)
    assert [str(trial) for trial in again] == [str(trial) for trial in trials]


@pytest.mark.parametrize(
    ("suite", "file", "function", "kind", "after"),
    [
        (cases_of(INTERVAL), "physical/engines/interval/operator.py", "OrderingOperator.release", "", ""),
        (cases_of(INTERVAL), "physical/kernels/multiplicity.py", "_combined", "other function", "min(left - right, 0)"),
        (cases_without_numba(INTERVAL), "physical/kernels/numpy_kernels.py", "_maximal", "negated", ""),
        (query_sessions, "physical/runtime/graph_session.py", "GraphSession.remove", "statement dropped", "pass"),
        (canonical_form, "physical/columns/canonical.py", "ranked_rows", "statement dropped", "pass"),
        (batched_runs, "physical/files/run_in_batches.py", "feed", "statement dropped", "pass"),
        (batched_differences, "physical/files/stream_difference.py", "Balance.add", "sign dropped", "sign"),
        (rewrites, "equivalence/optimizer/rewrites/predicates.py", "parted", "boundary", ""),
        (bad_calls, "physical/runtime/graph_session.py", "GraphSession._check_open", "condition fixed", ""),
        (bad_calls, "physical/runtime/operator.py", "Operator.heartbeat", "condition fixed", "if False"),
        (numbers_of(INTERVAL), "physical/aggregation/fused_sweep.py", "_column", "", ""),
        (crowds_of(INTERVAL), "physical/join_index/hash_area.py", "HashArea.query", "operand dropped", ""),
        (endless_runs, "physical/runtime/run_whole.py", "_checked", "condition fixed", "stream if False"),
        (
            in_small_steps_of(crowds_of(INTERVAL)),
            "physical/engines/interval/join.py",
            "IntervalEquijoin._meet",
            "",
            "",
        ),
        (many_values_of(INTERVAL), "physical/columns/typed_expressions.py", "_bounded", "", ""),
        (states_of(INTERVAL), "physical/engines/interval/session_window.py", "IntervalSessionWindow.ended", "", ""),
        (prompt_sessions, "physical/engines/interval/session_window.py", "IntervalSessionWindow.accept", "", ""),
        (prompt_sessions, "physical/engines/interval/over.py", "IntervalOver.needed", "condition fixed", "if True"),
        (parts_by_key, "physical/runtime/key_parts.py", "_codes", "", ""),
        (covering_cases_of(INTERVAL), "physical/columns/row_numbers.py", "_column_numbers", "", ""),
        (arrow_tables, "physical/columns/arrow.py", "_whole", "constant", "1"),
        (pieces, "physical/kernels/pieces.py", "coalesced", "statement dropped", "pass"),
        (keys_of_plans, "equivalence/optimizer/rewrites/known_keys.py", "_joined", "", ""),
    ],
)
def test_a_suite_kills_mutants_of_what_it_is_there_for(
    suite: Suite, file: str, function: str, kind: str, after: str
) -> None:
    chosen = [m for m in target_mutations(file) if m.function == function and kind in m.kind and after in m.after]
    laboratory = Laboratory.prepared(suite(0, 80), [module_name(file)])
    assert "killed" in [outcome.status for outcome in laboratory.outcomes(chosen[:4])]
