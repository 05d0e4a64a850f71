"""Texts that look alike, or that code cuts, ends or changes; and predicates, patterns and aggregates of them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, ClassVar, Final

from equivalence.cases.choices import Choices
from equivalence.cases.plan_shapes import MeetingInputs
from equivalence.cases.random_aggregates import ALL_KINDS, of_several, takes
from equivalence.cases.random_expressions import COMPARISONS
from equivalence.cases.random_plans import Catalogue
from equivalence.cases.random_rows import COMMON_VALUES
from semantics import Expression, Plan, Schema, Scope, Type, Value
from semantics.aggregate import Aggregate
from semantics.expression import And, Comparison, Constant, In, IsDistinct, Like, Not, Or, Ref
from semantics.plan import Map

if TYPE_CHECKING:  # situations are made of what stands here
    from equivalence.cases.situation import Situation

CATALOGUE: Final[Catalogue] = {"A": Schema.of(s=str, t=str), "B": Schema.of(u=str, v=str)}
FAMILIES: Final = (
    ("a", "A", "b", "B", "a ", " a", "a\t", "a\n", "\na", "a\0"),
    ("a\nb", "a b", "axb", "a_b", "a%b", "a!b", "a!%b", "a\\b", "a\\%b", "a\0b", "A\nB"),
    ("é", "e\u0301", "É", "E\u0301", "e", "ê", "\u0301"),
    ("ß", "ss", "SS", "ẞ", "ı", "i", "I", "İ"),
    ("😀", "😀b", "a😀", "\U0001f600\U0001f601", "\ufffd", "\uff21", "A"),
    tuple("x" * 40 + end for end in ("", "a", "A", "b", "é", "e\u0301", " ", "\n")),
    (*("x" * n + end for n in (254, 299) for end in ("a", "A", "b")), "x" * 1025, "x" * 1026),
    ("10", "9", "09", "9.0", "-1", "1e1"),
    ("", " ", "\0", "NULL", "null", "true", "'", '"', "''", ",", ";", "\r\n"),
)
"""Texts of which code may take one for another."""
TEXTS: Final = tuple(dict.fromkeys(text for family in FAMILIES for text in family))
PATTERNS: Final = (
    *(("a_b", None), ("a%b", None), ("_", None), ("__", None), ("___", None), ("%b", None), ("a%", None), ("%_", None)),
    *(("a!%b", "!"), ("a!_b", "!"), ("a!!b", "!"), ("a\\%b", "\\"), ("a\\b", None), ("a|%b", "|"), ("%!%%", "!")),
    *(("%", None), ("", None), ("A%", None), ("_b", None), ("%\n%", None), ("x%a", None), ("_%_", None), ("a_", None)),
)
MOST_COLUMNS: Final = 16
MOST_OPTIONS: Final = 24


def choose_text(choices: Choices, type_: Type, among: Sequence[str] = TEXTS) -> Value:
    """A text that is special, or one that is not; NULL one time in twenty."""
    if type_ is not Type.STR or choices.chance(1, 4):
        return choices.of((*COMMON_VALUES[type_], None))
    return choices.of(among)


def mostly_of_one_family(choices: Choices, situation: "Situation", operator: type[Plan]) -> "Situation":  # noqa: ARG001
    """Three cases in four have texts of one family, so that those that look alike meet."""
    if choices.chance(1, 4):
        return situation
    family = choices.of(FAMILIES)
    return replace(situation, value=partial(choose_text, among=family), shape=_about(family))


class AlikeTexts(MeetingInputs):
    """Predicates, columns and aggregates are about texts."""

    texts: ClassVar[Sequence[str]] = TEXTS

    def predicate(self, scope: Scope) -> Expression:
        return self._about(scope, 1)

    def map(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        made = [self._about(Scope(child.schema), 1) for _ in range(self.choices.between(2, MOST_COLUMNS))]
        return Map(child, tuple(made), tuple(f"c{i}" for i in range(len(made))))

    def aggregates(self, child: Plan, at_least: int) -> tuple[tuple[Aggregate, ...], tuple[str, ...]]:
        number = self.choices.between(max(at_least, 1), MOST_COLUMNS)
        return tuple(self._an_aggregate(child) for _ in range(number)), tuple(self._free(child, number))

    def _an_aggregate(self, child: Plan) -> Aggregate:
        scope = Scope(child.schema)
        ref = self._text_column(scope)
        if ref.type is Type.STR and self.choices.chance(1, 4):
            return of_several(self.choices, "string_agg", lambda _: self._text_column(scope))
        return self.choices.of([make for name, (_, make) in ALL_KINDS.items() if takes(name, ref.type)])(ref)

    def _text_column(self, scope: Scope) -> Ref:
        refs = [Ref(i, type_) for i, type_ in enumerate(scope.types)]
        return self.choices.of([ref for ref in refs if ref.type is Type.STR] or refs)

    def _about(self, scope: Scope, depth: int) -> Expression:
        column = self._text_column(scope)
        if column.type is not Type.STR:
            return super().predicate(scope)
        kind = self.choices.below(8 if depth else 6)
        match kind:
            case 0 | 1:
                pattern, escape = self._pattern()
                return Like(column, Constant(pattern, Type.STR), escape)
            case 2:
                return Comparison(self.choices.of(COMPARISONS), column, self._text_column(scope))
            case 3:
                return Comparison(self.choices.of(COMPARISONS), column, self._constant())
            case 4:
                return In(column, tuple(self._constant() for _ in range(self.choices.between(1, MOST_OPTIONS))))
            case 5:
                return IsDistinct(column, self._text_column(scope))
            case 6:
                return Not(self._about(scope, depth - 1))
            case _:
                left, right = self._about(scope, depth - 1), self._about(scope, depth - 1)
                return And(left, right) if self.choices.chance(1, 2) else Or(left, right)

    def _pattern(self) -> tuple[str, str | None]:
        """One of those above, or a text with a wildcard in the place of a character."""
        text = self.choices.of(self.texts)
        if not text or self.choices.chance(1, 2):
            return self.choices.of(PATTERNS)
        place = self.choices.below(len(text))
        return text[:place] + self.choices.of("_%") + text[place + 1 :], None

    def _constant(self) -> Constant:
        return Constant(self.choices.of(self.texts), Type.STR)


@cache
def _about(family: tuple[str, ...]) -> type[AlikeTexts]:
    """The same plans with constants of one family."""
    return type("TextsOfOneFamily", (AlikeTexts,), {"texts": family})
