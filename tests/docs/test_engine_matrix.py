"""The page of engines is what was kept of them: a link from every no to its case, a note for every difference."""

import re

from docs.generate.engine_answers import EngineAnswers, Finding, Meaning, read_kept
from docs.generate.engine_matrix import PAGE, WIDTH, anchor, page

RIGHT = Meaning("decided", True, "NULL is a group", "")
LOST = Meaning("decided", False, "NULL groups are lost", "SELECT …\n  answer: no row")


def answers(engine: str, verdict: str, meaning: Meaning, *findings: Finding) -> EngineAnswers:
    operators = {"Filter": "agreed", "Join": verdict}
    return EngineAnswers(engine, "1.0", "2026-11-19", 100, operators, findings, {"NULL groups": meaning})


def test_the_page_says_what_was_kept() -> None:
    kept = read_kept()
    assert len(kept) >= 10
    assert PAGE.read_text(encoding="utf-8") == page([kept[name] for name in sorted(kept)])


def test_every_no_leads_to_its_smallest_case() -> None:
    case = Finding("Join", "WrongResult in Join\nplan join(A, B)")
    text = page([answers("good", "agreed", RIGHT), answers("bad@1.0", "refuted", LOST, case)])
    assert "| Join      | yes  | [**no**][c1] |" in text
    assert "[c1]: #bad10-join" in text
    assert "### bad@1.0: Join\n\n```text\nWrongResult in Join\nplan join(A, B)\n```" in text
    assert "| NULL groups | =    | [1][d]  |" in text
    assert "1. NULL groups: NULL groups are lost (bad@1.0)" in text


def test_links_lead_to_headings_and_tables_are_not_wider_than_a_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    headings = {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}
    assert set(re.findall(r"^\[\w+\]: #(.*)$", text, re.M)) <= headings
    assert set(re.findall(r"\]\[(\w+)\]", text)) <= set(re.findall(r"^\[(\w+)\]:", text, re.M))
    assert all(len(line) <= WIDTH for line in text.splitlines() if line.startswith("|"))


def test_a_fault_that_shows_below_another_operator_is_shown_with_that_one() -> None:
    text = page([answers("bad", "refuted", RIGHT, Finding("Filter", "WrongResult in Filter"))])
    assert "| Join      | [**no**][c1] |" in text
    assert "[c1]: #bad-filter" in text
