"""Servers that are asked over HTTP, and waited for."""

import sys
import time
from collections.abc import Callable
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

SECONDS: Final = 600.0
"""A server compiles a program before it starts it."""
PAUSE: Final = 0.01


class Refused(RuntimeError):
    """The server answers that it cannot do that."""


def ask(method: str, url: str, body: str | None = None, kind: str = "application/json") -> str:
    """The text of the answer."""
    data = None if body is None else body.encode()
    request = Request(url, data, {"Content-Type": kind, "Accept": kind}, method=method)
    try:
        with urlopen(request, timeout=SECONDS) as answer:
            return str(answer.read().decode())
    except HTTPError as error:
        raise Refused(f"{method} {url}: {error.code} {error.read().decode()[:500]}") from None


def check_reachable(url: str) -> None:
    """End the program with one line unless a server is there, whatever it answers."""
    try:
        ask("GET", url)
    except Refused:
        pass
    except (URLError, OSError, ValueError) as error:
        sys.exit(f"the server {url} cannot be reached: {getattr(error, 'reason', error)}")


def wait(done: Callable[[], bool]) -> None:
    until = time.monotonic() + SECONDS
    while not done():
        if time.monotonic() > until:
            raise TimeoutError(f"the server was not ready after {SECONDS:.0f} seconds")
        time.sleep(PAUSE)
