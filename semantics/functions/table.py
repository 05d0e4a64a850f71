"""All built-in functions, and how a call of one becomes an expression."""

from collections.abc import Sequence
from functools import cache, partial
from itertools import product
from typing import Final

from semantics.errors import TypeMismatch
from semantics.expression import Call, Cast, Constant, Expression
from semantics.functions.bits import BITS
from semantics.functions.calendar_fields import CALENDAR
from semantics.functions.choices import CHOICES
from semantics.functions.definition import BuiltIn, Function, Given, Overload, Shorthand, Word
from semantics.functions.json_texts import JSON
from semantics.functions.logarithms import LOGARITHMS
from semantics.functions.nested import NESTED
from semantics.functions.numbers import NUMBERS
from semantics.functions.parts_of_text import PARTS_OF_TEXT
from semantics.functions.patterns import PATTERNS
from semantics.functions.text import TEXT
from semantics.functions.time_formats import FORMATS
from semantics.functions.time_numbers import TIME_NUMBERS
from semantics.types import Type
from semantics.value import NULL

FAMILIES: Final[dict[str, tuple[Function | Shorthand, ...]]] = {
    "Text": (*TEXT, *PARTS_OF_TEXT),
    "Regular expressions": PATTERNS,
    "Numbers": (*NUMBERS, *LOGARITHMS),
    "Bits": BITS,
    "Dates and times": (*CALENDAR, *FORMATS, *TIME_NUMBERS),
    "Arrays and rows": NESTED,
    "JSON": JSON,
    "Choices": CHOICES,
}
"""The table, by what functions are about."""
BY_NAME: Final = {name: found for family in FAMILIES.values() for found in family for name in found.names}


def call_of(name: str, arguments: Sequence[Given]) -> Expression | None:
    """The expression that a call means, or None if there is no function of this name.

    >>> from semantics import Type, show_expression
    >>> from semantics.expression import Ref
    >>> show_expression(call_of("ABS", [Ref(0, Type.INT)])), show_expression(call_of("NVL", [Ref(0, Type.INT), None]))
    ('abs($0:int)', 'coalesce($0:int, null:int)')
    """
    found = BY_NAME.get(name.lower())
    if found is None:
        return None
    made = found.rewrite(arguments) if isinstance(found, Shorthand) else _call(found, arguments)
    if made is None:
        given = tuple(argument for argument in arguments if argument is not None)
        types = ", ".join("NULL" if argument is None else argument.type.name for argument in arguments)
        raise TypeMismatch(f"{name.upper()}: arguments must be {shown(found)}, got ({types})", given)
    return made


def shown(found: Function | Shorthand) -> str:
    """All ways to call a function."""
    return found.shown if isinstance(found, Shorthand) else " or ".join(overload.shown for overload in found.overloads)


@cache
def built_in(name: str, parameters: tuple[Type, ...], words: tuple[str, ...] = ()) -> BuiltIn:
    """The one function of the table with this name for arguments of exactly these types, and of these words.

    >>> built_in("length", (Type.STR,)).call("abc")
    3
    """
    found = BY_NAME[name]
    assert isinstance(found, Function)
    bound = ((overload, overload.bound(parameters, words)) for overload in found.overloads)
    overload, result = next((overload, types[1]) for overload, types in bound if types)
    meaning = partial(overload.meaning, parameters[0]) if overload.typed else overload.meaning
    return BuiltIn(name, parameters, result, meaning, overload.strict, overload.total, overload.nullable, words)


def _call(function: Function, arguments: Sequence[Given]) -> Expression | None:
    """By the first overload that fits exactly, else by the first that fits."""
    types = [None if argument is None else argument.type for argument in arguments]
    for exactly, overload in product((True, False), function.overloads):
        words = _words(overload, arguments) if overload.needs_words else ()
        bound = overload.bound(types, words, exactly=exactly)
        if bound:
            typed = [_typed(argument, type_) for argument, type_ in zip(arguments, bound[0], strict=True)]
            return Call(built_in(function.names[0], bound[0], words), _with_words(function.names[0], overload, typed))
    return None


def _words(overload: Overload, arguments: Sequence[Given]) -> tuple[str, ...]:
    """The constant texts in the places of words."""
    pairs = zip(arguments, overload.expanded(len(arguments)) or (), strict=False)
    found = (a.value for a, parameter in pairs if isinstance(parameter, Word) and isinstance(a, Constant))
    return tuple(value for value in found if isinstance(value, str))


def _typed(argument: Given, type_: Type) -> Expression:
    """An argument of the type that the function asks for; an INT may stand for a FLOAT."""
    if argument is None:
        return Constant(NULL, type_)
    same = argument.type is type_ or (argument.type is Type.INT and type_ is Type.FLOAT)
    return argument if same else Cast(argument, type_)


def _with_words(name: str, overload: Overload, arguments: Sequence[Expression]) -> tuple[Expression, ...]:
    """The arguments; those that must be constants are, and are valid."""
    pairs = zip(arguments, overload.expanded(len(arguments)) or (), strict=True)
    return tuple(_word(name, argument, p) if isinstance(p, Word) else argument for argument, p in pairs)


def _word(name: str, argument: Expression, word: Word) -> Constant:
    value = argument.value if isinstance(argument, Constant) else None
    if not isinstance(value, str) or not word.valid(word.normal(value)):
        examples = ", ".join(repr(sample) for sample in word.samples)
        got = repr(value) if isinstance(value, str) else "no constant"
        raise TypeMismatch(f"{name.upper()}: {word.what} must be a constant such as {examples}, got {got}", (argument,))
    return Constant(word.normal(value), Type.STR)
