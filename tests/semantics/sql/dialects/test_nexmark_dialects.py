"""The queries of Nexmark in several dialects: read, or refused for a stated reason."""

import re

import pytest

from semantics.sql import parse_script
from semantics.sql.dialects.refusals import NotByEventTime, Refused
from semantics.sql.dialects.registry import read_dialect
from semantics.sql.errors import SqlError
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "semantics" / "sql" / "dialects" / "nexmark"
REFUSED: dict[tuple[str, str], tuple[type[SqlError], str]] = {
    ("flink", "q6"): (Refused, "this frame in an order that is not the time of a stream"),
    ("flink", "q12"): (NotByEventTime, "processing time"),
    ("flink", "q13"): (NotByEventTime, "processing time"),
    ("flink", "q14"): (Refused, "the function COUNT_CHAR"),
}
KINDS = {"q1": "events", "q5": "panes", "q8": "panes", "q18": "retract"}


def queries(dialect: str) -> tuple[str, dict[str, str]]:
    """The declarations, and the queries by name."""
    _, *parts = re.split(r"^-- (\w+)\n", (FOLDER / f"{dialect}.sql").read_text(), flags=re.M)
    named = dict(zip(parts[::2], parts[1::2], strict=True))
    return named.pop("schema"), named


PAIRS = [(path.stem, name) for path in sorted(FOLDER.glob("*.sql")) for name in queries(path.stem)[1]]


def test_flink_has_all_queries_of_the_benchmark() -> None:
    assert list(queries("flink")[1]) == [f"q{i}" for i in range(23)]


@pytest.mark.parametrize(("dialect", "name"), PAIRS)
def test_a_query_of_nexmark_is_read_or_refused_for_a_stated_reason(dialect: str, name: str) -> None:
    schema, named = queries(dialect)
    if (dialect, name) in REFUSED:
        error, reason = REFUSED[dialect, name]
        with pytest.raises(error, match=reason):
            parse_script(read_dialect(named[name], dialect, declared=schema).text)
        return
    reading = read_dialect(named[name], dialect, declared=schema)
    assert len(parse_script(reading.text).plan.schema) > 0
    if dialect == "flink":
        assert reading.kind == KINDS.get(name, reading.kind)
