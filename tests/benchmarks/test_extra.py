"""What is asked for by name only: the cost per element, and the memory of a session."""

import pytest

from benchmarks.harness import memory
from benchmarks.harness.duel import falls_short
from benchmarks.harness.main import run_benchmarks
from benchmarks.studies import flat
from benchmarks.works.scalar import scalar


def test_flat_compares_a_work_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat, "BASE_SIZE", 10)
    (row,) = flat.flat([scalar(length=5)], [20], 1, lambda _: None)
    assert (row["name"], row["size"], row["peer"]) == ("flat/scalar", 20, "itself at 10")
    assert row["ratio"] == row["peer_s"] / row["ours_s"]


def test_memory_tells_the_size_of_the_process_after_every_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "BATCH", 100)
    (row,) = run_benchmarks(["memory"], [20_000], 1, lambda _: None)
    assert len(row["rss_mb"]) == len(row["held"]) == memory.TENTHS
    assert max(row["held"]) <= 8192


@pytest.mark.parametrize(
    ("special", "is_flat", "short"), [("", True, False), ("", False, True), ("equal", False, False)]
)
def test_a_session_that_grows_falls_short(special: str, is_flat: bool, short: bool) -> None:
    assert falls_short({"ratio": 2.0, "goal": 1.0, "special": special, "flat": is_flat}) is short


def test_no_goal_applies_to_a_peer_that_relies_on_more() -> None:
    row = {"ratio": 0.5, "goal": 1.0}
    assert falls_short(row | {"special": ""})
    assert not falls_short(row | {"special": "all elements live equally long"})
