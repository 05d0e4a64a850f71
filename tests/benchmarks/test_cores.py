"""One thread against all: the critical path is that of the work, and peers are compared."""

import os
import sys

import pytest

from benchmarks.cores import __main__ as command
from benchmarks.cores.meter import Path, makespan, measured
from physical.columns.threads import Workers, workers


@pytest.mark.parametrize(
    ("tasks", "cores", "seconds"),
    [([3, 1, 1, 1], 2, 3), ([1, 1, 1], 2, 2), ([1, 1, 1], 1, 3), ([1, 1, 3], 2, 4), ([2], 8, 2), ([], 2, 0)],
)
def test_tasks_are_taken_in_order_by_the_core_that_is_free(tasks: list[float], cores: int, seconds: float) -> None:
    assert makespan(tasks, cores) == seconds


def test_a_path_is_its_serial_part_and_its_rounds() -> None:
    assert Path(serial=5, rounds=[[1, 1], [4, 2, 2]]).on(2) == 5 + 1 + 4


@pytest.mark.parametrize("threads", [1, 2])
def test_rounds_of_a_run_are_measured_and_nothing_is_left_behind(threads: int) -> None:
    plain = Workers.map

    def run() -> None:
        with workers(threads) as team:
            assert team.map(lambda n: sum(range(n)), [100_000, 10]) == [4999950000, 45]

    path = measured(run)
    assert len(path.rounds) == 1
    assert path.rounds[0][0] > path.rounds[0][1] > 0
    assert path.serial >= 0
    assert Workers.map is plain


def test_the_table_has_our_row_and_those_of_peers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(os.environ, "SNAPEQ_THREADS", "1")
    monkeypatch.setattr(sys, "argv", ["cores", "distinct", "--size", "2000", "--repeat", "1"])
    command.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.count("|") for line in lines[1:5]] == [11] * 4
    assert lines[3].startswith("| distinct |")
    assert "| DuckDB |" in lines[4]
