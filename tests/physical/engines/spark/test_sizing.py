"""How large an input makes how many partitions, and how much of it is sampled; no Spark is started."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from physical.engines.spark.sizing import (
    BYTES_WORTH_A_SLOW_START,
    LEAST_BYTES_PER_PARTITION,
    LEAST_ROWS_PER_PARTITION,
    MOST_BYTES_PER_PARTITION,
    MOST_ROWS_PER_PARTITION,
    SAMPLED_SHARE_IF_SIZE_UNKNOWN,
    bytes_at,
    is_worth_a_slow_start,
    partitions_for,
    rows_at,
    spread_for,
)

MEGABYTE = 2**20


@pytest.mark.parametrize("usual", [1, 2, 3, 8])
@pytest.mark.parametrize("megabytes", [0, 1, 4, 5, 17, 64, 65, 128, 129, 1000])
def test_partitions_are_neither_too_large_nor_too_many(megabytes: int, usual: int) -> None:
    size = megabytes * MEGABYTE
    parts = partitions_for(size, usual)
    assert size / parts <= MOST_BYTES_PER_PARTITION
    assert parts <= usual or parts % usual == 0
    assert parts == 1 or (parts - 1) * LEAST_BYTES_PER_PARTITION < size


@pytest.mark.parametrize("usual", [1, 2, 8])
@pytest.mark.parametrize("rows", [0, 1, 125_000, 125_001, 2_000_001, 10**8])
def test_a_small_file_of_many_rows_has_many_partitions(rows: int, usual: int) -> None:
    """Values that repeat take hardly any bytes in a file, but as many as others in memory."""
    parts = partitions_for(MEGABYTE, usual, rows)
    assert rows / parts <= MOST_ROWS_PER_PARTITION
    assert parts <= usual or parts % usual == 0
    assert parts == 1 or (parts - 1) * LEAST_ROWS_PER_PARTITION < rows


def test_footers_say_how_many_rows_there_are(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1] * 300_000}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_text("this is none")
    (tmp_path / "c.csv").write_text("x\n1\n")
    assert rows_at([str(tmp_path / name) for name in ("a.parquet", "b.parquet", "c.csv")]) == 300_000
    assert rows_at([str(tmp_path / "a.parquet"), "table:S", "parquet:s3a://bucket/bids"]) == 300_000
    assert spread_for(100_000, usual=2, rows=300_000).partitions == 2


@pytest.mark.parametrize("size", [None, 0, 1, 10**12])
def test_a_number_that_is_asked_for_is_never_changed(size: int | None) -> None:
    assert spread_for(size, usual=4, partitions=7).partitions == 7


def test_an_input_of_unknown_size_has_the_usual_number() -> None:
    spread = spread_for(None, usual=4)
    assert (spread.partitions, spread.sample) == (4, SAMPLED_SHARE_IF_SIZE_UNKNOWN)


def test_the_sample_of_a_large_input_is_a_small_part_of_it() -> None:
    assert spread_for(MEGABYTE, usual=1).sample == 0.25
    assert spread_for(100 * 64 * MEGABYTE, usual=4).sample == 1 / 256


def test_the_size_of_files_is_known_only_here(tmp_path: Path) -> None:
    file = tmp_path / "S.csv"
    file.write_text("x\n1\n")
    assert bytes_at([str(file), str(file)]) == 8
    assert bytes_at([str(file), "table:S"]) is None


def test_only_a_large_or_unknown_input_is_worth_a_slow_start() -> None:
    sizes = (None, BYTES_WORTH_A_SLOW_START, BYTES_WORTH_A_SLOW_START + 1)
    assert [is_worth_a_slow_start(size) for size in sizes] == [True, False, True]
