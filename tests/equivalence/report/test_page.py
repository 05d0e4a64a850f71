"""Pages: a summary on top, faults first, what is not supported by its name, tables that can be searched, plots."""

from pathlib import Path

import pytest

from equivalence.conformance.matrix import Cell, Conformance
from equivalence.report.findings import judged, plots
from equivalence.report.html import page
from equivalence.report.junit import ReportedVerdict
from equivalence.report.plot import Bar, Plot, amounts, drawn
from equivalence.verdicts.verdict import Verdict
from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.verification_page import verification_page
from tests.equivalence.command.browser import CHROMEDRIVER, CHROMIUM, browser

MANY = [ReportedVerdict(f"rule-{i}", Verdict("agreed")) for i in range(20)]


def test_faults_come_first_and_the_rest_in_groups() -> None:
    unsupported = ReportedVerdict("Over", Verdict("unknown", {"why": "it does not", "unsupported": True}))
    wrong = ReportedVerdict("Union", Verdict("refuted", {"error": "loses <rows>"}))
    shown = page("report", [*MANY, unsupported, wrong], [amounts("Cases", [("Union", 3)])])
    places = [
        shown.index(text)
        for text in ("not supported", "loses &lt;rows&gt;", "Cases", "<h2>Not supported", "<h2>As it should be")
    ]
    assert places == sorted(places)
    assert "http" not in shown


def test_only_long_tables_are_searched() -> None:
    assert 'type="search"' in page("rules", MANY)
    few = page("rules", MANY[:3])
    assert "search" not in few.partition("<body>")[2]
    assert "<script>" not in few


def test_bars_say_what_falls_short() -> None:
    shown = drawn(Plot("Claims & more", (Bar("a<b", 1, 2), Bar("c", 2, 2), Bar("none", 0, 0))))
    assert "Claims &amp; more" in shown
    assert '<span>a&lt;b</span><i class="short"><b style="width:50.0%">' in shown
    assert '<span>c</span><i><b style="width:100.0%">' in shown
    assert drawn(Plot("nothing", ())) == ""


def test_an_engine_shows_what_it_was_asked_and_what_it_does_not_do() -> None:
    matrix = {"Filter": {"any": Cell(misses=1)}}
    result = Conformance("toy", matrix, 0, (), neighbours={"Filter": {"told_apart": 1, "of": 4}})
    shown = page("conform", judged(result), plots(result))
    assert "engine toy does not support Filter" in shown
    assert "1 of 4" in shown


def test_verify_shows_what_holds_and_what_does_not() -> None:
    outcomes = [
        Outcome("rules", "a", "true", True, "agreed", {"cases": 12}),
        Outcome("rules", "b", "false", True, "refuted", {"cases": 3}),
        Outcome("rules", "c", "true", False, "refuted", text="at instant 3 <both> differ"),
        Outcome("machine mutants", "interval", "killed", True, "agreed", {"killed": 9, "survived": 1}),
    ]
    shown = verification_page(outcomes)
    assert "<strong>1</strong> refuted" in shown
    assert "<strong>3</strong> as they should be" in shown
    assert "at instant 3 &lt;both&gt; differ" in shown
    assert "9 of 10" in shown
    assert "rules: true</span><i class=" in shown


@pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="chromium and chromedriver are not installed")
def test_the_search_leaves_the_rows_that_fit(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page("rules", MANY))
    with browser(tmp_path / "profile") as window:
        window.open(path.as_uri())
        window.type("input[type=search]", "RULE-1 agreed")
        left = window.run("return [...document.querySelectorAll('td:first-child')].filter(c => c.offsetParent).length")
        assert left == len([i for i in range(20) if f"rule-{i}".startswith("rule-1")])
        assert window.errors() == []
