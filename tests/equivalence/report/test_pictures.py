"""Timelines as text, in HTML, and JUnit: what they show, and that nothing in the data can break them."""

from xml.etree import ElementTree

import pytest

from equivalence.cases.delivery import Delivery
from equivalence.cases.schedules import Push
from equivalence.report.html import page
from equivalence.report.junit import ReportedVerdict, junit
from equivalence.report.picture import picture
from equivalence.report.text import explain, explained
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from semantics import Multiset, parse, parse_plan
from semantics.constraint import elements_of

NASTY = parse("raw(x str): ('</pre><script>\\u{1b}[31m\\u{a}\\u{d800}&\"')@0 ('日本')@0")


def refuted(plans: tuple[str, ...], instant: int, **streams: str) -> Counterexample:
    left, right = Multiset(), Multiset([(1,)])
    return Counterexample(
        tuple(map(parse_plan, plans)), {n: parse(s) for n, s in streams.items()}, instant, left, right
    )


def test_long_silences_are_left_out() -> None:
    found = refuted(("S(x int)",), 1000, S="interval(x int): (1)@[0,2) (2)@[5,1001) (3)@[7,∞)")
    assert picture(found).splitlines() == [
        "instant    0    ⋯2    ⋯5    ⋯7    ⋯999   1000  1001",
        "wrong                                    ▼",
        "S (1)      ■",
        "S (2)                  ■┅┅┅┅┅■┅┅┅┅┅■━━━━━■",
        "S (3)                        ■┅┅┅┅┅■━━━━━■━━━━━■━━━━▶",
        "left       (empty)",
        "right (1)                                ■",
    ]


def test_of_an_engine_the_truth_is_drawn_before_and_after_the_wrong_instant() -> None:
    plan, streams = parse_plan("S(x int) | window(range 3)"), {"S": parse("raw(x int): (7)@1")}
    assert picture(Counterexample((plan,), streams, 2, Multiset([(7,)]), Multiset())).splitlines() == [
        "instant   0  1  2  3",
        "wrong           ▼",
        "S (7)        ■",
        "left (7)     ■━━■━━■",
        "right     (empty)",
    ]


def test_of_a_query_that_was_added_late_the_truth_is_what_it_sees() -> None:
    plan, streams = parse_plan("S(x int) | window(range 3)"), {"S": parse("raw(x int): (7)@0 (8)@1")}
    pushes = tuple(Push("S", (element,)) for element in elements_of(streams["S"]))
    late = Delivery(schedule=pushes, added=1)
    drawn = picture(Counterexample((plan,), streams, 1, Multiset([(8,)]), Multiset(), delivery=late))
    assert [line for line in drawn.splitlines() if line.startswith("left")] == ["left (8)     ■━━■"]


def test_copies_of_a_row_are_one_bar() -> None:
    found = refuted(("S(x int)",), 0, S="raw(x int): (7)*40@0 (8)@0 (7)@0")
    bars = [line.rstrip() for line in picture(found).splitlines() if line.startswith("S")]
    assert bars == ["S (7)*40   ■", "S (8)      ■", "S (7)      ■"]


def test_the_wrong_instant_is_always_on_the_axis() -> None:
    many = " ".join(f"(1)@[{t},{t + 1})" for t in range(0, 400, 3))
    lines = picture(refuted(("S(x int)",), 200, S=f"interval(x int): {many}")).splitlines()
    assert lines[0].index("200") == lines[1].index("▼")
    assert "… and 94 more" in "\n".join(lines)


def test_wide_characters_keep_the_columns() -> None:
    lines = picture(Counterexample((parse_plan("S(x str)"),), {"S": NASTY}, 0, Multiset(), Multiset())).splitlines()
    assert lines[3].startswith("S ('日本') ")
    assert "\x1b" not in "".join(lines)


def test_the_blamed_node_is_named() -> None:
    found = refuted(("S(x int) | distinct | filter(x > 0)",), 0, S="raw(x int):")
    blamed = Counterexample(found.plans, found.streams, 0, found.left, found.right, parse_plan("S(x int) | distinct"))
    assert "to blame is distinct in S(x int) | distinct\n" in explain(blamed)
    assert "to blame" not in explain(found)
    assert blamed.to_json()["blamed"] == "S(x int) | distinct"


def test_a_page_is_whole_and_escapes_what_it_shows() -> None:
    found = Counterexample((parse_plan("S(x str)"),), {"S": NASTY}, 0, Multiset(), Multiset([("<b>",)]))
    shown = page("<title>", [ReportedVerdict("<i>name</i>", Verdict("refuted", {}, found), "why\x00")])
    assert shown.count("<svg") == shown.count("</svg>") == 1
    assert not [tag for tag in ("<script", "<b>", "<i>") if tag in shown]
    assert "http" not in shown
    assert not {"\x1b", "\x00"} & set(shown)
    assert "&lt;b&gt;" in shown
    shown.encode("utf-8")


def test_a_page_begins_with_a_summary_and_what_is_wrong() -> None:
    found = refuted(("S(x int)",), 0, S="raw(x int): (1)@0")
    results = [
        ReportedVerdict("fine", Verdict("proved")),
        ReportedVerdict("unsupported", Verdict("unknown", {"why": "engine e does not support Limit"})),
        ReportedVerdict("false on purpose", Verdict("refuted", {}, found), "A ≐ B", expected=True),
        ReportedVerdict("an operator", Verdict("refuted", {"why": "refuted"})),
        ReportedVerdict("wrong", Verdict("refuted", {}, found)),
    ]
    shown = page("all of them", results)
    counts = ["<strong>2</strong> refuted", "<strong>1</strong> not decided", "<strong>2</strong> as they should be"]
    places = [*counts, "<h2>wrong ", ">an operator<", "does not support Limit", ">fine<", "REFUTED, as claimed"]
    found_at = [shown.index(text) for text in places[:6]]
    assert found_at == sorted(found_at)
    assert all(shown.index("<h2>As it should be") < shown.index(text) for text in places[6:])
    assert shown.count("<svg") == 2


def test_a_page_links_into_the_playground_where_users_say_that_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    found = refuted(("S(x int)",), 0, S="raw(x int): (1)@0")
    results = [ReportedVerdict("wrong", Verdict("refuted", {}, found))]
    assert "<a " not in page("here", results)
    monkeypatch.setenv("SNAPEQ_PLAYGROUND", 'https://example.org/play/"')
    assert '<a href="https://example.org/play/&quot;#q0=S%28x+int%29&amp;events=' in page("here", results)
    large = refuted(("S(x int)",), 0, S="raw(x int): " + "(1)@0 " * 2000)
    assert "<a " not in page("here", [ReportedVerdict("large", Verdict("refuted", {}, large))])


def test_junit_is_xml_whatever_the_data_holds() -> None:
    found = Counterexample((parse_plan("S(x str)"),), {"S": NASTY}, 0, Multiset(), Multiset())
    verdicts = [Verdict("refuted", {"error": "\x1b]"}, found), Verdict("agreed"), Verdict("unknown", {"why": "?"})]
    root = ElementTree.fromstring(junit("s\x01", [ReportedVerdict(f"{i}\x02", v) for i, v in enumerate(verdicts)]))
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("3", "1", "1")
    assert [len(case) for case in root] == [1, 0, 1]
    assert "at instant 0" in (root[0][0].text or "")


def test_what_has_no_counterexample_says_why() -> None:
    assert explained(Verdict("refuted", {"error": "it raised"})) == "it raised"
    assert explained(Verdict("vacuous")) == "vacuous"
