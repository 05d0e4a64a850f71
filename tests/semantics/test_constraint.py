"""Each constraint on streams that keep it, and on streams that break it at a known element."""

import pytest

from semantics import Interval, Stream, parse
from semantics.constraint import (
    Constraint,
    DuplicateFree,
    Key,
    Lasting,
    NotNull,
    Once,
    References,
    Unique,
    UniqueInstants,
    broken,
    elements_of,
    names,
)

T = "interval(k int): (1)@[0,4) (1)@[4,6) (2)@[5,9)"
NOT_NULL, KEY, UNIQUE, ONCE = (kind("S", ("x",)) for kind in (NotNull, Key, Unique, Once))
REFERENCES = References("S", ("x",), "T", ("k",))


def stream(text: str) -> Stream:
    found = parse(text)
    assert isinstance(found, Stream)
    return found


def first_broken(constraint: Constraint, text: str) -> object:
    return broken(constraint, {"S": stream(text), "T": stream(T)})


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (NOT_NULL, "raw(x int, y int): (1, null)@0 (1, 2)@0"),
        (KEY, "interval(x int, y int): (1, 1)@[0,3) (2, 2)@[0,5) (1, 2)@[3,5)"),
        (UNIQUE, "interval(x int): (null)@[0,3) (null)@[1,2) (1)@[1,4)"),
        (ONCE, "raw(x int): (1)@0 (2)@0 (3)@7"),
        (DuplicateFree("S"), "interval(x int): (1)@[0,2) (2)@[0,2) (1)@[2,3)"),
        (UniqueInstants("S"), "interval(x int): (1)@[0,2) (1)@[2,3)"),
        (Lasting("S"), "interval(x int): (1)@[0,∞) (1)@[0,∞)"),
        (REFERENCES, "interval(x int): (1)@[1,6) (null)@[2,9) (2)@[5,9)"),
    ],
    ids=str,
)
def test_streams_that_keep_a_constraint(constraint: Constraint, text: str) -> None:
    assert first_broken(constraint, text) is None


@pytest.mark.parametrize(
    ("constraint", "text", "row", "start"),
    [
        (NOT_NULL, "raw(x int): (1)@0 (null)@3", (None,), 3),
        (KEY, "interval(x int, y int): (1, 1)@[0,3) (1, 2)@[2,5)", (1, 2), 2),
        (KEY, "raw(x int): (null)@1", (None,), 1),
        (KEY, "raw(x float): (0.0)@1 (-0.0)@1", (-0.0,), 1),
        (UNIQUE, "interval(x int): (1)@[0,3) (1)@[2,4)", (1,), 2),
        (ONCE, "raw(x int): (1)@0 (1)@7", (1,), 7),
        (ONCE, "interval(x int): (1)@[0,2)", (1,), 0),
        (DuplicateFree("S"), "interval(x int): (1)@[0,2) (1)@[1,3)", (1,), 1),
        (UniqueInstants("S"), "raw(x int): (1)@0 (2)@0", (2,), 0),
        (Lasting("S"), "interval(x int): (1)@[0,∞) (1)@[1,∞)", (1,), 1),
        (REFERENCES, "interval(x int): (1)@[1,7)", (1,), 1),
        (REFERENCES, "interval(x int): (2)@[4,6)", (2,), 4),
        (REFERENCES, "raw(x int): (3)@5", (3,), 5),
    ],
    ids=str,
)
def test_the_first_element_that_breaks_a_constraint(constraint: Constraint, text: str, row: object, start: int) -> None:
    found = first_broken(constraint, text)
    assert isinstance(found, tuple)
    assert (found[0], found[1].start) == (row, start)


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (NotNull("S", ("x", "y")), "x, y of S is not NULL"),
        (KEY, "x is a key of S"),
        (UNIQUE, "x of S is unique unless NULL"),
        (ONCE, "x of S comes once only"),
        (REFERENCES, "x of S references T(k)"),
        (DuplicateFree("S"), "S has no duplicates"),
        (UniqueInstants("S"), "S has one row an instant at most"),
        (Lasting("S"), "S is the same at every instant"),
    ],
)
def test_constraints_in_words(constraint: Constraint, text: str) -> None:
    assert str(constraint) == text


def test_the_sources_that_a_constraint_is_about() -> None:
    assert (names(KEY), names(REFERENCES)) == ({"S"}, {"S", "T"})


def test_elements_of_a_logical_stream_are_whole_runs() -> None:
    assert elements_of(stream("logical(x int) to 4: 1{(7), (7)} 2{(7)}")) == (
        ((7,), Interval(1, 2)),
        ((7,), Interval(1, 2)),
        ((7,), Interval(2, 3)),
    )
