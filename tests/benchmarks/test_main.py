"""The harness, with the reference in the place of the engine: what it reports, refuses and skips."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks.harness import main
from benchmarks.harness.agree import Disagreement
from benchmarks.harness.main import UnknownWork, app, chosen, run_benchmarks
from benchmarks.harness.report import cells
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Contestant, Task
from benchmarks.peers import bears, duck
from benchmarks.peers.reference import Reference
from benchmarks.studies import engine
from benchmarks.works.scalar import scalar

KEYS = {"name", "size", "ours_s", "peer", "peer_s", "ratio", "goal"}


@pytest.fixture(autouse=True)
def loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference plays the engine, and the table has one small work."""

    def prepare(task: Task, inputs: Inputs) -> Contestant:
        return Reference(task, horizon=40).prepare(inputs)

    monkeypatch.setattr(engine, "prepare", prepare)
    monkeypatch.setattr(main, "catalogue", lambda: [scalar(length=5)])


def test_a_row_has_what_the_interface_promises() -> None:
    (row,) = run_benchmarks(["scalar"], [30], 1)
    assert row.keys() >= KEYS
    assert (row["name"], row["size"], row["peer"], row["goal"]) == ("scalar", 30, "numpy", 1)
    assert row["ratio"] == row["peer_s"] / row["ours_s"]


def test_sides_that_disagree_fail_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(task: Task, inputs: Inputs) -> Contestant:
        return Reference(task, horizon=3).prepare(inputs)

    monkeypatch.setattr(engine, "prepare", wrong)
    with pytest.raises(Disagreement, match="scalar at 30: snapeq and numpy disagree"):
        run_benchmarks([], [30], 1)
    result = CliRunner().invoke(app, ["--size", "30"])
    assert result.exit_code == 1
    assert "disagree" in result.output


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownWork, match="unknown work 'skalar'; there are: scalar, flat, memory"):
        chosen(["skalar"])
    assert CliRunner().invoke(app, ["skalar"]).exit_code == 2


def test_a_peer_that_is_missing_is_skipped_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for module in (duck, bears):
        monkeypatch.setattr(module, "find_spec", lambda _: None)
    said: list[str] = []
    assert run_benchmarks(["canonical"], [10], 1, said.append) == []
    assert [message.split(":")[0] for message in said] == ["the peer DuckDB", "the peer Polars"]
    assert all("which is not installed: pip install 'snapeq[engines]'" in message for message in said)


def test_a_size_beyond_a_peer_is_skipped_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    said: list[str] = []
    assert run_benchmarks(["reference/filter"], [10**5], 1, said.append) == []
    assert said == ["reference/filter: 100000 elements would take its peer forever, 10000 is the most; skipped"]


def test_json_is_one_document() -> None:
    (row,) = json.loads(CliRunner().invoke(app, ["--size", "30", "--json"]).output)
    assert row.keys() >= KEYS


def test_show_prints_plan_and_query() -> None:
    output = CliRunner().invoke(app, ["--size", "30", "--show"]).output
    assert "A(v int) | aggregate(sum(v) as total, count(*) as n)" in output
    assert "np.argsort" in output


@pytest.mark.parametrize(("ratio", "word"), [(3.0, "reached"), (2.99, "missed")])
def test_the_table_says_whether_the_goal_is_reached(ratio: float, word: str) -> None:
    row: dict[str, Any] = {"name": "w", "size": 10**6, "ours_s": 0.02, "peer": "p", "peer_s": 0.02 * ratio}
    texts = cells(row | {"ratio": ratio, "goal": 3, "cpu_ratio": ratio, "special": "", "limit_s": 0.01, "noise": 0.1})
    assert any(word in text for text in texts)
    assert texts[1:4] == ("1,000,000", "20 ms", "20")
