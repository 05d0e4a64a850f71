"""What CREATE statements promise, as plans: the interval engine finds what breaks them, and else nothing."""

from collections.abc import Mapping

import pytest

from equivalence.command.query_files.constraint_queries import promises
from equivalence.command.query_files.query import read_question
from physical import run
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from semantics import parse

QUESTION = read_question(
    "CREATE TABLE Cat(id INT PRIMARY KEY, name TEXT NOT NULL); "
    "CREATE STREAM Auction(id INT UNIQUE, cat INT REFERENCES Cat(id), opened BIGINT, closed BIGINT) "
    "VALID (opened, closed); SELECT A.id, name FROM Auction A, Cat C WHERE A.cat = C.id"
)
GOOD = {
    "Cat": "interval(id int, name str): (6, 'x')@[0, ∞) (7, 'y')@[0, ∞)",
    "Auction": "interval(id int, cat int): (1, 6)@[0, 5) (null, 7)@[1, ∞) (null, 7)@[1, ∞) (1, null)@[5, 9)",
}
EXPECTED = "another row has it at that time, too; expected values that no other row has at the same time"


def broken(given: Mapping[str, str]) -> list[str]:
    """What is said of every promise that is broken."""
    streams = {name: PhysicalStream.of(parse(text)) for name, text in given.items()}
    said = []
    for promise in promises(QUESTION, streams)[0]:
        found = run(promise.broken, streams)
        if len(found):
            said.append(str(promise.error(promise.source, rows(found.columns)[0], int(found.start[0]))))
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
def test_what_breaks_a_promise_is_found(name: str, more: str, messages: list[str]) -> None:
    assert broken(GOOD) == []
    assert broken({**GOOD, name: f"{GOOD[name]} {more}"}) == messages


def test_what_refers_to_something_that_is_not_given_is_said() -> None:
    found, remarks = promises(QUESTION, {"Auction": None})
    assert [promise.column for promise in found] == [""]
    assert remarks == ["Auction REFERENCES Cat: not checked, Cat is not given"]
