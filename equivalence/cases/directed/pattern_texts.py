"""Texts that a regular expression matches, and texts that it nearly does."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, Final

_PARSER: Final[Any] = import_module("re._parser")
"""The tree that Python's `re` makes of a pattern; there is no public name for it."""
VARIANTS: Final = 6
LONGEST_REPETITION: Final = 100
OTHERS: Final = "qZ7_ .,\n\u00e9"
"""One of them is outside of any class that leaves something out."""
CATEGORIES: Final = {
    "CATEGORY_DIGIT": "07",
    "CATEGORY_NOT_DIGIT": "q ",
    "CATEGORY_WORD": "qZ_",
    "CATEGORY_NOT_WORD": " .",
    "CATEGORY_SPACE": " \t",
    "CATEGORY_NOT_SPACE": "q7",
}


def around_regular_expression(pattern: str) -> set[str]:
    """Texts of several lengths and alternatives that match, and each of them with a character more or less.

    >>> texts = around_regular_expression("^[a-c]+[0-9]{3}$")
    >>> [text in texts for text in ("a000", "cc999", "a00", "ccc999x")]
    [True, True, True, False]
    """
    tree = _PARSER.parse(pattern)
    exact = {"".join(_texts(tree, variant)) for variant in range(VARIANTS)}
    return exact | {near for text in exact for near in (text + "x", "x" + text, text[:-1], text[1:], text.swapcase())}


def _texts(tree: Any, variant: int) -> Iterator[str]:
    for operation, argument in tree:
        yield from _MADE.get(str(operation), _nothing)(argument, variant)


def _nothing(_: Any, __: int) -> Iterator[str]:
    """What only looks around, like the beginning and the end of the text."""
    return iter(())


def _literal(code: int, _: int) -> Iterator[str]:
    yield chr(code)


def _other_than(code: int, variant: int) -> Iterator[str]:
    yield _outside(lambda letter: ord(letter) == code, variant)


def _any(_: Any, variant: int) -> Iterator[str]:
    yield OTHERS[variant % 3]


def _member(items: Sequence[tuple[Any, Any]], variant: int) -> Iterator[str]:
    """A member of a class: of each part of it in turn, the first and the last."""
    parts = [_members(str(kind), argument) for kind, argument in items if str(kind) != "NEGATE"]
    if len(parts) < len(items):
        yield _outside(lambda letter: any(part[0] <= letter <= part[-1] or letter in part for part in parts), variant)
        return
    part = parts[variant // 2 % len(parts)]
    yield part[-1] if variant % 2 else part[0]


def _members(kind: str, argument: Any) -> str:
    match kind:
        case "RANGE":
            return chr(argument[0]) + chr(argument[1])
        case "CATEGORY":
            return CATEGORIES[str(argument)]
        case _:
            return chr(argument)


def _outside(inside: Callable[[str], bool], variant: int) -> str:
    others = [letter for letter in OTHERS if not inside(letter)] or [OTHERS[-1]]
    return others[variant % len(others)]


def _repeated(argument: tuple[int, int, Any], variant: int) -> Iterator[str]:
    """As few as there may be, one more, as many; or, which does not match, one too few or too many."""
    least, most, part = argument
    largest = most if most <= LONGEST_REPETITION else least + 2
    number = (least, least + 1, largest, least - 1, largest + 1, least)[variant]
    made = (piece for _ in range(number) for piece in _texts(part, variant))
    return islice(made, LONGEST_REPETITION)


def _group(argument: tuple[Any, ...], variant: int) -> Iterator[str]:
    return _texts(argument[-1], variant)


def _branch(argument: tuple[Any, Sequence[Any]], variant: int) -> Iterator[str]:
    return _texts(argument[1][variant % len(argument[1])], variant)


_MADE: Final[dict[str, Callable[[Any, int], Iterator[str]]]] = {
    "LITERAL": _literal,
    "NOT_LITERAL": _other_than,
    "ANY": _any,
    "IN": _member,
    "MAX_REPEAT": _repeated,
    "MIN_REPEAT": _repeated,
    "SUBPATTERN": _group,
    "BRANCH": _branch,
}
