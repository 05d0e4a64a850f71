"""Samples, files that go on where they ended, and figures."""

import json
from pathlib import Path

import pytest

from equivalence.mutants.machine import campaign as module
from equivalence.mutants.machine.campaign import campaign, drawn
from equivalence.mutants.machine.outcome import outcome_of
from equivalence.mutants.machine.summary import Summary
from equivalence.mutants.machine.syntax_mutations import mutations_of
from equivalence.mutants.machine.targets import target_files, target_mutations

MUTATIONS = list(mutations_of("m", "def f(x):\n    return x < 3"))


def test_a_sample_depends_on_nothing_but_its_seed() -> None:
    mutations = list(target_mutations("*/multiplicity.py"))
    assert drawn(mutations, 20, 1) == drawn(mutations, 20, 1) != drawn(mutations, 20, 2)
    assert drawn(mutations, 20, 1)[:10] != mutations[:10]
    assert len(drawn(mutations, None, 1)) == len(mutations)


def test_there_are_mutations_of_everything_that_is_to_be_mutated() -> None:
    assert len(list(target_mutations())) > 7000
    rooms = {file.rpartition("/")[0] for file in target_files()}
    assert {"physical/kernels", "physical/runtime", "equivalence/optimizer/rewrites"} <= rooms
    assert "physical/kernels/jit.py" not in target_files()


def test_what_is_in_the_file_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "outcomes.jsonl"
    lines = [json.dumps(outcome_of(mutation, "killed").to_json()) for mutation in MUTATIONS]
    out.write_text("\n".join(lines) + "\n" + lines[0][:20], encoding="utf-8")
    monkeypatch.setattr(module, "all_trials", lambda **_: pytest.fail("nothing is left to try"))
    assert campaign(MUTATIONS, out=out).rate == 1.0


def test_an_outcome_for_other_source_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "outcomes.jsonl"
    other = list(mutations_of("m", "def f(x):\n    print(x)\n    return x < 3"))
    out.write_text(json.dumps(outcome_of(other[0], "killed").to_json()) + "\n", encoding="utf-8")
    monkeypatch.setattr(module, "all_trials", lambda **_: pytest.fail("this is to be tried"))
    with pytest.raises(pytest.fail.Exception, match="this is to be tried"):
        campaign(MUTATIONS[:1], out=out)


def test_figures() -> None:
    statuses = ("killed", "survived", "not reached", "not tried")
    outcomes = [outcome_of(m, s, seconds=2.0) for m, s in zip(MUTATIONS, statuses, strict=True)]  # type: ignore[arg-type]
    summary = Summary(tuple(outcomes), {}, preparing=4.0)
    assert (summary.rate, summary.rate_of_all, summary.seconds_each) == (1 / 2, 1 / 3, 3.0)
    assert summary.counts()["not tried"] == 1
    assert [str(outcome) for outcome in summary.survivors] == ["m:2 negated comparison: x < 3 → x >= 3"]
    assert any("killed: 50.0%" in line for line in summary.lines())
