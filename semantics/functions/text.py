"""Functions of whole texts. Characters are code points, and positions count from 1."""

from typing import Final

from semantics.errors import ArithmeticOverflow
from semantics.functions.definition import Function, Overload
from semantics.value import Type

STR, INT = Type.STR, Type.INT
LONGEST_TEXT: Final = 1_000_000
"""Characters that a function may make; a longer text is an overflow."""


def checked_length(name: str, length: int) -> int:
    """A length, if a text may be so long."""
    if length > LONGEST_TEXT:
        raise ArithmeticOverflow(f"{name}: a text may have up to {LONGEST_TEXT:,} characters, got {length:,}")
    return length


def concat(*texts: str) -> str:
    checked_length("CONCAT", sum(map(len, texts)))
    return "".join(texts)


def concat_ws(separator: str | None, *texts: str | None) -> str | None:
    if separator is None:
        return None
    known = [text for text in texts if text is not None]
    checked_length("CONCAT_WS", sum(map(len, known)) + len(separator) * len(known))
    return separator.join(known)


def concat_known(*texts: str | None) -> str:
    return concat(*(text for text in texts if text is not None))


def trimmed(text: str, characters: str = " ") -> str:
    return text.strip(characters) if characters else text


def left_trimmed(text: str, characters: str = " ") -> str:
    return text.lstrip(characters) if characters else text


def right_trimmed(text: str, characters: str = " ") -> str:
    return text.rstrip(characters) if characters else text


def replaced(text: str, old: str, new: str) -> str:
    if not old:
        return text
    checked_length("REPLACE", len(text) + text.count(old) * (len(new) - len(old)))
    return text.replace(old, new)


def repeated(text: str, times: int) -> str:
    checked_length("REPEAT", len(text) * max(times, 0))
    return text * max(times, 0) if text else ""


def padded_left(text: str, length: int, fill: str = " ") -> str:
    return _fill("LPAD", text, length, fill) + text[: max(length, 0)]


def padded_right(text: str, length: int, fill: str = " ") -> str:
    return text[: max(length, 0)] + _fill("RPAD", text, length, fill)


