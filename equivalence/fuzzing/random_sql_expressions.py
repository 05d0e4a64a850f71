"""Random expressions and conditions of SQL, in the words that all systems share.

What optimizers fold, move or forget about is made often: constants, COALESCE and CASE over columns that an outer join
pads, IS NULL over conditions, IN and EXISTS below NOT. Division is left out, since systems differ in it, and so is
everything that depends on the order of rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.fuzzing.query_scope import QueryScope
from equivalence.fuzzing.relational_schema import SQL_TYPES
from semantics import Type

_CONSTANTS: Final = {
    Type.INT: ("0", "1", "2", "-1"),
    Type.STR: ("'a'", "'b'", "''", "'A'"),
    Type.BOOL: ("TRUE", "FALSE"),
}
_NULLS: Final = {type_: f"CAST(NULL AS {name})" for type_, name in SQL_TYPES.items()}
_PATTERNS: Final = ("'%a%'", "'a%'", "'_'", "''", "'a'", "'_b'", "'%'")
_COMPARISONS: Final = ("=", "=", "<>", "<", "<=", ">", ">=")
_TRUTHS: Final = ("NULL", "NOT NULL", "TRUE", "NOT TRUE", "FALSE", "NOT FALSE")
_COMPARED_TYPES: Final = (Type.INT, Type.INT, Type.INT, Type.STR)
_FIXED: Final = ("1 = 1", "TRUE", "NULL IS NULL", "2 > 1 OR 1 > 2", "1 = 2", "NOT 1 < 2", "NULL = 1")


class ExpressionWriter(ABC):
    """Writes expressions as text. Depth bounds how far they nest; subqueries are somebody else's work."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices

    @abstractmethod
    def has_room(self) -> bool:
        """May there be one more subquery?"""

    @abstractmethod
    def rows_of(self, types: Sequence[Type], scope: QueryScope) -> str:
        """A subquery with columns of these types, which may refer to the scope."""

    @abstractmethod
    def one_value(self, type_: Type, scope: QueryScope) -> str:
        """A subquery that gives one row at most."""

    @abstractmethod
    def plain_rows(self, scope: QueryScope, *, linked: bool) -> str:
        """A subquery over one table, with one column."""

    @abstractmethod
    def average(self, scope: QueryScope) -> str:
        """A subquery whose value is an average, which is no whole number."""

    def value(self, type_: Type, scope: QueryScope, depth: int | None = None) -> str:
        """A value: mostly a column; at times an operation on what is one itself."""
        if depth is None:
            depth = self.choices.of((1, 1, 1, 2))
        if type_ is Type.BOOL and depth and (self.choices.chance(1, 2) or not scope.columns(type_)):
            return f"({self.condition(scope, depth)})"  # what is unknown shows where it is a value
        if depth == 0 or not self.choices.chance(2, 5):
            return self.column(type_, scope)
        return self.formed(type_, scope, depth)

    def formed(self, type_: Type, scope: QueryScope, depth: int) -> str:
        """An operation on values."""
        forms = [*self._common_forms(type_, scope, depth), *self._forms_of(type_, scope, depth)]
        return self.choices.of(forms)()

    def asked(self, scope: QueryScope, depth: int) -> str:
        """A condition that is more than a comparison, of conditions that nest no deeper than that."""
        return self.choices.of([*self._simple_conditions(scope), *self._compound_conditions(scope, depth)])()

    def column(self, type_: Type, scope: QueryScope) -> str:
        """A column, at times of a query around this one; a constant, if there is none."""
        around = scope.outer_columns(type_)
        if around and self.choices.chance(1, 4):
            return self.choices.of(around)
        padded = scope.columns(type_, padded=True)
        found = padded if padded and self.choices.chance(1, 2) else scope.columns(type_)
        return self.choices.of(found) if found else self.choices.of(_CONSTANTS[type_])

    def _common_forms(self, type_: Type, scope: QueryScope, depth: int) -> list[Callable[[], str]]:
        def part() -> str:
            return self.value(type_, scope, depth - 1)

        def case() -> str:
            otherwise = f" ELSE {part()}" if self.choices.chance(2, 3) else ""
            branches = [
                f"WHEN {self.condition(scope, depth - 1)} THEN {part()}" for _ in range(self.choices.of((1, 1, 2)))
            ]
            return f"CASE {' '.join(branches)}{otherwise} END"

        forms: list[Callable[[], str]] = [
            lambda: self.choices.of((*_CONSTANTS[type_], *_CONSTANTS[type_], _NULLS[type_])),
            lambda: f"COALESCE({part()}, {self.choices.of(_CONSTANTS[type_])})",
            lambda: f"COALESCE({part()}, {part()})",
            case,
            lambda: f"NULLIF({part()}, {part()})",
            lambda: f"CASE {part()} WHEN {self.choices.of(_CONSTANTS[type_])} THEN {part()} ELSE {part()} END",
            lambda: f"CAST({part()} AS {SQL_TYPES[type_]})",
        ]
        if self.has_room():
            forms.append(lambda: f"({self.one_value(type_, scope)})")
        return forms

    def _forms_of(self, type_: Type, scope: QueryScope, depth: int) -> list[Callable[[], str]]:
        """What there is for one type only."""

        def number() -> str:
            return self.value(Type.INT, scope, depth - 1)

        def text() -> str:
            return self.value(Type.STR, scope, depth - 1)

        of_type: dict[Type, list[Callable[[], str]]] = {
            Type.INT: [
                lambda: f"({number()} {self.choices.of('+-*')} {self.choices.of(_CONSTANTS[Type.INT])})",
                lambda: f"({number()} {self.choices.of('+-*')} {number()})",
                lambda: f"({number()} {self.choices.of('+-')} ({number()} {self.choices.of('+-')} {number()}))",
                lambda: f"(- {number()})",
                lambda: f"ABS({number()})",
                lambda: f"({self.choices.of('12')} {self.choices.of('+-*')} {self.choices.of('12')})",
                lambda: f"({number()} % {self.choices.of('23')})",
                lambda: f"LENGTH({text()})",
                lambda: f"CAST({self.value(Type.BOOL, scope, depth - 1)} AS INT)",
                lambda: f"CAST(CAST({number()} AS {SQL_TYPES[Type.STR]}) AS {SQL_TYPES[Type.INT]})",
            ],
            Type.STR: [
                lambda: f"({text()} || {text()})",
                lambda: f"LOWER({text()})",
                lambda: f"UPPER({text()})",
                lambda: f"TRIM({text()})",
                lambda: f"REPLACE({text()}, 'a', {self.choices.of(_CONSTANTS[Type.STR])})",
                lambda: f"SUBSTRING({text()}, {self.choices.of('12')}, {self.choices.of('12')})",
                lambda: f"CAST({number()} AS {SQL_TYPES[Type.STR]})",
            ],
            Type.BOOL: [lambda: f"({self.condition(scope, depth - 1)})"],
        }
        return of_type[type_]

    def condition(self, scope: QueryScope, depth: int = 2) -> str:
        """A condition on a subquery, where there is room for one; else a comparison, or something more."""
        if depth and self.has_room() and self.choices.chance(2, 5):
            return self.choices.of(self._conditions_on_subqueries(scope))()
        if depth == 0 or not self.choices.chance(1, 2):
            return self.comparison(scope, min(depth, 1))
        return self.asked(scope, depth - 1)

    def comparison(self, scope: QueryScope, depth: int) -> str:
        type_ = self._compared_type(scope)
        left = self.value(type_, scope, depth)
        right = self.value(type_, scope, depth) if self.choices.chance(2, 3) else self.choices.of(_CONSTANTS[type_])
        return f"{left} {self.choices.of(_COMPARISONS)} {right}"

    def _compared_type(self, scope: QueryScope) -> Type:
        """Mostly numbers; other types only where there are columns of them."""
        return self.choices.of([type_ for type_ in _COMPARED_TYPES if type_ is Type.INT or scope.columns(type_)])

    def _simple_conditions(self, scope: QueryScope) -> list[Callable[[], str]]:
        def number() -> str:
            return self.value(Type.INT, scope)

        def itself() -> str:
            column = self.column(Type.INT, scope)
            return f"{column} {self.choices.of(_COMPARISONS)} {column}"

        def bounded() -> str:
            column = self.column(Type.INT, scope)
            one, other = self.choices.of(_COMPARISONS), self.choices.of(_COMPARISONS)
            other = one if self.choices.chance(1, 2) else other
            parts = [f"{column} {operator} {self.choices.of(_CONSTANTS[Type.INT])}" for operator in (one, other)]
            return f"({parts[0]} {self.choices.of(('AND', 'OR'))} {parts[1]})"

        def linked() -> str:
            one, other = self.column(Type.INT, scope), self.column(Type.INT, scope)
            return f"({one} = {other} AND {other} {self.choices.of(_COMPARISONS)} {self.choices.of('012')})"

        def compared() -> str:
            """In NOT, or with what is to happen where it is unknown: for columns, which may well be equal or NULL."""
            one, other = self.column(Type.INT, scope), self.column(Type.INT, scope)
            comparison = f"{one} {self.choices.of(_COMPARISONS)} {other}"
            return self.choices.of((f"NOT ({comparison})", f"NOT ({comparison})", f"({comparison} OR {one} IS NULL)"))

        def computed() -> str:
            """An operation on values, compared at once."""
            type_ = self.choices.of((Type.STR, Type.STR, Type.INT))
            constant = self.choices.of(_CONSTANTS[type_])
            asked = self.choices.of((f"= {constant}", f"<> {constant}", f"IN ({constant})", "IS NULL"))
            return f"{self.choices.of(self._forms_of(type_, scope, 1))()} {asked}"

        return [
            bounded,
            linked,
            compared,
            computed,
            lambda: f"{number()} IS {self.choices.of(('', 'NOT '))}NULL",
            lambda: f"{number()} {self.choices.of(('', 'NOT '))}IN ({self._constants()})",
            lambda: (
                f"({self.column(Type.INT, scope)} NOT IN ({self._constants()}, NULL)) IS {self.choices.of(_TRUTHS)}"
            ),
            lambda: f"{number()} {self.choices.of(('', 'NOT '))}BETWEEN {number()} AND {number()}",
            lambda: f"{number()} IS {self.choices.of(('', 'NOT '))}DISTINCT FROM {number()}",
            lambda: f"{self.column(Type.STR, scope)} LIKE {self.choices.of(_PATTERNS)}",
            lambda: self.column(Type.BOOL, scope),
            lambda: self.choices.of(_FIXED),
            itself,
        ]

    def padded_condition(self, scope: QueryScope) -> str:
        """One over a column that an outer join pads, true or unknown where it is NULL."""
        column = self.choices.of(scope.columns(Type.INT, padded=True))
        constant = self.choices.of(_CONSTANTS[Type.INT])
        comparison = f"{column} {self.choices.of(_COMPARISONS)} {constant}"
        return self.choices.of(
            (
                f"{column} IS NULL",
                f"{column} IS {self.choices.of(('', 'NOT '))}NULL",
                f"COALESCE({column}, {self.choices.of('012')}) {self.choices.of(_COMPARISONS)} {constant}",
                f"({comparison}) IS {self.choices.of(_TRUTHS)}",
                f"({comparison} OR {self.comparison(scope, 0)})",
                comparison,
            )
        )

    def _constants(self) -> str:
        options = (*_CONSTANTS[Type.INT], "NULL")
        return ", ".join(self.choices.of(options) for _ in range(self.choices.between(1, 3)))

    def _compound_conditions(self, scope: QueryScope, depth: int) -> list[Callable[[], str]]:
        def part() -> str:
            return self.condition(scope, depth)

        def absorbed() -> str:
            one = part()
            outside, inside = self.choices.of((("AND", "OR"), ("OR", "AND")))
            return f"(({one}) {outside} (({one}) {inside} ({part()})))"

        return [
            lambda: f"({part()} AND {part()})",
            lambda: f"({part()} AND {part()})",
            lambda: f"({part()} OR {part()})",
            lambda: f"(({part()} AND {part()}) OR {part()})",
            lambda: f"(({part()} OR {part()}) AND {part()})",
            lambda: f"NOT ({part()})",
            lambda: f"({part()}) IS {self.choices.of(_TRUTHS)}",
            absorbed,
        ]

    def _conditions_on_subqueries(self, scope: QueryScope) -> list[Callable[[], str]]:
        """IN, EXISTS and comparisons with a subquery, plain, negated, and asked whether they are NULL."""

        def among() -> str:
            type_ = self._compared_type(scope)
            negated = self.choices.of(("", "NOT "))
            return f"{self.value(type_, scope)} {negated}IN ({self.rows_of((type_,), scope)})"

        def exists() -> str:
            one = self.choices.chance(1, 3)
            rows = self.one_value(Type.INT, scope) if one else self.rows_of((Type.INT,), scope)
            return f"{self.choices.of(('', 'NOT '))}EXISTS ({rows})"

        def compared() -> str:
            operator = self.choices.of(_COMPARISONS)
            one = self.average(scope) if self.choices.chance(1, 5) else self.one_value(Type.INT, scope)
            return f"{self.value(Type.INT, scope)} {operator} ({one})"

        def asked() -> str:
            return f"({among()}) IS {self.choices.of(_TRUTHS)}"

        def plainly() -> str:
            """As people write it: one table, one column, the link with the row around it."""
            negated = self.choices.of(("", "NOT "))
            if self.choices.chance(1, 2):
                return f"{negated}EXISTS ({self.plain_rows(scope, linked=True)})"
            linked = self.choices.chance(1, 4)
            return f"{self.column(Type.INT, scope)} {negated}IN ({self.plain_rows(scope, linked=linked)})"

        return [among, exists, compared, asked, plainly, plainly]
