"""The simulated cluster: what it says follows from the costs, and from what the planner decides."""

import pytest

from benchmarks.spark.scale import MEASURED, Cluster, Scenario, blocks, main, memory_of_largest, stages, total


@pytest.mark.parametrize("work", MEASURED)
def test_ten_times_the_rows_take_at_most_about_ten_times_as_long(work: str) -> None:
    small, large = Scenario(work, 10**9), Scenario(work, 10**10)
    assert 1 < total(large) / total(small) < 13


def test_the_planner_decides_how_many_partitions_there_are() -> None:
    assert Scenario("distinct", 10**10, partitions=50_000).parts == 50_000
    few, many = Scenario("distinct", 10**6).parts, Scenario("distinct", 10**11).parts
    assert few < Cluster().slots < many
    assert many % Cluster().slots == 0


def test_a_heavy_key_that_is_not_cut_is_the_bottleneck_and_does_not_fit() -> None:
    cut, whole = (Scenario("grouped", 10**10, heavy=0.5, is_cut=is_cut) for is_cut in (True, False))
    assert stages(whole)[-1].bottleneck == "largest task"
    assert memory_of_largest(whole) > Cluster().memory > memory_of_largest(cut)
    assert total(whole) > 10 * total(cut)


def test_blocks_grow_with_readers_times_partitions() -> None:
    assert blocks(Scenario("join", 10**10, partitions=50_000)) == 10 * blocks(
        Scenario("join", 10**10, partitions=5_000)
    )


def test_many_partitions_keep_the_driver_busy() -> None:
    assert stages(Scenario("distinct", 10**9, partitions=50_000))[-1].bottleneck == "driver"


def test_the_command_prints_every_work(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--rows", "1000000000", "--nodes", "10"])
    printed = capsys.readouterr().out
    assert all(f"{work}, 1e+09 rows" in printed for work in MEASURED)
    assert printed.count("first bottleneck: ") == 3 * len(MEASURED)
