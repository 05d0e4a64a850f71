"""The page of `snapeq live --ui`, in a real browser: click, type, read."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

import pytest

from equivalence.command.live_system import LiveOptions, LiveRun, start_live
from physical.live.records import SentLines
from physical.live.settings import Settings
from tests.equivalence.command.browser import CHROMEDRIVER, CHROMIUM, Browser, browser

pytestmark = pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="chromium and chromedriver are not installed")

CATALOGUE = "CREATE STREAM Bid(item INT, price FLOAT, ts BIGINT) ORDERED BY ts;"
COUNTS = "SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 10) GROUP BY item"
CONTROL_ENTER = "\ue009\ue007"
TAB = "\ue004"


class Watch(Protocol):
    def __call__(
        self, engine: str = "interval", token: str = ""
    ) -> AbstractContextManager[tuple[LiveRun, Browser]]: ...


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests: each has a system of its own, at another address."""
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def watched(tmp_path: Path, window: Browser) -> Watch:
    return partial(_watched, tmp_path, window)


@contextmanager
def _watched(
    folder: Path, window: Browser, engine: str = "interval", token: str = ""
) -> Iterator[tuple[LiveRun, Browser]]:
    """A system with one query, and a browser that shows its page."""
    (folder / "shop.sql").write_text(CATALOGUE)
    options = LiveOptions(
        folder / "shop.sql", (f"counts={COUNTS}",), ui=True, settings=Settings(engine), token=token, bad=folder / "bad"
    )
    with start_live(options) as run:
        window.open(f"http://{run.server.address}/" + (f"?token={token}" if token else ""))
        window.wait(lambda: "counts" in window.text("#queries"))
        yield run, window
        window.open("about:blank")


def bids(*rows: tuple[object, ...]) -> SentLines:
    text = "".join(",".join(map(str, row)) + "\n" for row in rows).encode()
    return SentLines("Bid", "test", ("item", "price", "ts"), text)


def test_elements_rates_and_bad_lines_are_shown_as_they_come(watched: Watch) -> None:
    with watched() as (run, page):
        run.system.accept(bids((1, 1, 0), ("x", 1, 1), (1, 1, 4)))
        page.wait(lambda: "Bid\t2\t" in page.text("#streams"))
        page.wait(lambda: "'x' does not fit" in page.text("#trouble"))
        page.wait(lambda: "held · ♥ 4" in page.text("#graph"))
        assert "group(item; count(*) as n)" in page.run("return document.querySelector('#graph').textContent")
        assert page.errors() == []


def _is_listed(page: Browser, name: str) -> bool:
    return name in page.text("#queries")


def test_a_query_without_a_name_gets_one(watched: Watch) -> None:
    with watched() as (_, page):
        for name in ("query1", "query2"):
            page.run("document.querySelector('#sql').value = ''")
            page.type("#sql", "SELECT item FROM Bid WHERE price > 5")
            page.type("#sql", CONTROL_ENTER)
            page.wait(partial(_is_listed, page, name))


def test_a_query_is_written_corrected_started_watched_and_removed(watched: Watch) -> None:
    with watched() as (run, page):
        page.type("#name", "dear")
        page.type("#sql", "SELECT item\nFROM Bid WHERE prise > 5")
        page.wait(lambda: "line 2, column 16: unknown column prise" in page.text("#verdict"))
        assert page.text("#marks mark") == "prise"
        page.run("document.querySelector('#sql').value = ''")
        page.type("#sql", "SELECT item\nFROM Bid WHERE price > 5")
        page.wait(lambda: "gives item INT" in page.text("#verdict"))
        assert page.text("#marks mark") == ""
        page.type("#sql", CONTROL_ENTER)
        page.wait(lambda: page.text("#detail-title") == "dear")
        assert "filter(price > 5)" in page.text("#plan-before")
        run.system.accept(bids((7, 9, 0), (8, 1, 1), (9, 9, 2)))
        page.wait(lambda: page.run("return document.querySelectorAll('#timeline rect.bar').length") == 2)
        page.click("#remove")
        page.wait(lambda: "dear" not in page.text("#queries"))
        page.wait(lambda: page.run("return document.querySelector('#detail').hidden"))
        assert run.system.core.queries.keys() == {"counts"}


