"""Engines by the protocol: the golden cases that they can run have their snapshots."""

from pathlib import Path

import pytest

from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.subject.load import load_engine
from physical.adapters.environments import EngineUnavailable
from physical.adapters.protocol_workers import WORKERS
from semantics import Plan, Unsupported
from semantics.plan import Antijoin, FullJoin, LeftJoin, RightJoin
from tests.golden_corpus import golden_corpus

CORPUS = golden_corpus()
WRONG = {"d2ts": (LeftJoin, RightJoin, FullJoin, Antijoin)}
"""Operators that are on record in docs/findings."""
LATEST = 1000
WINDOWED = ("beam", "bytewax")
"""They take windows over every source only, and have tests of their own."""


def is_on_record(name: str, plan: Plan) -> bool:
    return any(isinstance(node, WRONG.get(name, ())) for node in plan.walk())


@pytest.mark.parametrize(
    "name", [name for name, worker in WORKERS.items() if not worker.server and name not in WINDOWED]
)
def test_golden_cases_have_their_snapshots(name: str) -> None:
    environment = WORKERS[name].environment
    if not environment.is_installed:
        pytest.skip(f"{name} is not installed: snapeq engines install {environment.engine}")
    tried = 0
    with subject_of(name) as subject:
        for case in CORPUS:
            if case.expected.horizon > LATEST or is_on_record(name, case.plan) or not subject.fits(case.plan):
                continue
            try:
                found = subject.run(case.plan, case.streams, case.expected.horizon)
            except Unsupported:  # a program may find out when it is asked
                continue
            tried += 1
            assert found == case.expected.snapshots, case.title
    assert tried > 30


def test_one_that_is_not_there_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    with pytest.raises(EngineUnavailable, match="not installed: snapeq engines install d2ts"):
        load_engine("d2ts")


def test_a_server_of_the_user_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = WORKERS["risingwave"]
    if not worker.environment.is_installed:
        pytest.skip("postgres is not installed: snapeq engines install postgres")
    monkeypatch.delenv(worker.variable, raising=False)
    with pytest.raises(EngineUnavailable, match="set SNAPEQ_RISINGWAVE to its address"):
        load_engine("risingwave")
    monkeypatch.setenv(worker.variable, "postgresql://me:secret@here:4566/dev")
    assert worker.command.endswith("views/worker.py risingwave")