def _fill(name: str, text: str, length: int, fill: str) -> str:
    """What is missing until the text is so long; an empty text fills nothing."""
    missing = max(checked_length(name, length) - len(text), 0)
    return (fill * (missing // len(fill) + 1))[:missing] if fill else ""


def initcap(text: str) -> str:
    """A letter is the first of a word if no letter or digit is before it."""
    before = [False, *(character.isalnum() for character in text)]
    return "".join(c.lower() if inside else c.upper() for c, inside in zip(text, before, strict=False))


def translated(text: str, old: str, new: str) -> str:
    """The first place of a character in `old` counts."""
    changed = {character: new[i : i + 1] for i, character in reversed(list(enumerate(old)))}
    return "".join(changed.get(character, character) for character in text)


def ascii_(text: str) -> int:
    return ord(text[0]) if text else 0


def chr_(code: int) -> str | None:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else None


def digest(algorithm: str, text: str) -> str:
    import hashlib  # it loads a library that hardly any query needs

    return hashlib.new(algorithm, text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def in_base64(text: str) -> str:
    import base64

    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()


def md5(text: str) -> str:
    return digest("md5", text)


def sha1(text: str) -> str:
    return digest("sha1", text)


def sha256(text: str) -> str:
    return digest("sha256", text)


def sha512(text: str) -> str:
    return digest("sha512", text)


def _of_text(meaning: object, result: Type = STR) -> tuple[Overload, ...]:
    return (Overload((STR,), result, meaning),)  # type: ignore[arg-type]  # methods of str among others


TEXT: Final = (
    Function(("upper", "ucase"), _of_text(str.upper), "All letters in upper case, by the full mapping of Unicode.", (("UPPER('Straße')", "'STRASSE'"),)),
    Function(("lower", "lcase"), _of_text(str.lower), "All letters in lower case.", (("LOWER('ÄB')", "'äb'"),)),
    Function(("initcap",), _of_text(initcap), "The first letter of each word in upper case, the others in lower case; words are letters and digits.", (("INITCAP('on dUTY')", "'On Duty'"), ("INITCAP('a1b-c')", "'A1b-C'"))),
    Function(("length", "char_length", "character_length", "len"), _of_text(len, INT), "The number of characters.", (("CHAR_LENGTH('naïve')", "5"),)),
    Function(("octet_length",), _of_text(lambda text: len(text.encode("utf-8", "surrogatepass")), INT), "The number of bytes in UTF-8.", (("OCTET_LENGTH('naïve')", "6"),)),
    Function(("concat",), (Overload((STR,), STR, concat, repeats=True, total=False),), "One text after the other, as `||`; NULL if one of them is.", (("CONCAT('a', 'b', 'c')", "'abc'"), ("'a' || NULL", "null"))),
    Function(("concat_ws",), (Overload((STR, STR), STR, concat_ws, repeats=True, strict=False, total=False, nullable=True),), "The texts that are not NULL, with the first argument between them; NULL if that is.", (("CONCAT_WS('-', 'a', NULL, 'b')", "'a-b'"), ("CONCAT_WS(NULL, 'a')", "null"))),
    Function(("concat_ignore_nulls",), (Overload((STR,), STR, concat_known, repeats=True, strict=False, total=False),), "The texts that are not NULL, one after the other.", (("CONCAT_IGNORE_NULLS('a', NULL)", "'a'"),)),
    Function(("trim", "btrim"), (Overload((STR, STR), STR, trimmed, optional=1),), "Without spaces, or characters of the second argument, at both ends. Also `TRIM([BOTH | LEADING | TRAILING] [characters] FROM text)`.", (("TRIM('  a b ')", "'a b'"), ("TRIM(BOTH 'xy' FROM 'xyaxbyx')", "'axb'"))),
    Function(("ltrim",), (Overload((STR, STR), STR, left_trimmed, optional=1),), "The same at the beginning only.", (("LTRIM('  a ')", "'a '"), ("TRIM(LEADING '0' FROM '007')", "'7'"))),
    Function(("rtrim",), (Overload((STR, STR), STR, right_trimmed, optional=1),), "The same at the end only.", (("RTRIM('ab  ')", "'ab'"),)),
    Function(("replace",), (Overload((STR, STR, STR), STR, replaced, total=False),), "Every occurrence of the second text replaced by the third; an empty one occurs nowhere.", (("REPLACE('a-b-c', '-', '')", "'abc'"),)),
    Function(("translate",), (Overload((STR, STR, STR), STR, translated),), "Each character that is in the second text replaced by the one at the same place of the third, or left out if there is none.", (("TRANSLATE('banana', 'abn', 'xy')", "'yxxx'"),)),
    Function(("reverse",), _of_text(lambda text: text[::-1]), "The characters from last to first.", (("REVERSE('abc')", "'cba'"),)),
    Function(("repeat",), (Overload((STR, INT), STR, repeated, total=False),), "The text so many times; none if that is negative.", (("REPEAT('ab', 3)", "'ababab'"),)),
    Function(("space",), (Overload((INT,), STR, lambda times: repeated(" ", times), total=False),), "So many spaces.", (("SPACE(2) || 'a'", "'  a'"),)),
    Function(("lpad",), (Overload((STR, INT, STR), STR, padded_left, optional=1, total=False),), "Filled on the left, with spaces or the third text, until it has so many characters; cut after them if it has more.", (("LPAD('7', 3, '0')", "'007'"), ("LPAD('abc', 2)", "'ab'"))),
    Function(("rpad",), (Overload((STR, INT, STR), STR, padded_right, optional=1, total=False),), "The same on the right.", (("RPAD('a', 4, 'xy')", "'axyx'"),)),
    Function(("ascii", "ord", "unicode"), _of_text(ascii_, INT), "The code point of the first character, 0 if there is none.", (("ASCII('A')", "65"), ("ASCII('')", "0"))),
    Function(("chr", "char"), (Overload((INT,), STR, chr_, nullable=True),), "The character with this code point; NULL if there is none.", (("CHR(65)", "'A'"), ("CHR(-1)", "null"))),
    Function(("to_base64", "base64"), _of_text(in_base64), "The bytes of the text in UTF-8, in base 64.", (("TO_BASE64('abc')", "'YWJj'"),)),
    Function(("hex",), (Overload((INT,), STR, lambda number: f"{number % 2**64:X}"), Overload((STR,), STR, lambda text: text.encode("utf-8", "surrogatepass").hex().upper())), "The digits to the base 16, of a number in two's complement; of a text those of its bytes in UTF-8.", (("HEX(255)", "'FF'"), ("HEX(-1)", "'FFFFFFFFFFFFFFFF'"), ("HEX('a')", "'61'"))),
    Function(("bin",), (Overload((INT,), STR, lambda number: f"{number % 2**64:b}"),), "The digits to the base 2, in two's complement.", (("BIN(5)", "'101'"),)),
    Function(("md5",), _of_text(md5), "The MD5 digest of the text in UTF-8, in hexadecimal digits.", (("MD5('a')", "'0cc175b9c0f1b6a831c399e269772661'"),)),
    Function(("sha1",), _of_text(sha1), "The SHA-1 digest.", (("SHA1('a')", "'86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'"),)),
    Function(("sha256",), _of_text(sha256), "The SHA-256 digest.", (("LEFT(SHA256('a'), 8)", "'ca978112'"),)),
    Function(("sha512",), _of_text(sha512), "The SHA-512 digest.", (("LEFT(SHA512('a'), 8)", "'1f40fc92'"),)),
)  # fmt: skip
