"""The playground in a real browser: type, drag, click, follow a pasted link, read the verdict."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generate.playground import NEEDED, put
from equivalence import check_plans
from equivalence.report.playground_link import playground_link
from equivalence.verdicts.counterexample import Counterexample
from semantics import parse_plan
from tests.docs.playground_page import Playground, serving
from tests.equivalence.command.browser import CHROMEDRIVER, CHROMIUM, Browser, browser
from tests.paths import ROOT

PYODIDE = ROOT / "site" / "play" / "pyodide"
AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="chromium and chromedriver are not installed"),
    pytest.mark.skipif(
        not all((PYODIDE / name).is_file() for name in NEEDED), reason="Pyodide is not there: run `make site`"
    ),
]
BIDS = "CREATE STREAM Bid(item TEXT, price INT, ts BIGINT) ORDERED BY ts; "
DISTINCT = "DISTINCT below and above a window"
TAB, ENTER, DELETE, RIGHT, CONTROL_A = "\ue004", "\ue007", "\ue017", "\ue014", "\ue009a\ue000"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The playground as it is now, with the Pyodide of the built site."""
    folder = tmp_path_factory.mktemp("play")
    put(folder, PYODIDE)
    with serving(folder) as found:
        yield found


@pytest.fixture(scope="module")
def opened(window: Browser, address: str) -> Playground:
    found = Playground(window, address)
    found.open()
    return found


@pytest.fixture
def page(opened: Playground) -> Iterator[Playground]:
    """The page with its first example; whatever a test did, it complained about nothing."""
    opened.reset()
    yield opened
    assert opened.browser.errors() == []


def test_a_query_is_typed_and_its_result_is_drawn(page: Playground) -> None:
    page.write(0, BIDS + "SELECT DISTINCT item FROM Bid WINDOW(RANGE 2)")
    page.browser.wait(lambda: "(lamp) from 3 until 5" in page.result())
    assert "(bike) from 1 until 3" in page.result()


def test_a_mistake_is_told_with_its_place_and_the_last_result_stays(page: Playground) -> None:
    before = page.result()
    page.write(0, BIDS + "SELECT prise FROM Bid")
    page.browser.wait(lambda: "unknown column prise" in page.browser.text("#query-0 .error"))
    assert page.result() == before


def test_events_are_added_dragged_and_removed(page: Playground) -> None:
    assert len(page.events()["Bid"]) == 4
    page.drag("#timeline .event[data-key='Bid/0']", 150)
    page.browser.wait(lambda: page.events()["Bid"][0][2] > 3)
    # The address may still show a place on the way of the drag.
    page.browser.wait(lambda: any(f"from {page.events()['Bid'][0][2]} " in text for text in page.result()))
    x, y = page.middle("#timeline .lane")
    page.click_at(x + 250, y)
    page.browser.wait(lambda: len(page.events()["Bid"]) == 5)
    page.browser.run("document.querySelector(\"[aria-label='Remove event 5 of Bid']\").click()")
    page.browser.wait(lambda: len(page.events()["Bid"]) == 4)


def test_ties_stand_on_lines_of_their_own(page: Playground) -> None:
    page.browser.run("document.querySelector(\"[data-cell='Bid/1/at']\").focus()")
    page.browser.press(f"{CONTROL_A}1{TAB}")
    page.browser.wait(lambda: [event[2] for event in page.events()["Bid"]] == [1, 1, 4, 8])
    script = "return [...document.querySelectorAll('.event rect')].slice(0, 2).map((r) => r.getAttribute('y'))"
    first, second = page.browser.run(script)
    assert first != second


def test_the_snapshot_is_that_under_the_cursor(page: Playground) -> None:
    _, y = page.middle("#timeline .event[data-key='Bid/0']")
    x, _ = page.middle("#timeline .event[data-key='Bid/0'] rect")
    page.hover(x, y)
    page.browser.wait(lambda: page.browser.text("#snapshot-at") == "1")
    assert "(bike, 1, 120)" in page.browser.text("#snapshots .result")
    assert "(bike, 120)" in page.browser.text("#snapshots .operator")


def test_two_queries_are_compared_and_the_smallest_case_is_shown(page: Playground) -> None:
    page.choose("#examples", DISTINCT)
    page.browser.wait(lambda: "Result of B" in page.timeline())
    page.browser.click("#compare")
    page.browser.wait(lambda: page.browser.text("#verdict").startswith("REFUTED (by samples"))
    assert "at instant 1 the left holds" in page.browser.text("#explanation")
    page.browser.click("#use-case")
    page.browser.wait(lambda: page.events() == {"Bid": [["", 0, 0, None]]})
    page.browser.wait(lambda: page.result(1) and "× 2" in page.result(1)[1])
    assert page.browser.text("#snapshot-at") == "1"
    assert page.browser.run("return document.querySelectorAll('#timeline .wrong').length") == 1


def test_queries_that_agree_say_how_much_that_means(page: Playground) -> None:
    page.choose("#examples", "A filter before or after the window: the same")
    page.browser.wait(lambda: "Result of B" in page.timeline())
    page.browser.click("#compare")
    page.browser.wait(lambda: page.browser.text("#verdict").startswith("AGREED"))
    assert "told apart" in page.browser.text("#verdict")


