"""Queries in parentheses, one inside the other."""

import pytest
from sqlglot import exp

from semantics.sql import parse_script
from semantics.sql.grammar.queries import QueryGrammar


def test_a_query_is_read_once_however_deep_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    original = QueryGrammar.query

    def counted(self: QueryGrammar) -> exp.Expr:
        nonlocal read
        read += 1
        return original(self)

    monkeypatch.setattr(QueryGrammar, "query", counted)
    query = "SELECT x FROM S"
    for depth in range(20):
        query = f"SELECT x FROM ({query}) AS t{depth} WHERE x IN (SELECT x FROM S)"
    parse_script(f"CREATE STREAM S(x INT, ts BIGINT) ORDERED BY ts; {query}")
    assert read == query.count("SELECT")
