"""OVER over tables, in any order: frames, places and neighbours, worked out by hand."""

import pytest

from tests.semantics.sql.dialects.golden import Golden, answer

ROWS = [((1, 10), 0), ((1, 20), 1_000), ((1, 20), 5_000), ((2, 30), 6_000), ((1, 50), 7_000)]
"""Items, prices and times; item 1 has two rows with price 20."""
TABLES = ("postgres", "duckdb", "materialize", "spark")

FRAMES: dict[str, list[tuple[object, ...]]] = {
    "RANGE BETWEEN 10 PRECEDING AND CURRENT ROW": [(10, 10), (20, 50), (20, 50), (50, 50)],
    "RANGE BETWEEN CURRENT ROW AND 30 FOLLOWING": [(10, 50), (20, 90), (20, 90), (50, 50)],
    "RANGE BETWEEN 40 PRECEDING AND 10 PRECEDING": [(10, None), (20, 10), (20, 10), (50, 50)],
    "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING": [(10, 100), (20, 100), (20, 100), (50, 100)],
    "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING": [(10, 100), (20, 90), (20, 90), (50, 50)],
    "RANGE UNBOUNDED PRECEDING": [(10, 10), (20, 50), (20, 50), (50, 100)],
    "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING": [(10, None), (20, 10), (20, 30), (50, 50)],
    "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING": [(10, 100), (20, 90), (20, 70), (50, 50)],
    "ROWS UNBOUNDED PRECEDING": [(10, 10), (20, 30), (20, 50), (50, 100)],
}
"""The sum of the prices of item 1 in each frame, in the order of prices; ROWS tell the two 20s apart."""
CALLS: dict[str, list[tuple[object, ...]]] = {
    "LAG(price) OVER (PARTITION BY item ORDER BY ts)": [(10, None), (20, 10), (20, 20), (30, None), (50, 20)],
    "LAG(price, 2) OVER (PARTITION BY item ORDER BY ts)": [(10, None), (20, None), (20, 10), (30, None), (50, 20)],
    "LEAD(price) OVER (PARTITION BY item ORDER BY ts)": [(10, 20), (20, 20), (20, 50), (30, None), (50, None)],
    "FIRST_VALUE(price) OVER (PARTITION BY item ORDER BY ts DESC)": [(10, 50), (20, 50), (20, 50), (30, 30), (50, 50)],
    "LAST_VALUE(price) OVER (PARTITION BY item ORDER BY ts)": [(10, 10), (20, 20), (20, 20), (30, 30), (50, 50)],
    "ROW_NUMBER() OVER (ORDER BY price DESC, ts)": [(10, 5), (20, 3), (20, 4), (30, 2), (50, 1)],
    "RANK() OVER (ORDER BY price)": [(10, 1), (20, 2), (20, 2), (30, 4), (50, 5)],
    "DENSE_RANK() OVER (ORDER BY price)": [(10, 1), (20, 2), (20, 2), (30, 3), (50, 4)],
    "COUNT(*) FILTER (WHERE price > 10) OVER (PARTITION BY item)": [(10, 3), (20, 3), (20, 3), (30, 1), (50, 3)],
    "SUM(price + 1) OVER (PARTITION BY item % 2)": [(10, 104), (20, 104), (20, 104), (30, 31), (50, 104)],
}


@pytest.mark.parametrize("dialect", TABLES)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_holds_the_rows_that_it_names(frame: str, dialect: str) -> None:
    query = f"SELECT price, SUM(price) OVER (ORDER BY price {frame}) AS total FROM bid WHERE item = 1"
    golden = Golden(ROWS, [], {dialect: query})
    assert sorted(answer(golden, dialect), key=repr) == sorted(FRAMES[frame], key=repr)


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
@pytest.mark.parametrize("call", CALLS)
def test_a_row_sees_its_neighbours_and_its_place(call: str, dialect: str) -> None:
    golden = Golden(ROWS, [], {dialect: f"SELECT price, {call} AS v FROM bid"})
    assert sorted(answer(golden, dialect), key=repr) == sorted(CALLS[call], key=repr)
