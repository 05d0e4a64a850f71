"""Every wrong text has one message: the place, what is wrong there, what would be right."""

from random import Random

import pytest

from semantics import Plan, SchemaError, SnapeqError
from semantics.sql import Catalogue, SqlError, parse_query, read_script, to_sql
from semantics.sql.syntax import tokens
from tests.semantics.sql.cases import read_cases
from tests.semantics.sql.pairs import CATALOGUE as PAIRS
from tests.semantics.sql.pairs import read_pairs

SCRIPT = """
CREATE STREAM Bid(item INT, price FLOAT, bidder TEXT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Auction(item INT, seller TEXT, opened BIGINT, closed BIGINT) VALID (opened, closed);
CREATE TABLE Category(id INT PRIMARY KEY, name TEXT NOT NULL);
"""


def catalogue() -> Catalogue:
    functions = Catalogue()
    functions.function("half", [float], float, lambda x: x / 2)
    functions.aggregate("spread", float, float, init=lambda v: (v, v), merge=lambda b, _: b, eval=lambda b: b[1] - b[0])
    return read_script(SCRIPT, functions)


CATALOGUE = catalogue()
CASES = read_cases("bad_sql.txt")


@pytest.mark.parametrize(("text", "message"), CASES, ids=[text for text, _ in CASES])
def test_a_wrong_text_is_told_where_what_and_what_instead(text: str, message: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_query(text, CATALOGUE)
    assert str(caught.value) == message
    assert isinstance(caught.value, SnapeqError)
    assert message == f"line {caught.value.line}, column {caught.value.column}: {caught.value.problem}; " + (
        f"expected {caught.value.expected}"
    )


def test_there_are_many_of_them() -> None:
    assert len(CASES) >= 130


def test_an_empty_text_is_no_query() -> None:
    with pytest.raises(SqlError, match="line 1, column 1: there is no query"):
        parse_query("", CATALOGUE)


def test_a_script_of_declarations_has_no_query() -> None:
    with pytest.raises(SqlError, match="line 2, column 1: a query in a script of declarations; expected SET TIME UNIT"):
        read_script("SET TIME UNIT DAY;\nSELECT * FROM Bid", CATALOGUE)


def test_deep_nesting_is_refused_and_does_not_crash() -> None:
    with pytest.raises(SqlError, match="nested too deeply"):
        parse_query("SELECT item FROM Bid WHERE " + "(" * 5000 + "TRUE" + ")" * 5000, CATALOGUE)


def test_a_failed_script_leaves_the_catalogue_as_it_was() -> None:
    with pytest.raises(SqlError):
        read_script("CREATE TABLE T(x INT); CREATE TABLE T(x INT)", CATALOGUE)
    assert CATALOGUE.find("T") is None


@pytest.mark.parametrize("name", ["half", "HALF", "spread", "Count", "coalesce", "istream"])
def test_a_function_has_a_name_of_its_own(name: str) -> None:
    with pytest.raises(SchemaError, match="there is already a function of this name"):
        catalogue().function(name, [int], int, lambda x: x)


QUERIES = [text for pair in read_pairs("equivalent.sql") for text in (pair.left, pair.right)]


def mangled(random: Random) -> str:
    """A query with two of its words exchanged, one replaced by another's, or one left out."""
    words = [[text[token.start : token.end + 1] for token in tokens(text)] for text in random.sample(QUERIES, 2)]
    mine, other = words
    i, j = random.randrange(len(mine)), random.randrange(len(mine))
    match random.randrange(3):
        case 0:
            mine[i], mine[j] = mine[j], mine[i]
        case 1:
            mine[i] = random.choice(other)
        case _:
            del mine[i]
    return " ".join(mine)


def outcome(text: str) -> Plan | SqlError:
    try:
        return parse_query(text, PAIRS)
    except SqlError as error:
        return error


@pytest.mark.parametrize("seed", range(100))
def test_a_mangled_query_is_read_or_told_what_is_wrong(seed: int) -> None:
    text = mangled(Random(seed))
    found = outcome(text)
    if isinstance(found, SqlError):
        assert (found.line, 1 <= found.column <= len(text) + 1) == (1, True)
        assert found.problem
        assert found.expected
    else:
        assert parse_query(to_sql(found), PAIRS) == found


def test_some_mangled_queries_are_right_and_most_are_wrong() -> None:
    wrong = sum(isinstance(outcome(mangled(Random(seed))), SqlError) for seed in range(100))
    assert 50 < wrong < 100


def test_without_hints_the_place_is_the_same() -> None:
    text = "SELECT item FROM Bid WHERE ARRAY_ANY(item -> 1)"
    errors = []
    for hints in (True, False):
        with pytest.raises(SqlError) as caught:
            parse_query(text, CATALOGUE, hints=hints)
        errors.append(caught.value)
    assert errors[0].problem == errors[1].problem
    assert (errors[0].line, errors[0].column) == (errors[1].line, errors[1].column)
    assert errors[1].expected == "something else"
