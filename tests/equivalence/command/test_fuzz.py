"""`snapeq fuzz` as people call it."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.equivalence.command.command import snapeq

RULES = """
def no_distinct(sql: str) -> str:
    return sql.replace("SELECT DISTINCT", "SELECT")


def nothing(sql: str) -> str:
    print("said by the rule")
    return sql


RULES = {"no_distinct": no_distinct, "nothing": nothing}
"""
KEYS = {"rule", "query", "rewritten", "data", "expected", "got", "reproduction"}


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of rules, where the command is called."""
    (tmp_path / "my_rules.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_rules", raising=False)
    return tmp_path


def test_a_wrong_rule_of_ones_own(rules: Path) -> None:
    done = snapeq(
        "fuzz", "my_rules:RULES", "--queries", "60", "--no-proofs", "--json", "--junit", "a.xml", "--html", "a.html"
    )
    assert done.code == 1
    document = json.loads(done.out)
    assert document["optimizer"] == "my_rules:RULES"
    assert set(document["rules"]) == {"no_distinct", "nothing"}
    assert document["unknown"] == ["nothing"]
    (finding,) = document["findings"]
    assert finding.keys() >= KEYS
    assert finding["rule"] == "no_distinct"
    assert "DISTINCT" in finding["query"]
    (refuted,) = ElementTree.parse(rules / "a.xml").getroot().findall("testcase[failure]")
    assert refuted.get("name") == "no_distinct"
    assert "no_distinct is wrong" in (rules / "a.html").read_text()
    (rules / "known.json").write_text(done.out)
    again = snapeq("fuzz", "my_rules:RULES", "--queries", "60", "--no-proofs", "--known", "known.json")
    assert "findings" not in again.out.splitlines()[-1]
    assert "known, and seen" in again.out


def test_a_run_that_goes_on(rules: Path) -> None:
    for number in (1, 2):
        done = snapeq("fuzz", "my_rules:nothing", "--queries", "5", "--resume", "state.json")
        assert done.code == 3
        assert f"my_rules:nothing: {5 * number} queries, 0 rewrites; too little was seen" in done.out
    assert json.loads((rules / "state.json").read_text())["number"] == 10


def test_a_command(rules: Path) -> None:
    (rules / "optimizer.py").write_text("print(input().replace('SELECT DISTINCT', 'SELECT'))")
    done = snapeq("fuzz", "--command", f"{sys.executable} optimizer.py", "--queries", "40", "--no-proofs", "--json")
    assert done.code == 1
    (finding, *_) = json.loads(done.out)["findings"]
    assert "subprocess.run" in finding["reproduction"]


def test_sqlglot() -> None:
    done = snapeq("fuzz", "sqlglot", "--rule", "quote_identifiers", "--queries", "60", "--json")
    assert done.code == 0
    (counts,) = json.loads(done.out)["rules"].values()
    assert counts["fired"] == counts["proved"] >= 50


def test_our_own_rewrites() -> None:
    done = snapeq("fuzz", "snapeq", "--queries", "40", "--no-proofs", "--json")
    document = json.loads(done.out)
    assert document["findings"] == []
    assert sum(counts["fired"] for counts in document["rules"].values()) > 10


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "expected an optimizer or --command"),
        (("sqlglot", "--command", "cat"), "expected an optimizer or --command"),
        (("oracle",), "unknown optimizer oracle; expected"),
        (("sqlglot", "--rule", "none"), "sqlglot has no rule none"),
        (("--command", "no-such-program -x"), "there is no command no-such-program"),
        (("--command", "cat 'x"), "cat 'x: expected a command, got a text with no closing quotation"),
        (("json:dumps_nothing",), "the module has no 'dumps_nothing'"),
        (("json:__doc__",), "expected a function or a mapping"),
    ],
)
def test_bad_calls(arguments: tuple[str, ...], said: str) -> None:
    done = snapeq("fuzz", *arguments)
    assert done.code == 2
    assert said in done.err
