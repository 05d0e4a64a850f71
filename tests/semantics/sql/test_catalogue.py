"""Declarations, time units, names and functions: what a catalogue knows."""

import pytest

from semantics import Schema, SchemaError, StreamError, Type, source
from semantics.sql import Catalogue, Constraint, Declaration, TimeUnit, parse_query, parse_script, read_script
from semantics.sql.units import instant

SCRIPT = """
SET TIME UNIT MINUTE;
CREATE TABLE Person(id BIGINT, name VARCHAR(20) NOT NULL, PRIMARY KEY (id), UNIQUE (name, id));
CREATE TABLE Item(id INTEGER PRIMARY KEY UNIQUE, owner INT REFERENCES Person,
  FOREIGN KEY (owner) REFERENCES Person(id));
CREATE STREAM Auction(item INT REFERENCES Item(id), open BOOLEAN, since TIMESTAMP, until INT) VALID (since, until);
CREATE STREAM Bid(ts TIMESTAMP, "Item" INT NOT NULL, price DOUBLE) SOURCE port(1, 'x') ORDERED BY TS;
CREATE STREAM Dear AS SELECT "Item" FROM Bid WHERE price > 9;
"""


def declared(name: str) -> Declaration:
    found = read_script(SCRIPT).find(name)
    assert isinstance(found, Declaration)
    return found


def test_a_raw_stream_loses_its_time_column() -> None:
    bid = declared("Bid")
    assert bid.schema == Schema.of(Item=int, price=float)
    assert (bid.columns, bid.ordered, bid.valid) == (("ts", "Item", "price"), "ts", None)
    assert bid.timestamps == ("ts",)
    assert not bid.is_table


def test_an_interval_stream_loses_two() -> None:
    auction = declared("Auction")
    assert auction.schema == Schema.of(item=int, open=bool)
    assert (auction.ordered, auction.valid, auction.timestamps) == (None, ("since", "until"), ("since",))


def test_a_table_has_no_time() -> None:
    assert declared("Person").is_table
    assert declared("Person").schema == Schema.of(id=int, name=str)


def test_constraints_are_kept() -> None:
    assert declared("Person").constraints == (
        Constraint("NOT NULL", ("name",)),
        Constraint("PRIMARY KEY", ("id",)),
        Constraint("UNIQUE", ("name", "id")),
    )
    assert declared("Item").constraints == (
        Constraint("PRIMARY KEY", ("id",)),
        Constraint("UNIQUE", ("id",)),
        Constraint("REFERENCES", ("owner",), "Person", ("id",)),
        Constraint("REFERENCES", ("owner",), "Person", ("id",)),
    )


def test_a_derived_stream_is_its_plan_and_no_source() -> None:
    catalogue = read_script(SCRIPT)
    assert parse_query("SELECT * FROM Dear", catalogue) == parse_query(
        'SELECT "Item" FROM Bid WHERE price > 9', catalogue
    )
    assert list(catalogue.sources) == ["Person", "Item", "Auction", "Bid"]


def test_a_script_has_a_query_and_what_it_refers_to() -> None:
    script = parse_script(f"{SCRIPT} SELECT price FROM Bid")
    assert script.plan == parse_query("SELECT price FROM Bid", script.catalogue)
    assert script.catalogue.unit is TimeUnit.MINUTE


def test_the_time_unit_is_the_catalogues() -> None:
    catalogue = read_script(SCRIPT)
    assert catalogue.unit is TimeUnit.MINUTE
    plan = parse_query("SELECT * FROM Bid WINDOW(RANGE 2 HOURS SLIDE 1 MINUTES)", catalogue)
    assert plan == source("Bid", Item=int, price=float).window(120).plan


def test_names_ignore_case_unless_two_differ_in_it_alone() -> None:
    catalogue = Catalogue.of({"a": Schema.of(x=int, X=str), "b": Schema.of(y=int)})
    assert parse_query("SELECT X FROM A", catalogue).schema.types == (Type.STR,)
    assert parse_query("SELECT Y AS z FROM B", catalogue).schema == Schema.of(z=int)
    catalogue.add(Declaration("B", Schema.of(z=int)))
    assert parse_query("SELECT * FROM b", catalogue).schema == Schema.of(y=int)
    assert parse_query("SELECT * FROM B", catalogue).schema == Schema.of(z=int)


def test_a_name_is_taken_once() -> None:
    catalogue = read_script(SCRIPT)
    with pytest.raises(SchemaError, match="Bid: there is already a stream or table of this name"):
        catalogue.add(Declaration("Bid", Schema.of(x=int)))


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("1970-01-01T00:00:05", TimeUnit.SECOND, 5),
        ("1970-01-01T00:00:05.250", TimeUnit.MILLISECOND, 5250),
        ("1970-01-02T01:00:00+01:00", TimeUnit.DAY, 1),
        ("2009-04-01", TimeUnit.HOUR, 344040),
    ],
)
def test_timestamps_are_counted_in_units(text: str, unit: TimeUnit, expected: int) -> None:
    assert instant(text, unit) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("yesterday", "expected an ISO 8601 text, got 'yesterday'"),
        ("1970-01-01T00:00:30", "expected a whole number of units of one MINUTE since 1970"),
        ("1969-12-31", "expected a whole number of units of one MINUTE since 1970"),
    ],
)
def test_timestamps_that_are_none(text: str, message: str) -> None:
    with pytest.raises(StreamError, match=message):
        instant(text, TimeUnit.MINUTE)
