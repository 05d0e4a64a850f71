"""Aggregates read back from the text that `semantics.notation.show_aggregate` writes."""

from semantics import aggregate as agg
from semantics.expression import Expression
from semantics.notation.parse_expression import ExpressionReader
from semantics.ordering import SortKey
from semantics.scope import Scope


class AggregateReader(ExpressionReader):
    """Reads aggregates as well."""

    def aggregate(self, scope: Scope) -> agg.Aggregate:
        if self.cursor.skip("count", "(", "*", ")"):
            return agg.CountRows()
        name = next((name for name in agg.WORDS if self.cursor.skip(name, "(")), None)
        if name is None:
            return self._user_defined(scope)
        distinct = self.cursor.skip("distinct")
        made = self._called(name, scope, distinct)
        self.cursor.take(")")
        return agg.of_distinct(made) if distinct else made

    def direction(self, column: int) -> SortKey:
        """What may follow a column in a declared order."""
        descending = self.cursor.skip("desc")
        if not self.cursor.skip("nulls"):
            return SortKey(column, descending)
        last = self.cursor.skip("last")
        if not last:
            self.cursor.take("first")
        return SortKey(column, descending, last)

    def _user_defined(self, scope: Scope) -> agg.Aggregate:
        function = self.function(agg.AggregateFunction)
        self.cursor.take("(")
        distinct = self.cursor.skip("distinct")
        made = agg.UserDefined(function, self.expression(scope))
        self.cursor.take(")")
        return agg.of_distinct(made) if distinct else made

    def _called(self, name: str, scope: Scope, distinct: bool) -> agg.Aggregate:
        cursor = self.cursor
        argument = self.expression(scope)
        if name == "count" and distinct:
            return agg.CountDistinct(argument, self._others(scope))
        if name in agg.ONE_ARGUMENT:
            return agg.ONE_ARGUMENT[name](argument)
        if name == "array_agg":
            return self._listed(argument, None, scope)
        cursor.take(",")
        if name in agg.TWO_ARGUMENTS:
            return agg.TWO_ARGUMENTS[name](argument, self.expression(scope))
        if name == "top":
            return agg.Largest(argument, cursor.take_int("a rank"))
        if name == "string_agg":
            return self._listed(argument, cursor.take_text(), scope)
        return agg.Percentile(argument, agg.decimal_fraction(self.number()), name == "percentile_disc")

    def _others(self, scope: Scope) -> tuple[Expression, ...]:
        return self.separated(",", lambda: self.expression(scope)) if self.cursor.skip(",") else ()

    def _listed(self, argument: Expression, separator: str | None, scope: Scope) -> agg.Listed:
        by: list[Expression] = []

        def key() -> SortKey:
            by.append(self.expression(scope))
            return self.direction(len(by))

        order = self.separated(",", key) if self.cursor.skip(";") else ()
        return agg.Listed(argument, separator, tuple(by), order)
