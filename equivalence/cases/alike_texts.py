"""Texts that look alike, or that code cuts, ends or changes; and predicates, patterns and aggregates of them."""

from typing import Final

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

CATALOGUE: Final[Catalogue] = {"A": Schema.of(s=str, t=str), "B": Schema.of(u=str, v=str)}
TEXTS: Final = (
    *("a", "A", "b", "B", "a ", " a", "a\t", "a\n", "\na", "a\nb", "a_b", "a%b", "a!b", "a!%b", "a\\b", "a\\%b"),
    *(
        "",
        " ",
        "\0",
        "a\0",
        "a\0b",
        "é",
        "e\u0301",
        "É",
        "ß",
        "ss",
        "ı",
        "i",
        "😀",
        "😀b",
        "a😀",
        "\uff21",
        "\ufffd",
        "\U0001f600\U0001f601",
    ),
    *("x" * 254 + "a", "x" * 254 + "b", "x" * 299 + "a", "x" * 299 + "b", "x" * 1025, "x" * 1026),
    *("10", "9", "09", "9.0", "-1", "NULL", "null", "true", "'", '"', "''", ",", ";", "\r\n"),
)
PATTERNS: Final = (
    *(("a_b", None), ("a%b", None), ("_", None), ("__", None), ("___", None), ("%b", None), ("a%", None), ("%_", None)),
    *(("a!%b", "!"), ("a!_b", "!"), ("a!!b", "!"), ("a\\%b", "\\"), ("a\\b", None), ("a|%b", "|"), ("%!%%", "!")),
    *(("%", None), ("", None), ("A%", None), ("_b", None), ("%\n%", None), ("x%a", None), ("_%_", None), ("a_", None)),
)
MOST_COLUMNS: Final = 6
MOST_OPTIONS: Final = 24


def choose_text(choices: Choices, type_: Type) -> Value:
    """A text that is special, or one that is not; NULL one time in eight."""
    if type_ is not Type.STR or choices.chance(1, 4):
        return choices.of((*COMMON_VALUES[type_], None))
    return choices.of(TEXTS)


class AlikeTexts(MeetingInputs):
    """Predicates, columns and aggregates are about texts."""

    def predicate(self, scope: Scope) -> Expression:
        return self._about(scope, 1)

    def map(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        made = [self._about(Scope(child.schema), 1) for _ in range(self.choices.between(2, MOST_COLUMNS))]
        return Map(child, tuple(made), tuple("pqrstu"[: len(made)]))

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
                pattern, escape = self.choices.of(PATTERNS)
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

    def _constant(self) -> Constant:
        return Constant(self.choices.of(TEXTS), Type.STR)
