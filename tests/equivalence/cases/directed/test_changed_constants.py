"""A query in which one constant was changed is told from the original, with default effort."""

from pathlib import Path

import pytest

from equivalence import check_plans
from equivalence.query_files.assumptions import assumptions
from equivalence.query_files.query_over_files import read_query
from tests.equivalence.cases.directed.changed_constants import QUERIES, SCHEMA, with_one_changed

PAIRS = [(query, other) for query in QUERIES.values() for other in with_one_changed(query)]
NAMES = [f"{name} {number}" for name, query in QUERIES.items() for number, _ in enumerate(with_one_changed(query))]


def test_there_are_many_pairs() -> None:
    assert len(PAIRS) == 94


@pytest.mark.parametrize(("query", "other"), PAIRS, ids=NAMES)
def test_one_constant_matters(query: str, other: str, tmp_path: Path) -> None:
    catalogue = tmp_path / "schema.sql"
    catalogue.write_text(SCHEMA)
    left, right = (read_query(text, catalogue) for text in (query, other))
    verdict = check_plans(left.plan, right.plan, constraints=assumptions(left, right))
    assert verdict.kind == "refuted"
