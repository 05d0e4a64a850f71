"""What the table says of a function: its names, its overloads with their meaning, a line about it, and examples."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final

from semantics.dataclass_on_use import dataclass
from semantics.expression import Expression, ScalarFunction
from semantics.result_types import common_type_of
from semantics.types import Type
from semantics.value import Value

Meaning = Callable[..., Value]
Given = Expression | None
"""An argument as it is written: an expression, or NULL alone, which has the type that it must have."""


@dataclass(frozen=True)
class Family:
    """Some types. All arguments of a call whose parameters are of one family have the same type of it."""

    name: str
    has: Callable[[Type], bool] = lambda _: True


@dataclass(frozen=True)
class Word:
    """A text that must be a constant: a unit of time, a format, a regular expression."""

    what: str
    samples: tuple[str, ...]
    """Some that are valid; all of them, if `accepts` is not given."""
    accepts: Callable[[str], bool] | None = None

    def valid(self, text: str) -> bool:
        return self.accepts(text) if self.accepts else text in self.samples

    def normal(self, text: str) -> str:
        """Where all valid words are known, upper and lower case are the same."""
        return text if self.accepts else text.lower()


@dataclass(frozen=True)
class Own:
    """An argument of one of these types, whatever the types of the others are."""

    name: str
    has: Callable[[Type], bool] = lambda _: True


@dataclass(frozen=True)
class Derived:
    """A type that follows from those of the arguments, and from the words among them."""

    name: str
    of: Callable[[Sequence[Type | None], Sequence[str]], Type | None]
    """None if they do not fit. The types are those that are given for a parameter, those of parameters for a result."""
    from_words: bool = False


Parameter = Type | Family | Word | Own | Derived
Result = Type | Family | Derived
ANY: Final = Family("any type")
DECIMAL: Final = Family("DECIMAL", lambda type_: type_.is_decimal)


@dataclass(frozen=True)
class Overload:
    """One way to call a function. Its meaning is called with values of the parameters' types."""

    parameters: tuple[Parameter, ...]
    result: Result
    meaning: Meaning
    optional: int = 0
    """How many of the last parameters may be left out; the meaning has defaults for them."""
    repeats: int = 0
    """How many of the last parameters may be repeated, together."""
    strict: bool = True
    total: bool = True
    nullable: bool = False
    """Can it be NULL for arguments that are not, or, if it is not strict, for some that are?"""
    typed: bool = False
    """Is the meaning told the type of the first parameter before the values?"""

    def expanded(self, number: int) -> tuple[Parameter, ...] | None:
        """The parameters for this number of arguments, if they can be so many."""
        most = len(self.parameters)
        if number > most and self.repeats and (number - most) % self.repeats == 0:
            return self.parameters + self.parameters[-self.repeats :] * ((number - most) // self.repeats)
        return self.parameters[:number] if most - self.optional <= number <= most else None

    @property
    def needs_words(self) -> bool:
        """Does the type of the result depend on what the words are?"""
        return isinstance(self.result, Derived) and self.result.from_words

    def bound(
        self, types: Sequence[Type | None], words: Sequence[str] = (), *, exactly: bool = True
    ) -> tuple[tuple[Type, ...], Type] | None:
        """The types of the parameters and of the result for arguments of these types, if they fit.

        If not exactly, a type fits where a wider one is asked for: an INT or DECIMAL as a FLOAT, a DATE as a TIMESTAMP.
        """
        parameters = self.expanded(len(types))
        if parameters is None:
            return None
        common = {p: _common(p, types, parameters) for p in (*parameters, self.result) if isinstance(p, Family)}
        wanted = [_wanted(p, type_, types, common) for p, type_ in zip(parameters, types, strict=True)]
        if not all(_fits(type_, want, exactly) for type_, want in zip(types, wanted, strict=True)):
            return None
        found = self.result
        result = found.of(wanted, words) if isinstance(found, Derived) else _plain(found, common)
        return (tuple(want for want in wanted if want), result) if result else None

    @property
    def shown(self) -> str:
        """How it is called, as messages and the documentation show it.

        >>> Overload((Type.STR, Type.INT), Type.STR, str, optional=1).shown
        '(STR [, INT]) → STR'
        """
        fixed = len(self.parameters) - self.optional
        names = [parameter.what if isinstance(parameter, Word) else parameter.name for parameter in self.parameters]
        more = "".join(f" [, {name}]" for name in names[fixed:]) + (", …" if self.repeats else "")
        return f"({', '.join(names[:fixed])}{more}) → {self.result.name}"


@dataclass(frozen=True)
class Function:
    """A function with a meaning of its own."""

    names: tuple[str, ...]
    overloads: tuple[Overload, ...]
    about: str
    examples: tuple[tuple[str, str], ...] = field(repr=False)
    """Expressions of SQL, and their values in the notation."""


@dataclass(frozen=True)
class Shorthand:
    """A function that is a short way to write an expression of other nodes."""

    names: tuple[str, ...]
    rewrite: Callable[[Sequence[Given]], Expression | None]
    """None if the arguments do not fit."""
    shown: str
    about: str
    examples: tuple[tuple[str, str], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class BuiltIn(ScalarFunction):
    """A function of the table for arguments of particular types; there is one object of each."""

    nullable: bool = False
    words: tuple[str, ...] = ()
    """Those of its arguments on which the type of the result depends."""

    def __reduce__(self) -> tuple[object, ...]:
        from semantics.functions.table import built_in

        return (built_in, (self.name, self.parameters, self.words))


def _common(family: Family, types: Sequence[Type | None], parameters: Sequence[Parameter]) -> Type | None:
    """The one type that all arguments of this family have in common; INT if all are NULL."""
    own = [type_ for type_, parameter in zip(types, parameters, strict=True) if parameter is family and type_]
    found = common_type_of(own or [Type.INT])
    return found if found is not None and family.has(found) else None


def _wanted(
    parameter: Parameter, given: Type | None, types: Sequence[Type | None], common: dict[Family, Type | None]
) -> Type | None:
    """The type that an argument must have; of its own, NULL is an INT."""
    if isinstance(parameter, Word):
        return Type.STR
    if isinstance(parameter, Derived):
        return parameter.of(types, ())
    if isinstance(parameter, Own):
        own = given or Type.INT
        return own if parameter.has(own) else None
    return _plain(parameter, common)


def _plain(parameter: Type | Family, common: dict[Family, Type | None]) -> Type | None:
    return common[parameter] if isinstance(parameter, Family) else parameter


def _fits(type_: Type | None, wanted: Type | None, exactly: bool) -> bool:
    """NULL fits everywhere."""
    if wanted is None or type_ is None:
        return wanted is not None
    return type_ is wanted or (not exactly and common_type_of([type_, wanted]) is wanted)
