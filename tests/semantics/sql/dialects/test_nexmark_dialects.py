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


ONE_SOURCE = (FOLDER / "datagen.txt").read_text()
"""The declaration of the benchmark: one stream of events, and views of the persons, auctions and bids among them."""
LACKING = {"q12": "p_time", "q13": "side_input"}
"""Queries about processing time, and about a table that the benchmark reads from a file."""


@pytest.mark.parametrize("name", queries("flink")[1])
def test_the_declaration_of_the_benchmark_is_read(name: str) -> None:
    query = queries("flink")[1][name]
    reason = REFUSED[("flink", name)][1] if ("flink", name) in REFUSED else None
    if reason is not None:
        with pytest.raises(SqlError, match=LACKING.get(name, reason)):
            read_dialect(query, "flink", declared=ONE_SOURCE)
        return
    reading = read_dialect(query, "flink", declared=ONE_SOURCE)
    assert set(parse_script(reading.text).plan.sources()) == {"datagen"}
    assert reading.watermarks == {"datagen": ("dateTime", 4_000_000)}
    assert reading.kind == read_dialect(query, "flink", declared=queries("flink")[0]).kind
