"""Functions over texts that are JSON: what stands at a path in them."""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from semantics.functions.definition import Function, Overload, Word
from semantics.types import Type, array_of
from semantics.value import Value

STEP: Final = re.compile(r"\.\s*([A-Za-z_][\w$-]*|\"[^\"]*\")|\[\s*(?:(\d{1,9})|'([^']*)'|\"([^\"]*)\")\s*\]")
MODE: Final = re.compile(r"\s*(?:(?:lax|strict)\s+)?\$", re.IGNORECASE)
DEEPEST: Final = 500
NOWHERE: Final = object()
"""Nothing stands at the path, or the text is no JSON."""


class Written(str):
    """A number of JSON as it is written."""

    __slots__ = ()


@lru_cache(maxsize=1000)
def steps(path: str) -> tuple[str | int, ...] | None:
    """The names and positions of a path, or None if it is none.

    >>> steps("$.a[0]['b c']"), steps("a.b")
    (('a', 0, 'b c'), None)
    """
    start = MODE.match(path)
    place, found = start.end() if start else -1, list[str | int]()
    while 0 <= place < len(path):
        step = STEP.match(path, place)
        if step is None:
            return None
        name, index, *quoted = step.groups()
        text = name.strip('"') if name else next((q for q in quoted if q is not None), "")
        found.append(int(index) if index else text)
        place = step.end()
    return tuple(found) if start else None


PATH: Final = Word("path", ("$.a", "$.b.c", "$.a[0]", "$['b']"), lambda text: steps(text) is not None)


def _at(text: str, path: str) -> Any:
    try:
        there = json.loads(text, parse_int=Written, parse_float=Written, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return NOWHERE
    for step in steps(path) or ():
        fits = isinstance(there, dict) if isinstance(step, str) else isinstance(there, list) and step < len(there)
        if not fits or (isinstance(there, dict) and step not in there):
            return NOWHERE
        there = there[step]
    return there


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _scalar_text(there: Any) -> str | None:
    """A text without quotes, a number as it is written, true or false."""
    if isinstance(there, bool):
        return "true" if there else "false"
    return str(there) if isinstance(there, str) else None


def _value(text: str, path: str) -> Value:
    there = _at(text, path)
    return None if there is NOWHERE else _scalar_text(there)


def _any(text: str, path: str) -> Value:
    there = _at(text, path)
    if there is NOWHERE or there is None:
        return None
    shown = _scalar_text(there)
    return _written(there) if shown is None else shown


def _query(text: str, path: str) -> Value:
    there = _at(text, path)
    return _written(there) if isinstance(there, dict | list) else None


def _exists(text: str, path: str) -> bool:
    return _at(text, path) is not NOWHERE


def _written(there: Any) -> str:
    """JSON without spaces; numbers stay as they were written."""
    if isinstance(there, dict):
        return "{" + ",".join(f"{_quoted(name)}:{_written(part)}" for name, part in there.items()) + "}"
    if isinstance(there, list):
        return "[" + ",".join(map(_written, there)) + "]"
    if isinstance(there, str) and not isinstance(there, Written):
        return _quoted(there)
    return "null" if there is None else str(_scalar_text(there))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_json(text: str) -> bool:
    return _at(text, "$") is not NOWHERE


def _kind(text: str) -> Value:
    """What it is, by PostgreSQL's names."""
    there = _at(text, "$")
    kinds = {dict: "object", list: "array", Written: "number", str: "string", bool: "boolean", type(None): "null"}
    return None if there is NOWHERE else kinds[type(there)]


def _elements(text: str) -> Value:
    there = _at(text, "$")
    return tuple(map(_written, there)) if isinstance(there, list) else None


def _element_texts(text: str) -> Value:
    there = _at(text, "$")
    return tuple(_any(_written(part), "$") for part in there) if isinstance(there, list) else None


def _of(meaning: Callable[[str, str], Value]) -> tuple[Overload, ...]:
    return (Overload((Type.STR, PATH), Type.STR, meaning, nullable=True),)


JSON: Final = (
    Function(("json_value",), _of(_value), "The text, number or truth value at a path, as text; NULL if there is none, or the text is no JSON.", (("JSON_VALUE('{\"a\": [1.50]}', '$.a[0]')", "'1.50'"), ("JSON_VALUE('{\"a\": {}}', '$.a')", "null"))),
    Function(("json_query",), _of(_query), "The object or array at a path, as JSON without spaces.", (("JSON_QUERY('{\"a\": [1, 2]}', '$.a')", "'[1,2]'"),)),
    Function(("get_json_object", "json_extract_string", "json_extract_path_text"), _of(_any), "Whatever stands at a path, as text: JSON without spaces if it is an object or array.", (("GET_JSON_OBJECT('{\"a\": {\"b\": true}}', '$.a')", "'{\"b\":true}'"), ("GET_JSON_OBJECT('{\"a\": null}', '$.a')", "null"))),
    Function(("json_exists",), (Overload((Type.STR, PATH), Type.BOOL, _exists),), "Does something stand at a path, be it null?", (("JSON_EXISTS('{\"a\": null}', '$.a')", "true"),)),
    Function(("json_typeof", "jsonb_typeof"), (Overload((Type.STR,), Type.STR, _kind, nullable=True),), "`object`, `array`, `string`, `number`, `boolean` or `null`; NULL if the text is no JSON.", (("JSON_TYPEOF('[1]')", "'array'"), ("JSON_TYPEOF('1.50')", "'number'"))),
    Function(("json_elements",), (Overload((Type.STR,), array_of(Type.STR), _elements, nullable=True),), "The elements of an array of JSON, each as JSON; NULL if it is no array.", (("JSON_ELEMENTS('[1, \"a\", {}]')", "['1', '\"a\"', '{}']"),)),
    Function(("json_elements_text",), (Overload((Type.STR,), array_of(Type.STR), _element_texts, nullable=True),), "The same, with texts without quotes, and NULL for null.", (("JSON_ELEMENTS_TEXT('[1, \"a\", null]')", "['1', 'a', null]"),)),
    Function(("is_json", "json_valid"), (Overload((Type.STR,), Type.BOOL, _is_json),), "Is the text JSON?", (("IS_JSON('[1]')", "true"), ("IS_JSON('[1')", "false"))),
)  # fmt: skip
