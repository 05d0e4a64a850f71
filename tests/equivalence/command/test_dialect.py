"""`snapeq dialect`: pages, JSON and exit codes, of our engines and of others."""

import json
import re
import sys
from pathlib import Path

import pytest

from equivalence.dialects.properties import PROPERTIES
from tests.equivalence.command.command import snapeq
from tests.paths import ROOT

SMALL = f"{sys.executable} {ROOT / 'examples' / 'engines' / 'small_engine.py'}"
ODD_ENGINES = """
from snapeq import IntervalStream


class Silent:
    name = "silent"

    def supports(self, plan):
        return plan.operator == "Union" and not any(node.inputs for node in plan.inputs)

    def run(self, plan, sources):
        return IntervalStream(plan.schema, [])


class Broken(Silent):
    name = "broken"

    def supports(self, plan):
        return plan.operator == "Map"

    def run(self, plan, sources):
        raise ValueError("not today")


class Nothing(Silent):
    name = "nothing"

    def supports(self, plan):
        return False
"""


def not_standard(document: str) -> dict[str, str]:
    """The meanings that are not standard, by property."""
    properties = json.loads(document)["properties"]
    decided = [one for one in properties if one["state"] == "decided" and not one["standard"]]
    return {one["property"]: one["meaning"] for one in decided}


def test_the_json_of_a_right_engine() -> None:
    ran = snapeq("dialect", "interval", "--in-process", "--json")
    document = json.loads(ran.out)
    assert ran.code == 0
    assert document["standard"] is True
    assert 0 < document["probes"] <= 40
    assert [one["property"] for one in document["properties"]] == [one.name for one in PROPERTIES]
    for one in document["properties"]:
        assert one["state"] == "decided"
        assert one["proof"], one["property"]
        assert all(proof["answer"].split(":")[0] == proof["standard"].split(":")[0] for proof in one["proof"])


def test_a_command_with_a_bug_is_shown_with_its_proof() -> None:
    right, wrong = snapeq("dialect", "--command", SMALL), snapeq("dialect", "--command", f"{SMALL} --bug")
    assert (right.code, wrong.code) == (0, 0)
    assert re.findall(r"^! (\w+ ?\w+ ?\w+)  ", right.out, re.M) == ["late rows", "what is late"]
    assert "! unknown conditions    a condition that is unknown counts as true" in wrong.out
    assert "  SELECT * FROM S WHERE x > 1\n" in wrong.out


def test_sqlite() -> None:
    ran = snapeq("dialect", "sqlite", "--json")
    assert ran.code == 0
    assert not_standard(ran.out) == {"integer overflow": "overflow keeps the sign", "NaN": "NaN is NULL"}


def test_duckdb() -> None:
    pytest.importorskip("duckdb")
    ran = snapeq("dialect", "duckdb", "--json")
    assert ran.code == 0
    assert not_standard(ran.out) == {}


def test_polars() -> None:
    pytest.importorskip("polars")
    ran = snapeq("dialect", "polars", "--json")
    assert ran.code == 0
    assert not_standard(ran.out) == {
        "integer overflow": "overflow wraps",
        "overflow of SUM": "overflow of a sum wraps",
    }


@pytest.mark.parametrize(
    ("engine", "code", "line"),
    [
        ("Silent", 1, "! union                 none of what is known; it answers no row"),
        ("Broken", 1, "! integer overflow      none of what is known; it answers fault: ValueError: not today"),
        ("Nothing", 3, "? union                 the engine does not support the queries that would tell"),
    ],
)
def test_odd_engines(engine: str, code: int, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd_engines.py").write_text(ODD_ENGINES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ran = snapeq("dialect", f"odd_engines:{engine}")
    assert ran.code == code
    assert line in ran.out.splitlines()


@pytest.mark.parametrize("arguments", [(), ("no-such-engine",), ("interval", "--command", "true")])
def test_bad_calls(arguments: tuple[str, ...]) -> None:
    ran = snapeq("dialect", *arguments)
    assert ran.code == 2
    assert "xpected an engine" in ran.err
    assert "Traceback" not in ran.err
