"""CQL: windows in brackets and the three stream operators, at single instants, by hand; instants are seconds."""

import pytest

from semantics import RawStream, evaluate
from semantics.sql import parse_script
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import read_dialect
from semantics.sql.errors import SqlError

DDL = "REGISTER STREAM S (k integer, v integer); REGISTER RELATION R (k integer, w integer);"
ROWS = [((1, 10), 0), ((2, 20), 1), ((1, 30), 3)]


def rows_at(query: str, instant: int) -> list[tuple[object, ...]]:
    script = parse_script(read_dialect(DDL + query, "cql").text)
    schemas = script.plan.sources()
    streams = {name: RawStream(schema, ROWS if name == "S" else []) for name, schema in schemas.items()}
    found = evaluate(script.plan, streams, horizon=10).at(instant)
    return sorted((row for row, n in found.items() for _ in range(n)), key=repr)


@pytest.mark.parametrize(
    ("query", "instant", "rows"),
    [
        ("Select v From S [Range 2 Seconds]", 1, [(10,), (20,)]),
        ("Select v From S [Range 2 Seconds]", 2, [(20,)]),
        ("Select v From S [Now]", 1, [(20,)]),
        ("Select v From S [Now]", 2, []),
        ("Select v From S [Rows 1]", 2, [(20,)]),
        ("Select v From S [Rows 2]", 3, [(20,), (30,)]),
        ("Select v From S [Partition By k Rows 1]", 3, [(20,), (30,)]),
        ("Select v From S [Range Unbounded]", 9, [(10,), (20,), (30,)]),
        ("Select v From S", 9, [(10,), (20,), (30,)]),
        ("Select k, Count(*) As n From S [Range 4 Seconds Slide 2 Seconds] Group By k", 3, [(1, 1), (2, 1)]),
        ("Istream(Select v From S [Range 2 Seconds])", 1, [(20,)]),
        ("Dstream(Select v From S [Range 2 Seconds])", 2, [(10,)]),
        ("Rstream(Select v From S [Range 2 Seconds])", 1, [(10,), (20,)]),
        ("Select Istream(k, v) From S [Range 2 Seconds] Where v > 15", 1, [(2, 20)]),
        ("Select Rstream(*) From S [Now]", 3, [(1, 30)]),
        ("Select A.v From S [Range 4 Seconds] As A, S [Now] As B Where A.k = B.k And A.v < B.v", 3, [(10,)]),
        ("Select v From S [Range 9 Seconds] Where k In (Select k From S [Now])", 3, [(10,), (30,)]),
    ],
)
def test_a_window_in_brackets_holds_its_rows(query: str, instant: int, rows: list[tuple[object, ...]]) -> None:
    assert rows_at(query, instant) == rows


@pytest.mark.parametrize(("query", "kind"), [("Select v From S", "retract"), ("Istream(Select v From S)", "events")])
def test_stream_operators_give_events(query: str, kind: str) -> None:
    assert read_dialect(DDL + query, "cql").kind == kind


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (DDL, "there is no query"),
        (DDL + "Select v From S [Range 2", "a bracket is not closed"),
        ("REGISTER STREAM S (k AS v); Select k From S", "CQL has no computed columns"),
        ("REGISTER STREAM S (k blob); Select k From S", "the type BLOB is refused"),
    ],
)
def test_what_is_wrong_is_said(text: str, problem: str) -> None:
    with pytest.raises((SqlError, Refused), match=problem):
        read_dialect(text, "cql")


def test_declarations_of_this_language_stand_as_they_are() -> None:
    own = "CREATE STREAM S(k BIGINT, at BIGINT) ORDERED BY at"
    reading = read_dialect(f"{own}; CREATE TABLE T(x BIGINT); Select k From S [Rows 3]", "cql")
    assert reading.declarations == (own, "CREATE TABLE T(x BIGINT)")
    assert reading.query == "Select k From S WINDOW(Rows 3)"


def test_streams_of_a_catalogue_are_known() -> None:
    known = parse_script(f"{read_dialect(DDL + 'Select v From S', 'cql').text}").catalogue
    assert read_dialect("Select v From S", "cql", known).query == "Select v From S WINDOW(RANGE UNBOUNDED)"
