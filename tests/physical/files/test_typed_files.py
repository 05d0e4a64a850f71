"""Decimals, times, spans, arrays and rows in files: read and written without loss, or refused with the place."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from physical.columns.column import from_values, rows
from physical.columns.stream import PhysicalStream
from physical.files.errors import FileError
from physical.files.layout import Layout, result_layout
from physical.files.reader import FileReader
from physical.files.writer import results_in_file
from semantics import (
    Column,
    Date,
    DayInterval,
    MonthInterval,
    Row,
    Schema,
    Time,
    Timestamp,
    Type,
    array_of,
    decimal,
    row_of,
)

SCHEMA = Schema.of(
    at=Type.TIMESTAMP,
    d=Type.DATE,
    t=Type.TIME,
    i=Type.DAY_INTERVAL,
    m=Type.MONTH_INTERVAL,
    p=decimal(10, 2),
    big=decimal(30, 3),
    a=array_of(Type.FLOAT),
    r=row_of(("x", Type.INT), ("y z", array_of(Type.DATE))),
    s=str,
)
ZEROS = (Decimal("0.00"), Decimal("0.000"))
ROWS: list[Row] = [
    (
        Timestamp("2024-01-31 12:30:00.25"),
        Date("1969-12-31"),
        Time("23:59:59.000001"),
        DayInterval("-1 02:00:00"),
        MonthInterval("-1-2"),
        Decimal("-12.50"),
        Decimal("123456789012345678901234567.125"),
        (1.5, None),
        (1, (Date("2024-01-01"), None)),
        'a "quoted", text',
    ),
    (None,) * 10,
    (Timestamp(0), Date(0), Time(0), DayInterval(0), MonthInterval(0), *ZEROS, (), (None, None), "x"),
]


def read(path: Path, layout: Layout) -> list[Row]:
    return [row for batch in FileReader(path, layout).batches() for row in rows(batch.elements.columns)]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "arrow"])
def test_results_are_read_back(tmp_path: Path, ending: str) -> None:
    columns = [from_values([row[i] for row in ROWS], type_) for i, type_ in enumerate(SCHEMA.types)]
    counted = Schema((*SCHEMA.columns, Column("_count", Type.INT)))
    runs = PhysicalStream(counted, (*columns, from_values([1, 1, 1], Type.INT)), np.arange(3), np.arange(3) + 2)
    with results_in_file(tmp_path / f"result.{ending}", SCHEMA) as results:
        results.take(runs)
    assert read(tmp_path / f"result.{ending}", result_layout(SCHEMA)) == ROWS


PRICES = Layout(Schema.of(p=decimal(5, 2)), "ts")
TIMES = Layout(Schema.of(at=Type.TIMESTAMP), "ts")


def test_numbers_of_json_keep_their_digits(tmp_path: Path) -> None:
    path = tmp_path / "prices.jsonl"
    path.write_text('{"p": 0.10, "ts": 1}\n{"p": "2.5", "ts": 2}\n{"p": 3, "ts": 3}\n{"ts": 4}\n')
    assert read(path, PRICES) == [(Decimal("0.10"),), (Decimal("2.50"),), (Decimal("3.00"),), (None,)]


@pytest.mark.parametrize(
    ("name", "text", "layout", "message"),
    [
        ("p.csv", "p,ts\n1.5,0\n0.123,1\n", PRICES, "line 3, column p: '0.123' does not fit"),
        ("p.jsonl", '{"p": 0.123, "ts": 1}\n', PRICES, "line 1, column p: 0.123 does not fit"),
        ("p.jsonl", '{"p": true, "ts": 1}\n', PRICES, "line 1, column p: True does not fit"),
        ("at.csv", "at,ts\n2024-13-01 00:00:00,1\n", TIMES, "line 2, column at: '2024-13-01 00:00:00' does not fit"),
        ("at.csv", "at,ts\n2024-01-01 00:00:00.0000001,1\n", TIMES, "line 2, column at"),
        ("at.jsonl", '{"at": 5, "ts": 1}\n', TIMES, "line 1, column at: 5 does not fit"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, name: str, text: str, layout: Layout, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FileError, match=message):
        read(tmp_path / name, layout)


@pytest.mark.parametrize(
    ("array", "layout"),
    [
        (pa.array([1.5]), PRICES),
        (pa.array([Decimal("1.234")]), PRICES),
        (pa.array([1], pa.timestamp("ns")), TIMES),
        (pa.array([1]), TIMES),
    ],
)
def test_columns_that_would_lose_digits_are_refused(tmp_path: Path, array: pa.Array, layout: Layout) -> None:
    (name,) = layout.schema.names
    parquet.write_table(pa.table({name: array, "ts": [0]}), tmp_path / "x.parquet")
    with pytest.raises(FileError, match=f"column {name}: a column of"):
        read(tmp_path / "x.parquet", layout)


def test_decimals_of_parquet_are_decimals(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"p": pa.array([Decimal("1.5"), None]), "ts": [0, 1]}), tmp_path / "x.parquet")
    assert read(tmp_path / "x.parquet", PRICES) == [(Decimal("1.50"),), (None,)]
