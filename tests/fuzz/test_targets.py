"""The fuzzer's targets on texts that are known to be awkward: so they cannot rot between two runs of `make fuzz`."""

from collections.abc import Iterator

import pytest

from semantics import SnapeqError
from tests.fuzz.targets import TARGETS, beginnings, survive

DEEP = ["(" * 5000, "[" * 5000, '{"a":' * 5000, "union(" * 3000, "not " * 5000, "-" * 5000]
LONG = ["S(x int)" + " | distinct" * 300, "x" + " + x" * 300, "b" + " or b" * 300, "S(x int)" + " | distinct" * 5000]
AWKWARD = ["", "\0", "\udcff", "\ud800", "∞", "'", '"\\', "$999999:int", "9" * 5000, "1e999999", "NaN", "\u2028"]


def shortened(text: str) -> Iterator[str]:
    """The text, cut off at many places, and with each of many characters replaced."""
    for i in range(0, len(text), max(len(text) // 40, 1)):
        yield text[:i]
        yield f"{text[:i]}\udcff{text[i + 1 :]}"


@pytest.mark.parametrize("name", TARGETS)
def test_awkward_texts_end_in_our_errors(name: str) -> None:
    for text in [*AWKWARD, *DEEP, *LONG]:
        survive(TARGETS[name], text)


@pytest.mark.parametrize("name", TARGETS)
def test_what_the_fuzzer_begins_with_can_be_read(name: str) -> None:
    texts = list(beginnings(name))
    assert texts
    read = 0
    for text in texts:
        try:
            TARGETS[name](text)
            read += 1
        except SnapeqError:
            pass
    assert read > len(texts) / 2


@pytest.mark.parametrize("name", TARGETS)
def test_broken_texts_end_in_our_errors(name: str) -> None:
    for text in list(beginnings(name))[:12]:
        for broken in shortened(text):
            survive(TARGETS[name], broken)


def test_a_crash_is_not_survived() -> None:
    with pytest.raises(ZeroDivisionError):
        survive(lambda text: print(1 // len(text)), "")
