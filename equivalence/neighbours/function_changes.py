"""Other functions that somebody might have meant, and other words where a function takes one of a few."""

from collections.abc import Iterator
from typing import Final

from equivalence.neighbours.pattern_changes import near_patterns
from semantics.errors import TypeMismatch
from semantics.expression import Call, Constant, Expression
from semantics.functions.definition import Function, Word
from semantics.functions.patterns import is_pattern
from semantics.functions.table import BY_NAME, call_of

_PAIRS: Final = (
    ("upper", "lower"),
    ("ltrim", "rtrim"),
    ("left", "right"),
    ("lpad", "rpad"),
    ("starts_with", "ends_with"),
    ("substring", "substr"),
    ("floor", "ceil"),
    ("round", "trunc"),
    ("greatest", "least"),
    ("greatest_ignore_nulls", "greatest"),
    ("least_ignore_nulls", "least"),
    ("sin", "cos"),
    ("ln", "log10"),
    ("bitand", "bitor"),
    ("shift_left", "shift_right"),
)
LOOKALIKES: Final = {
    **{name: (other,) for name, other in _PAIRS},
    **{other: (name,) for name, other in _PAIRS},
    "trim": ("ltrim", "rtrim"),
    "length": ("octet_length",),
}
"""Functions of the same arguments that are taken for each other."""


def other_functions(call: Call) -> list[Expression]:
    """The call with a similar function, or with another of the words that the function takes."""
    similar = [_called(name, call.arguments) for name in LOOKALIKES.get(call.function.name, ())]
    return [made for made in (*similar, *_other_words(call)) if made is not None and made != call]


def words(call: Call) -> dict[int, Word]:
    """The places of arguments that must be words."""
    found = BY_NAME.get(call.function.name)
    overloads = found.overloads if isinstance(found, Function) else ()
    expanded = [overload.expanded(len(call.arguments)) or () for overload in overloads]
    return {i: p for parameters in expanded for i, p in enumerate(parameters) if isinstance(p, Word)}


def _other_words(call: Call) -> Iterator[Expression | None]:
    for i, word in words(call).items():
        old = call.arguments[i]
        before, after = call.arguments[:i], call.arguments[i + 1 :]
        others = (Constant(text, old.type) for text in _near(word, old))
        yield from (_called(call.function.name, (*before, other, *after)) for other in others if other != old)


def _near(word: Word, old: Expression) -> list[str]:
    """All other words if there are few, else the same one with a character more, less or changed."""
    if word.accepts is None or not isinstance(old, Constant):
        return list(word.samples)
    text = str(old.value)
    near = near_patterns(text) if word.accepts is is_pattern else []
    return [*(other for other in (f"{text}x", text[:-1]) if word.accepts(other)), *near]


def _called(name: str, arguments: tuple[Expression, ...]) -> Expression | None:
    try:
        return call_of(name, arguments)
    except TypeMismatch:
        return None