def test_why_a_query_was_not_started_stays_to_be_read(watched: Watch) -> None:
    with watched() as (_, page):
        page.type("#name", "counts")
        page.type("#sql", "SELECT item FROM Bid")
        page.type("#sql", CONTROL_ENTER)  # the check of what was typed last is still to come
        page.wait(lambda: "there is a query 'counts' already" in page.text("#verdict"))
        page.wait(lambda: page.run("return new Promise(done => setTimeout(() => done(true), 600))"))
        assert "there is a query 'counts' already" in page.text("#verdict")


def test_the_reason_can_be_read_beside_a_bad_line_of_any_length(watched: Watch) -> None:
    with watched() as (run, page):
        run.system.accept(bids(("x" * 100_000, 1, 1)))
        page.wait(lambda: "does not fit" in page.text("#bad"))
        right = page.run("return document.querySelector('#bad tbody td:last-child').getBoundingClientRect().right")
        assert right <= page.run("return document.querySelector('#trouble').getBoundingClientRect().right")


def test_shared_operators_have_a_double_frame_and_unused_ones_stand_back(watched: Watch) -> None:
    with watched() as (run, page):
        run.system.add("few", f"SELECT item FROM ({COUNTS}) AS c WHERE n < 3", optimise=False)
        page.wait(lambda: page.run("return document.querySelectorAll('#graph .shared').length") == 3)
        page.click("#queries tr[data-query=counts] button.link")
        page.wait(lambda: page.run("return document.querySelectorAll('#graph .node.dim').length") == 3)


def test_the_plans_before_and_after_optimisation_are_shown(watched: Watch) -> None:
    with watched() as (run, page):
        run.system.add("late", "SELECT item FROM Bid WINDOW(RANGE 20) WHERE price > 5")
        page.wait(lambda: "late" in page.text("#queries"))
        page.click("#queries tr[data-query=late] button.link")
        page.wait(lambda: "by filter-through-window" in page.text("#steps"))
        before, after = page.text("#plan-before").split(), page.text("#plan-after").split()
        assert before.index("filter(price") < before.index("window(range")
        assert after.index("window(range") < after.index("filter(price")


def test_a_click_lets_the_best_plan_take_over(watched: Watch) -> None:
    with watched() as (run, page):
        run.system.add("late", "SELECT item FROM Bid WINDOW(RANGE 20) WHERE price > 5", optimise=False)
        run.system.accept(bids((1, 9, 0), (2, 1, 1)))
        page.wait(lambda: "late" in page.text("#queries"))
        page.click("#queries tr[data-query=late] button.link")
        page.wait(lambda: "nothing is cheaper" in page.text("#steps"))
        page.click("#migrate")
        page.wait(lambda: "takes over at instant 22" in page.text("#action-message"))
        assert "by filter-through-window" in page.text("#steps")
        page.click("#migrate")
        page.wait(lambda: "runs already" in page.text("#action-message"))


def test_the_net_of_the_dataflow_engine_shows_its_tokens(watched: Watch) -> None:
    with watched("dataflow") as (run, page):
        run.system.accept(bids((1, 1, 0), (2, 1, 1)))
        page.wait(lambda: "2 came" in page.run("return document.querySelector('#net').textContent"))
        assert page.run("return document.querySelectorAll('#net .token').length") > 0


def test_the_keyboard_is_enough(watched: Watch) -> None:
    with watched() as (_, page):
        page.run("document.querySelector('#theme').focus()")
        before = page.run("return document.documentElement.dataset.theme")
        page.press(" ")
        assert page.run("return document.documentElement.dataset.theme") != before
        page.run("document.querySelector('#queries button.link').focus()")
        page.press("\ue007")
        page.wait(lambda: page.text("#detail-title") == "counts")
        page.press(TAB)
        assert page.run("return document.activeElement.getAttribute('aria-label')") == "Remove counts"


def test_with_a_token_the_page_works_and_without_it_nothing_is_shown(watched: Watch) -> None:
    with watched(token="secret") as (run, page):
        run.system.accept(bids((1, 1, 0)))
        page.wait(lambda: "Bid\t1\t" in page.text("#streams"))
        page.call("DELETE", "/cookie")
        page.open(f"http://{run.server.address}/")
        assert "expected the token of this system" in page.text("body")
