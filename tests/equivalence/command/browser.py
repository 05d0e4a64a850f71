"""Chromium without a window, driven by chromedriver over the WebDriver protocol."""

import json
import re
import shutil
import subprocess
import urllib.request
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any, Final, TypeVar

T = TypeVar("T")
CHROMIUM: Final = shutil.which("chromium")
CHROMEDRIVER: Final = shutil.which("chromedriver")
SECONDS: Final = 60
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which the protocol hands out elements."""
FLAGS: Final = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1400,1100"
).split()


class Browser:
    """One window."""

    def __init__(self, driver: str, folder: Path) -> None:
        options = {"binary": CHROMIUM, "args": [*FLAGS, f"--user-data-dir={folder}"]}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        self.url = f"{driver}/session"
        self.url += "/" + self.call("POST", "", {"capabilities": wanted})["sessionId"]

    def call(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)["value"]

    def open(self, address: str) -> None:
        self.call("POST", "/url", {"url": address})

    def run(self, script: str, *arguments: object) -> Any:
        """What a script returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector: str) -> str:
        """What can be read in the first element that fits; empty if there is none."""
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def click(self, selector: str) -> None:
        self.call("POST", f"/element/{self._find(selector)}/click", {})

    def type(self, selector: str, keys: str) -> None:
        self.call("POST", f"/element/{self._find(selector)}/value", {"text": keys})

    def press(self, keys: str) -> None:
        """Type into whatever has the keyboard."""
        active = self.call("GET", "/element/active")[ELEMENT]
        self.call("POST", f"/element/{active}/value", {"text": keys})

    def wait(self, what: Callable[[], T]) -> T:
        """Look until there is something to see."""
        pause = Event()
        for _ in range(SECONDS * 20):
            if found := what():
                return found
            pause.wait(0.05)
        raise AssertionError(f"it never came; the page shows {self.text('body')!r}; errors: {self.errors()}")

    def errors(self) -> list[str]:
        """What the page complained about in its console."""
        logged = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in logged if entry["level"] == "SEVERE"]

    def picture(self, path: Path) -> None:
        path.write_bytes(b64decode(self.call("GET", "/screenshot")))

    def _find(self, selector: str) -> str:
        return str(self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT])


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with a new profile in this folder."""
    with subprocess.Popen([str(CHROMEDRIVER), "--port=0"], stdout=subprocess.PIPE, text=True) as driver:
        try:
            assert driver.stdout is not None
            found = next(filter(None, (re.search(r"successfully on port (\d+)", line) for line in driver.stdout)))
            window = Browser(f"http://127.0.0.1:{found[1]}", folder)
            try:
                yield window
            finally:
                window.call("DELETE", "")  # or else Chromium would outlive its driver
        finally:
            driver.kill()
