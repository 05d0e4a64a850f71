"""Constraints of CREATE statements as plans: the interval engine finds what violates them, and nothing else."""

from collections.abc import Mapping

import pytest

from equivalence.query_files.constraint_queries import constraint_queries
from equivalence.query_files.query_over_files import read_query
from physical import run
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from semantics import parse

QUERY = read_query(
    "CREATE TABLE Cat(id INT PRIMARY KEY, name TEXT NOT NULL); "
    "CREATE STREAM Auction(id INT UNIQUE, cat INT REFERENCES Cat(id), opened BIGINT, closed BIGINT) "
    "VALID (opened, closed); SELECT A.id, name FROM Auction A, Cat C WHERE A.cat = C.id"
)
GOOD = {
    "Cat": "interval(id int, name str): (6, 'x')@[0, ∞) (7, 'y')@[0, ∞)",
    "Auction": "interval(id int, cat int): (1, 6)@[0, 5) (null, 7)@[1, ∞) (null, 7)@[1, ∞) (1, null)@[5, 9)",
}
EXPECTED = "another row has it at that time, too; expected values that no other row has at the same time"


def violations(given: Mapping[str, str]) -> list[str]:
    """The errors for all constraints that are violated."""
    streams = {name: PhysicalStream.of(parse(text)) for name, text in given.items()}
    said = []
    for query in constraint_queries(QUERY, streams)[0]:
        found = run(query.violations, streams)
        if len(found):
            said.append(str(query.error(query.source, rows(found.columns)[0], int(found.start[0]))))
    return said


@pytest.mark.parametrize(
    ("name", "more", "messages"),
    [
        ("Cat", "(null, 'z')@[0, ∞)", ["Cat: column id: NULL breaks PRIMARY KEY; expected a value: id is PRIMARY KEY"]),
        ("Cat", "(8, null)@[0, ∞)", ["Cat: column name: NULL breaks NOT NULL; expected a value: name is NOT NULL"]),
        ("Cat", "(6, 'z')@[0, ∞)", [f"Cat: (6,) at 0 breaks PRIMARY KEY (id): {EXPECTED}"]),
        ("Auction", "(1, 6)@[8, 11)", [f"Auction: (1,) at 8 breaks UNIQUE (id): {EXPECTED}"]),
        ("Auction", "(1, 6)@[9, 11)", []),
        (
            "Auction",
            "(3, 9)@[9, 10)",
            ["Auction: column cat: (3, 9) refers to nothing in Cat(id) at 9; expected values of Cat(id)"],
        ),
    ],
)
def test_what_violates_a_constraint_is_found(name: str, more: str, messages: list[str]) -> None:
    assert violations(GOOD) == []
    assert violations({**GOOD, name: f"{GOOD[name]} {more}"}) == messages


def test_what_refers_to_something_that_is_not_given_is_said() -> None:
    found, remarks = constraint_queries(QUERY, {"Auction": None})
    assert [query.column for query in found] == [""]
    assert remarks == ["Auction REFERENCES Cat: not checked, Cat is not given"]
