"""Operators and constants that nothing is known of: the same function of the same values, whatever it is.

What is proved of a plan with such a function holds for all functions. A counterexample may hold only for the function
that stands for it here, so it refutes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from equivalence.foreign_plans.errors import PlanError
from equivalence.foreign_plans.sql_types import sql_type
from semantics.expression import ScalarFunction
from semantics.types import Type, decimal
from semantics.value import Value, conform

_PLAIN: Final = {
    "INT": Type.INT,
    "FLOAT": Type.FLOAT,
    "BOOLEAN": Type.BOOL,
    "TEXT": Type.STR,
    "TIMESTAMP": Type.TIMESTAMP,
    "DATE": Type.DATE,
    "TIME": Type.TIME,
}
_DIGITS: Final = re.compile(r"DECIMAL\((\d+), (\d+)\)")
_VOLATILE: Final = (
    *("RANDOM", "RAND", "RAND_INTEGER", "UUID", "GEN_RANDOM_UUID", "UUID_V4", "UNIQUE_ROWID", "NEXTVAL"),
    *("CLOCK_TIMESTAMP", "TIMEOFDAY"),
)
"""What these give does not follow from their arguments."""
_UNNAMED: Final = (
    *("FUNCTION", "UDF", "UDF CALL", "COLLATE", "COLUMN ACCESS", "ARRAY FLATTEN", "UNSUPPORTED EXPR"),
    *("ANY SCALAR", "ANY", "WINDOW", "OVER"),
)
"""CockroachDB's operators that are written without a part of what they do: which function, column or comparison."""
_CALLED: Final = re.compile(r"(?<![\w:=-])([a-z_]\w*)\(")
VALUES: Final = 5
"""So many values a function has here."""


@dataclass
class UnknownFunctions:
    """The functions of a pair of plans; each is told by its name and the types of its arguments and result."""

    explained: str = ""
    """The plans as text. If it calls one function only, a FUNCTION without a name is this one."""
    made: dict[tuple[str, ...], ScalarFunction] = field(default_factory=dict)

    def call(self, name: str, operands: Sequence[str], kinds: Sequence[str | None], kind: str | None) -> str:
        """The text of a call; all types must be known."""
        if name.upper().removesuffix("()") in _VOLATILE:
            raise PlanError(f"{name} may give another value with each call")
        if name.upper().replace("-", " ") in _UNNAMED:
            name = self._only_function(name)
        if kind is None or any(each is None for each in kinds):
            raise PlanError(f"the operator {name} with {len(operands)} operands is not known here")
        types = tuple(sql_type(each) for each in (*kinds, kind) if each is not None)
        function = self.made.setdefault((name, *types), _function(f"{_word(name)}_{len(self.made)}", name, types))
        arguments = (f"CAST({text} AS {to})" for text, to in zip(operands, types, strict=False))
        return f"{function.name}({', '.join(arguments)})"

    def _only_function(self, name: str) -> str:
        called: set[str] = set(_CALLED.findall(self.explained))
        if name.upper() != "FUNCTION" or len(called) != 1:
            raise PlanError(f"the plan does not say which {name} it is")
        return called.pop()


def _word(name: str) -> str:
    """The name as one word: what is asked for in messages."""
    return "any_" + (re.sub(r"\W+", "_", name.lower()).strip("_") or "operator")


def _function(word: str, name: str, types: Sequence[str]) -> ScalarFunction:
    result = _type(types[-1])

    def value(*arguments: Value) -> Value:
        place = crc32(repr((name, arguments)).encode()) % VALUES
        return None if place == VALUES - 1 and arguments else _value(result, place)

    return ScalarFunction(word, tuple(map(_type, types[:-1])), result, value, strict=False, total=True)


def _value(kind: Type, place: int) -> Value:
    if kind is Type.BOOL:
        return place % 2 == 0
    if kind is Type.STR:
        return "abcde"[place]
    return conform(kind.python(place) if kind.is_counted else place, kind, "a value")


def _type(name: str) -> Type:
    digits = _DIGITS.fullmatch(name)
    return decimal(int(digits[1]), int(digits[2])) if digits else _PLAIN[name]
