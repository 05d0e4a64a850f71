"""SQLite as a second opinion: it has one on standard operators only."""

import pytest

from equivalence.reference_checks.sqlite_snapshots import sql
from semantics import parse_plan


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("S(x int)", "Source"),
        ("S(x int) | window(range 2)", "TimeWindow"),
        ("S(x int) | window(rows 2)", "CountWindow"),
        ("S(x int) | istream", "Istream"),
    ],
)
def test_other_operators_have_no_relational_counterpart(text: str, operator: str) -> None:
    with pytest.raises(ValueError, match=f"{operator} is no standard operator: it has no relational counterpart"):
        sql(parse_plan(text))
