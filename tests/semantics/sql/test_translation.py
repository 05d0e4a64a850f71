"""Which plan a text becomes, where the guide and the figures leave it open."""

from random import Random

import pytest

from semantics import Expression, Schema, show
from semantics.expression import Comparison, ComparisonSymbol
from semantics.sql import Catalogue, parse_query
from semantics.sql.to_plan import where
from semantics.sql.to_plan.conjunctions import OPPOSITE
from semantics.sql.to_plan.subqueries.as_joins import Side
from semantics.sql.to_plan.visible_columns import Stage
from tests.semantics.sql.cases import read_cases
from tests.semantics.sql.test_sqlite import check_queries

CATALOGUE = Catalogue.of({"A": Schema.of(x=int, y=int), "B": Schema.of(x=int, z=int), "T": Schema.of(s=str, f=float)})
PLANS = read_cases("plans.txt")


@pytest.mark.parametrize(("text", "plan"), PLANS, ids=[text for text, _ in PLANS])
def test_a_text_becomes_this_plan(text: str, plan: str) -> None:
    assert show(parse_query(text, CATALOGUE)) == plan


NEVER_NULL = [
    ("SELECT COUNT(*) AS v FROM B UNION ALL SELECT COUNT(z) AS v FROM B", True),
    ("SELECT COUNT(*) AS v FROM B UNION ALL SELECT z AS v FROM B", False),
    ("SELECT 1 AS v FROM B EXCEPT ALL SELECT z AS v FROM B", True),
    ("SELECT DISTINCT n AS v FROM (SELECT COUNT(*) AS n FROM B) WINDOW(RANGE 3) WHERE n > 1", True),
    ("SELECT n AS v FROM (SELECT COUNT(*) AS n FROM B) AS N, A", True),
    ("SELECT n AS v FROM A, (SELECT COUNT(*) AS n FROM B) AS N", True),
    ("SELECT n AS v FROM A LEFT JOIN (SELECT COUNT(*) AS n FROM B) AS N ON TRUE", False),
    ("SELECT n AS v FROM A RIGHT JOIN (SELECT COUNT(*) AS n FROM B) AS N ON TRUE", True),
    ("SELECT n AS v FROM (SELECT COUNT(*) AS n FROM B) AS N FULL JOIN A ON TRUE", False),
    ("SELECT n AS v FROM (SELECT COUNT(*) AS n FROM B) AS N RIGHT JOIN A ON TRUE", False),
    ("SELECT n AS v FROM (SELECT COUNT(*) AS n FROM B) AS N GROUP BY n", True),
    ("ISTREAM(SELECT COUNT(*) AS v FROM B)", True),
    ("SELECT session_start AS v FROM B WINDOW(SESSION 3)", True),
    ("SELECT z AS v FROM B WINDOW(SESSION 3)", False),
    ("SELECT n AS v FROM (SELECT COUNT(*) AS n FROM B) WINDOW(SESSION 3)", True),
    ("SELECT n AS v FROM (SELECT n, LAG(n) OVER (ORDER BY NOW()) AS l FROM (SELECT COUNT(*) AS n FROM B))", True),
    ("SELECT LAG(n) OVER (ORDER BY NOW()) AS v FROM (SELECT COUNT(*) AS n FROM B)", False),
    ("SELECT z AS v FROM B", False),
    ("SELECT MAX(z) AS v FROM B", False),
    ("SELECT NULL + 1 AS v FROM B", False),
]


@pytest.mark.parametrize(("subquery", "expected"), NEVER_NULL, ids=[text for text, _ in NEVER_NULL])
def test_what_is_never_null_needs_no_care_for_unknown_comparisons(subquery: str, expected: bool) -> None:
    plan = parse_query(f"SELECT * FROM A WHERE 1 = ALL ({subquery})", CATALOGUE)
    assert (show(plan).endswith("is distinct from true)")) is not expected


def test_the_opinion_of_sqlite_would_notice_a_naive_not_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def naive(_: Stage, value: Expression, symbol: ComparisonSymbol, other: Side) -> Expression:
        return Comparison(OPPOSITE[symbol], value, other.value)

    monkeypatch.setattr(where, "_fails", naive)
    with pytest.raises(AssertionError):
        check_queries(Random(0), 100)