def test_a_comparison_can_be_stopped(page: Playground) -> None:
    page.choose("#examples", "A filter before or after the window: the same")
    page.browser.wait(lambda: "Result of B" in page.timeline())
    page.browser.click("#compare")
    page.browser.click("#compare")
    page.browser.wait(lambda: page.browser.text("#compare") == "Compare A and B")
    assert page.browser.text("#verdict") == ""


def test_a_pasted_link_shows_the_same(page: Playground) -> None:
    page.choose("#examples", "Flink: hopping windows")
    page.browser.wait(lambda: any("00:10:00" in text for text in page.result()))
    there = page.browser.run("return location.hash")
    shown = page.timeline()
    page.open(there)
    page.browser.wait(lambda: page.timeline() == shown)
    assert page.browser.run("return document.querySelector('#query-0 .dialect').value") == "flink"
    assert page.browser.text("#snapshot-at") == "00:09:59.999"


def test_a_link_of_a_report_shows_its_case(page: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = [parse_plan(f"S(x int) | window(range {size})") for size in (2, 3)]
    found = check_plans(*plans).counterexample
    assert isinstance(found, Counterexample)
    monkeypatch.setenv("SNAPEQ_PLAYGROUND", page.address)
    link = playground_link(found)
    assert link is not None
    page.browser.run("location.hash = arguments[0]", link.partition("#")[2])
    page.browser.wait(lambda: "(0) from 0 until 3" in page.result(1))
    assert "(0) from 0 until 2" in page.result(0)
    assert page.browser.text("#snapshot-at") == "2"


@pytest.mark.parametrize("behind", ["q0=SELECT&events=nonsense", "nonsense", "q0=x&events=%7B%22Bid%22%3A1%7D"])
def test_a_broken_link_does_no_harm(page: Playground, behind: str) -> None:
    page.browser.run("location.hash = arguments[0]", behind)
    page.choose("#examples", DISTINCT)
    page.browser.wait(lambda: "Result of B" in page.timeline())


def test_every_example_runs(page: Playground) -> None:
    titles = page.browser.run("return [...document.querySelectorAll('#examples option')].slice(1).map((o) => o.text)")
    assert len(titles) >= 10
    written = [title for title in titles if not title.startswith(("Deviation: ", "Finding: "))]
    generated = [title for title in titles if title not in written]  # all of them run in test_generated_examples.py
    for title in [*written, *generated[::12]]:
        ran = int(page.browser.run("return document.body.dataset.ran"))
        page.choose("#examples", title)
        page.browser.wait(lambda ran=ran: int(page.browser.run("return document.body.dataset.ran")) > ran)  # type: ignore[misc]
        assert page.browser.text(".error") == "", title
        page.browser.wait(lambda: page.result())


def test_the_keyboard_is_enough(page: Playground) -> None:
    page.browser.run("document.querySelector(\".event[data-key='Bid/3']\").focus()")
    page.browser.press(RIGHT)
    page.browser.wait(lambda: page.events()["Bid"][3][2] == 9)
    page.browser.wait(lambda: page.browser.run("return document.activeElement.dataset.key") == "Bid/3")
    page.browser.press(DELETE)
    page.browser.wait(lambda: len(page.events()["Bid"]) == 3)
    page.browser.run("document.querySelector(\"[data-cell='Bid/add']\").focus()")
    page.browser.press(ENTER)
    page.browser.wait(lambda: len(page.events()["Bid"]) == 4)
    page.browser.run("document.querySelector(\"[data-cell='Bid/0/item']\").focus()")
    page.browser.press(f"{CONTROL_A}desk{TAB}")
    page.browser.wait(lambda: page.events()["Bid"][0][0] == "desk")
    page.browser.wait(lambda: page.browser.run("return document.activeElement.dataset.cell") == "Bid/0/price")
    page.browser.run("document.querySelector('#cursor').focus()")
    before = page.browser.text("#snapshot-at")
    page.browser.press(RIGHT)
    page.browser.wait(lambda: page.browser.text("#snapshot-at") != before)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_names_contrast_and_widths(page: Playground, width: int, scheme: str) -> None:
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": media})
    page.browser.call("POST", "/window/rect", {"width": width, "height": 900})
    page.choose("#examples", DISTINCT)
    page.browser.wait(lambda: "Result of B" in page.timeline())
    assert page.browser.run(AUDIT) == []
    assert page.browser.run("return document.documentElement.scrollWidth <= innerWidth")


def test_the_audit_sees_what_is_wrong(page: Playground) -> None:
    bad = "<button class=bad></button><p class=bad style='color: #999; background: #888'>hard to read</p>"
    page.browser.run("document.body.insertAdjacentHTML('beforeend', arguments[0])", bad)
    found = page.browser.run(AUDIT)
    page.browser.run("document.querySelectorAll('.bad').forEach((element) => element.remove())")
    assert [problem.split(":")[0] for problem in found] == ["no name", "contrast 1.2"]
