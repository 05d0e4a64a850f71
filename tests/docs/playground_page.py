"""The playground in a browser: served from a folder, looked at, clicked, typed into and dragged."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os import PathLike
from pathlib import Path
from threading import Thread
from typing import Any, Final

from tests.equivalence.command.browser import Browser

READY: Final = "return document.querySelector('#status').textContent === 'Ready'"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files; browsers run modules only if they are called JavaScript."""

    def guess_type(self, path: "str | PathLike[str]") -> str:
        return "text/javascript" if str(path).endswith((".js", ".mjs")) else super().guess_type(path)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: ARG002  # what it logs is nobody's concern
        return


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address at which a folder is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Playground:
    """The open page, and what people do with it."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = f"{address}/index.html"

    def open(self, behind: str = "", width: int = 1280, height: int = 900) -> None:
        self.browser.call("POST", "/window/rect", {"width": width, "height": height})
        self.browser.open("about:blank")
        self.browser.open(self.address + behind)
        self.browser.wait(lambda: self.browser.run(READY))

    def reset(self) -> None:
        """Show the first example again, without loading Python anew."""
        self.browser.call("POST", "/window/rect", {"width": 1280, "height": 900})
        self.browser.run("location.hash = 'nothing'")
        self.browser.wait(lambda: self.result()[:1] == ["(bike, 1, 120) from 1 until 4"])

    def choose(self, selector: str, text: str) -> None:
        """Choose an option by its text."""
        script = """
            const list = document.querySelector(arguments[0]);
            list.value = [...list.options].find((option) => option.textContent === arguments[1]).value;
            list.dispatchEvent(new Event("change", { bubbles: true }));
        """
        self.browser.run(script, selector, text)

    def write(self, number: int, text: str) -> None:
        """Replace the text of a query by typing."""
        self.browser.run("document.querySelector(arguments[0]).value = ''", f"#query-{number} .text")
        self.browser.type(f"#query-{number} .text", text)

    def timeline(self) -> str:
        return str(self.browser.run("return document.querySelector('#timeline').textContent"))

    def result(self, number: int = 0) -> list[str]:
        """What the bars of a result say, all of them."""
        script = "return [...document.querySelectorAll(arguments[0])].map((title) => title.textContent)"
        return [str(text) for text in self.browser.run(script, f".bar-{number} title")]

    def events(self) -> dict[str, Any]:
        """What the address says about events."""
        script = "return new URLSearchParams(location.hash.slice(1)).get('events')"
        found: dict[str, Any] = json.loads(self.browser.run(script))
        return found

    def middle(self, selector: str) -> tuple[int, int]:
        script = """
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView({ block: "center" });
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
        """
        x, y = self.browser.run(script, selector)
        return round(x), round(y)

    def drag(self, selector: str, right: int) -> None:
        """Drag the middle of an element so many pixels to the right."""
        x, y = self.middle(selector)
        self._point([("move", x, y), ("down",), ("move", x + right // 2, y), ("move", x + right, y), ("up",)])

    def click_at(self, x: int, y: int) -> None:
        self._point([("move", x, y), ("down",), ("up",)])

    def hover(self, x: int, y: int) -> None:
        self._point([("move", x, y)])

    def _point(self, steps: list[tuple[Any, ...]]) -> None:
        actions = []
        for kind, *place in steps:
            moved = {"x": place[0], "y": place[1], "duration": 30} if place else {"button": 0}
            actions.append({"type": f"pointer{kind.title()}", **moved})
        self.browser.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})
