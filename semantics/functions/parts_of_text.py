"""Functions of parts of texts: where they are, and cutting them out."""

from collections.abc import Sequence
from typing import Final

from semantics.expression import Expression
from semantics.functions.definition import Function, Given, Overload, Shorthand
from semantics.functions.text import checked_length
from semantics.value import Type

STR, INT, BOOL = Type.STR, Type.INT, Type.BOOL


def substring(text: str, start: int, length: int | None = None) -> str:
    """The characters at the positions from start on, so many; there may be positions before the first character."""
    first = max(start - 1, 0)
    return text[first:] if length is None else text[first : max(start - 1 + length, first)]


def substr(text: str, start: int, length: int | None = None) -> str:
    """The same, but a negative start counts from the end, and 0 is the first character, too."""
    if start >= 0:
        return substring(text, max(start, 1), length)
    if len(text) + start < 0 and length is not None:
        return text[: max(len(text) + start + length, 0)]
    return substring(text, max(len(text) + start, 0) + 1, length)


def left(text: str, length: int) -> str:
    return text[: max(length, 0)]


def right(text: str, length: int) -> str:
    return text[max(len(text) - max(length, 0), 0) :]


def position(part: str, text: str, start: int = 1) -> int:
    """0 if there is none from the start on; a start before the text is the first character."""
    first = max(start - 1, 0)
    return text.find(part, first) + 1 if first <= len(text) else 0


def split_part(text: str, separator: str, number: int) -> str | None:
    if number == 0:
        return None
    parts = text.split(separator) if separator else [text]
    index = number - 1 if number > 0 else len(parts) + number
    return parts[index] if 0 <= index < len(parts) else ""


def overlay(text: str, new: str, start: int, length: int | None = None) -> str:
    before = text[: max(start - 1, 0)]
    after = text[max(start - 1 + (len(new) if length is None else length), 0) :]
    checked_length("OVERLAY", len(before) + len(new) + len(after))
    return before + new + after


def starts_with(text: str, part: str) -> bool:
    return text.startswith(part)


def ends_with(text: str, part: str) -> bool:
    return text.endswith(part)


def contains(text: str, part: str) -> bool:
    return part in text


def _text_first(arguments: Sequence[Given]) -> Expression | None:
    """POSITION with its arguments the other way round."""
    from semantics.functions.table import call_of

    return call_of("position", [arguments[1], arguments[0]]) if len(arguments) == 2 else None


PARTS_OF_TEXT: Final = (
    Function(("substring",), (Overload((STR, INT, INT), STR, substring, optional=1),), "The characters from a position on, all or so many, as in standard SQL: a position before the first one counts. Also `SUBSTRING(text FROM start FOR length)`.", (("SUBSTRING('stream' FROM 2 FOR 3)", "'tre'"), ("SUBSTRING('stream', 5)", "'am'"), ("SUBSTRING('stream', -1, 4)", "'st'"))),
    Function(("substr", "mid"), (Overload((STR, INT, INT), STR, substr, optional=1),), "The same, but a negative position counts from the end.", (("SUBSTR('stream', -3, 2)", "'ea'"), ("SUBSTR('stream', 0, 2)", "'st'"))),
    Function(("left",), (Overload((STR, INT), STR, left),), "The first characters, so many.", (("LEFT('abc', 2)", "'ab'"), ("LEFT('abc', -1)", "''"))),
    Function(("right",), (Overload((STR, INT), STR, right),), "The last characters, so many.", (("RIGHT('abc', 2)", "'bc'"),)),
    Function(("position", "locate", "charindex"), (Overload((STR, STR, INT), INT, position, optional=1),), "Where the first text begins in the second, from a position on; 0 if nowhere. Also `POSITION(part IN text)`.", (("POSITION('b' IN 'abcb')", "2"), ("LOCATE('b', 'abcb', 3)", "4"), ("POSITION('x' IN 'abc')", "0"))),
    Shorthand(("strpos", "instr"), _text_first, "(STR, STR) → INT", "`POSITION` with the text first.", (("STRPOS('abcb', 'b')", "2"),)),
    Function(("split_part",), (Overload((STR, STR, INT), STR, split_part, nullable=True),), "The part with this number between separators, from the end if it is negative; empty if there are fewer, NULL for 0.", (("SPLIT_PART('a,b,c', ',', 2)", "'b'"), ("SPLIT_PART('a,b,c', ',', -1)", "'c'"), ("SPLIT_PART('a', ',', 2)", "''"))),
    Function(("overlay",), (Overload((STR, STR, INT, INT), STR, overlay, optional=1, total=False),), "The second text written over the first from a position on, in the place of so many characters. Also `OVERLAY(text PLACING new FROM start FOR length)`.", (("OVERLAY('abcdef' PLACING 'xy' FROM 2)", "'axydef'"), ("OVERLAY('abcdef' PLACING 'xy' FROM 2 FOR 4)", "'axyf'"))),
    Function(("starts_with", "startswith"), (Overload((STR, STR), BOOL, starts_with),), "Does the first text begin with the second?", (("STARTS_WITH('abc', 'ab')", "true"),)),
    Function(("ends_with", "endswith"), (Overload((STR, STR), BOOL, ends_with),), "Does it end with it?", (("ENDS_WITH('abc', 'bc')", "true"),)),
    Function(("contains",), (Overload((STR, STR), BOOL, contains),), "Does it occur there?", (("CONTAINS('abc', 'x')", "false"),)),
)  # fmt: skip
