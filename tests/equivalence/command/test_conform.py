"""`snapeq conform`, on engines in the current folder."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from equivalence.cases.dimensions.covering import covering_rows
from equivalence.cases.random_plans import OPERATORS
from equivalence.conformance import suite
from tests.equivalence.command.command import Ran, snapeq

TOY = '''
from physical import PhysicalStream
from semantics import evaluate
from semantics.plan import Distinct


class Toy:
    """The reference, but it forgets to remove duplicates."""

    name = "toy"
    latest = 10_000

    def supports(self, plan):
        return True

    def run(self, plan, sources, horizon):
        streams = {n: s.to_interval() if isinstance(s, PhysicalStream) else s for n, s in sources.items()}
        return evaluate(plan.input if isinstance(plan, Distinct) else plan, streams, horizon)


class Sound(Toy):
    name = "sound"

    def run(self, plan, sources, horizon):
        streams = {n: s.to_interval() if isinstance(s, PhysicalStream) else s for n, s in sources.items()}
        return evaluate(plan, streams, horizon)


class Needy(Toy):
    def __init__(self, address):
        self.address = address


sound = Sound()
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with engines that nothing else knows."""
    (tmp_path / "toy_engines.py").write_text(TOY)
    (tmp_path / "bad_engines.py").write_text("raise RuntimeError('no licence')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "toy_engines", raising=False)
    return tmp_path


def conform(*arguments: str) -> Ran:
    return snapeq("conform", *arguments, "--cases", "200")


def test_an_engine_with_a_fault(folder: Path) -> None:
    ran = conform("toy_engines:Toy", "--junit", "j.xml", "--html", "h.html", "--save", "cases")
    assert ran.code == 1
    assert "WrongResult in Distinct" in ran.out
    assert "\nwrong " in ran.out
    assert ran.out.splitlines()[-1].endswith("; it falls short")
    cases = {case.get("name"): case for case in ElementTree.parse(folder / "j.xml").getroot()}
    assert [outcome.tag for outcome in cases["Distinct"]] == ["failure"]
    assert "<svg" in (folder / "h.html").read_text()
    (case,) = (folder / "cases").glob("*WrongResult-Distinct.json")
    assert f"snapeq replay {case.relative_to(folder)} --engine toy_engines:Toy" in ran.err
    assert snapeq("replay", str(case)).code == 2
    assert snapeq("replay", str(case), "--engine", "toy_engines:Toy").code == 1
    assert snapeq("replay", str(case), "--engine", "toy_engines:sound").code == 0


def test_too_few_cases_are_no_fault_and_that_is_said() -> None:
    ran = snapeq("conform", "toy_engines:sound", "--cases", "2")
    assert ran.code == 1
    assert "Nothing is wrong, but no case says anything about " in ran.out
    assert "Nothing is wrong" not in conform("toy_engines:Toy").out


def test_json_is_the_promised_document_and_the_same_for_the_same_seed() -> None:
    first, again = (conform("toy_engines:sound", "--json", "--seed", "1") for _ in range(2))
    assert (first.out, first.err) == (again.out, "")
    document = json.loads(first.out)
    assert {"engine", "matrix", "cases", "findings"} <= set(document)
    assert document["engine"] == "sound"
    assert document["findings"] == []


def test_coverage_is_printed_with_its_empty_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "COVERING_ROUNDS", 1)
    monkeypatch.setattr(suite, "covering_rows", lambda operator, sessions: covering_rows(operator, sessions)[:1])
    ran = snapeq("conform", "interval", "--cases", "1", "--coverage", "--in-process")
    assert "TimeWindow         " in ran.out
    assert " pairs\n" in ran.out
    assert "empty: NULLs: " in ran.out
    assert f"{len(OPERATORS)} rows cover the pairs of all dimensions; " in ran.out
    document = json.loads(snapeq("conform", "interval", "--cases", "1", "--coverage", "--in-process", "--json").out)
    assert document["coverage"]["rows"] == len(OPERATORS)
    assert document["coverage"]["empty"]["TimeWindow"]
    assert document["situations"]["TimeWindow"]["dimensions"] == "agreed"


def test_known_gaps(folder: Path) -> None:
    (folder / "gaps.toml").write_text('[gaps]\n"Distinct" = "not yet"\n')
    assert "KnownGap in Distinct" in conform("toy_engines:Toy", "--gaps", "gaps.toml").out
    assert conform("toy_engines:Toy", "--gaps", "none.toml").code == 2
    (folder / "gaps.toml").write_text("[gaps")
    bad = conform("toy_engines:Toy", "--gaps", "gaps.toml")
    assert (bad.code, bad.out) == (2, "")
    assert bad.err.startswith("snapeq: gaps: gaps.toml cannot be read")


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("bad_engines:Any", "importing bad_engines raised RuntimeError: no licence"),
        ("toy_engines:Needy", "Needy() raised TypeError: "),
        ("toy_engines:None_", "the module has no 'None_'; it has PhysicalStream, evaluate, Distinct, Toy, Sound"),
        ("toy_engines:Toy.name", "'toy' lacks supports, run, name"),
    ],
)
def test_what_is_no_engine(engine: str, message: str) -> None:
    ran = conform(engine)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith(f"snapeq: engine {engine}: ")


def test_what_was_never_tried_is_in_the_reports_too(folder: Path) -> None:
    ran = snapeq("conform", "toy_engines:sound", "--cases", "5", "--junit", "j.xml", "--html", "h.html")
    assert (ran.code, ran.err) == (1, "")
    assert "unseen" in (folder / "j.xml").read_text()
    assert (folder / "h.html").exists()


@pytest.mark.parametrize("option", ["--junit", "--html", "--save"])
def test_a_report_that_cannot_be_written_is_noticed_before_the_engine_is_looked_for(option: str) -> None:
    Path("file").write_text("")
    ran = snapeq("conform", "nowhere:engine", option, "file/report")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("snapeq: file/report: ")
    assert ran.err.count("\n") == 1
