"""The benchmark of sessions does the same work, however elements are given."""

from pathlib import Path

import pytest

from benchmarks.live import __main__ as live
from benchmarks.live import peer
from benchmarks.live.push import best, pushed
from benchmarks.live.queries import QUERIES


@pytest.mark.parametrize("name", ["filter", "window", "join"])
def test_batches_and_form_do_not_change_the_number_of_results(name: str) -> None:
    ways = [(1, True), (1, False), (30, True), (100, False), (300, False)]
    found = {pushed(QUERIES[name], 300, batch, rows).results for batch, rows in ways}
    assert len(found) == 1
    assert found.pop() > 0


def test_the_best_run_counts_and_has_a_latency() -> None:
    found = best(QUERIES["grouped count"], 40, 2, rows=True, repeat=2)
    assert 0 < found.median <= found.p99
    assert found.rate > 0


def test_without_the_peer_its_rows_are_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peer, "interpreter", lambda: None)
    monkeypatch.setattr(live, "ELEMENTS", dict.fromkeys(live.BATCHES, 20))
    monkeypatch.setattr("sys.argv", ["live", "--repeat", "1", "--query", "filter", "--figures", str(tmp_path)])
    live.main()
    said = capsys.readouterr().out
    assert said.count("| filter |") == 7
    assert "Bytewax is not installed" in said
    for figure in ("live.svg", "live-latency.svg"):
        assert (tmp_path / figure).read_text().startswith("<svg")
