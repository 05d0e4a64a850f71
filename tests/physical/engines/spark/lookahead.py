"""Questions that Spark is asked before their tests come, several at once: one alone leaves half the machine idle."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import pytest
from pyspark.sql import SparkSession

Key = TypeVar("Key")
Answer = TypeVar("Answer")

AT_ONCE: Final = 3


def ahead(
    work: Callable[[Key], Answer], keys: Iterable[Key], at_once: int = AT_ONCE
) -> Iterator[Callable[[Key], Answer]]:
    """For a fixture: waits for the answer to a key, and raises what its work raised.

    What nobody has asked for at the end is not begun any more, and what has begun comes to its end: other tests may
    patch what it uses.
    """
    with ThreadPoolExecutor(at_once) as pool:
        asked = {key: pool.submit(work, key) for key in keys}
        yield lambda key: asked[key].result()
        pool.shutdown(cancel_futures=True)


def asked_ahead(work: Callable[[Key], Answer], keys: Iterable[Key]) -> Any:
    """A fixture of a module, which waits for the answer to a key; keys of tests that do not run are not asked for."""
    all_keys = list(keys)

    @pytest.fixture(scope="module")
    def answers(
        spark: SparkSession,  # noqa: ARG001  # it has to run
        request: pytest.FixtureRequest,
    ) -> Iterator[Callable[[Key], Answer]]:
        tried = list(_parameters(request))
        yield from ahead(work, [key for key in all_keys if key in tried] or all_keys)

    return answers


def _parameters(request: pytest.FixtureRequest) -> Iterator[object]:
    """What the tests that use this fixture, and that run, are parametrised by."""
    for item in request.session.items:
        if item.path == request.path and request.fixturename in getattr(item, "fixturenames", ()):
            yield from getattr(getattr(item, "callspec", None), "params", {}).values()
