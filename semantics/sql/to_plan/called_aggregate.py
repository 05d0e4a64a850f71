"""What a call of an aggregate means: DISTINCT, ORDER BY, WITHIN GROUP and FILTER included."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from semantics import aggregate as agg
from semantics.expression import Expression
from semantics.ordering import SortKey
from semantics.sql.catalogue import Catalogue, find
from semantics.sql.constants import whole_number
from semantics.sql.errors import blaming, wrong
from semantics.sql.grammar.nodes import Sorted
from semantics.sql.to_plan.aggregate_calls import called, inner_calls
from semantics.sql.to_plan.aggregate_names import (
    ARRAYS,
    ENDS,
    JOINED_TEXTS,
    ONE_ARGUMENT,
    PERCENTILES,
    TWO_ARGUMENTS,
)

Translate = Callable[[exp.Expr], Expression]


def aggregate(node: exp.Anonymous, translate: Translate, catalogue: Catalogue) -> agg.Aggregate:
    """The aggregate that a call means."""
    call = AggregateCall(node, translate)
    for inner in inner_calls(node, catalogue):
        raise wrong(inner, f"{call.name}: an aggregate inside an aggregate", "an expression over rows")
    with blaming(node, f"an argument that fits {call.name}"):
        user = find(catalogue.aggregates, called(node))
        made = agg.UserDefined(user, call.of_one()) if user else call.built_in()
        if call.distinct:
            made = agg.of_distinct(made)
        condition = node.args.get("filter")
        return made if condition is None else agg.filtered(made, translate(condition))


@dataclass(frozen=True)
class AggregateCall:
    """A call, and how to translate the expressions in it."""

    node: exp.Anonymous
    translate: Translate

    @property
    def name(self) -> str:
        return called(self.node).upper()

    @cached_property
    def distinct(self) -> bool:
        return any(isinstance(argument, exp.Distinct) for argument in self.node.expressions)

    @cached_property
    def arguments(self) -> list[exp.Expr]:
        """What stands between the parentheses, without DISTINCT."""
        return list(self.node.expressions[0].expressions if self.distinct else self.node.expressions)

    @cached_property
    def order(self) -> list[Sorted]:
        """ORDER BY, wherever it stands."""
        inside, behind = self.node.args.get("order"), self.node.args.get("within")
        if inside and behind:
            raise wrong(self.node, f"{self.name} is ordered twice", "ORDER BY inside, or WITHIN GROUP behind it")
        return inside or behind or []

    def built_in(self) -> agg.Aggregate:
        if self.name in (*JOINED_TEXTS, *ARRAYS):
            return self._listed()
        if self.name in ENDS:
            return self._end()
        if self.name in PERCENTILES:
            return self._percentile()
        if self.name == "MODE" and self.order and not self.arguments:
            return agg.Mode(self.translate(self._only_key().this))
        if self.name == "COUNT" and [type(argument) for argument in self.arguments] == [exp.Star]:
            self._refuse_order()
            return agg.CountRows()
        if self.name == "TOP":
            return self._largest()
        if self.name == "COUNT" and self.distinct:
            return agg.CountDistinct(*self._several())
        if self.name in TWO_ARGUMENTS:
            return TWO_ARGUMENTS[self.name](*self._of(2, "two arguments"))
        return ONE_ARGUMENT[self.name](self.of_one())

    def of_one(self) -> Expression:
        expected = "COUNT(*) or one argument" if self.name == "COUNT" else "one argument"
        return self._of(1, expected)[0]

    def _of(self, number: int, expected: str) -> list[Expression]:
        self._refuse_order()
        self._check_number(len(self.arguments) == number, expected)
        return [self.translate(argument) for argument in self.arguments]

    def _several(self) -> tuple[Expression, tuple[Expression, ...]]:
        self._refuse_order()
        first, *others = [self.translate(argument) for argument in self.arguments]
        return first, tuple(others)

    def _check_number(self, fits: bool, expected: str) -> None:
        if not fits or any(isinstance(argument, exp.Star) for argument in self.arguments):
            raise wrong(self.node, f"{self.name}: wrong number of arguments", expected)

    def _refuse_order(self) -> None:
        if self.order:
            raise wrong(self.order[0], f"{self.name} does not depend on an order", f"{self.name} without ORDER BY")

    def _only_key(self) -> Sorted:
        if len(self.order) != 1 or self.order[0].args.get("nulls"):
            where = self.order[0] if self.order else self.node
            raise wrong(where, f"{self.name} needs one order, without NULLS", "ORDER BY expression [DESC]")
        return self.order[0]

    def _largest(self) -> agg.Aggregate:
        self._refuse_order()
        arguments = self.arguments
        if len(arguments) != 2 or not (isinstance(arguments[1], exp.Literal) and arguments[1].is_int):
            raise wrong(self.node, "TOP: wrong arguments", "TOP(expression, rank), the rank a number ≥ 1")
        return agg.Largest(self.translate(arguments[0]), whole_number(arguments[1], arguments[1].name))

    def _percentile(self) -> agg.Aggregate:
        """PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x), or QUANTILE(x, p)."""
        discrete, descending = PERCENTILES[self.name], False
        if self.order:
            self._check_number(len(self.arguments) == 1, "a fraction, and WITHIN GROUP (ORDER BY expression)")
            key, fraction = self._only_key(), self.arguments[0]
            argument, descending = key.this, bool(key.args.get("descending"))
        else:
            self._check_number(len(self.arguments) == 2, "an expression and a fraction, or WITHIN GROUP (ORDER BY …)")
            argument, fraction = self.arguments
        if discrete and descending:
            raise wrong(self.order[0], f"{self.name}: DESC is not offered", "ORDER BY without DESC")
        if not isinstance(fraction, exp.Literal) or fraction.is_string:
            raise wrong(fraction, f"{self.name}: the fraction is no number", "a number from 0 to 1")
        part = agg.decimal_fraction(fraction.name)
        return agg.Percentile(self.translate(argument), 1 - part if descending else part, discrete)

    def _end(self) -> agg.Aggregate:
        """FIRST_VALUE(x ORDER BY t) is MIN_BY(x, t)."""
        if not self.order:
            raise wrong(self.node, f"{self.name}: first and last in which order?", f"{self.name}(x ORDER BY time)")
        self._check_number(len(self.arguments) == 1, "one argument and ORDER BY")
        key = self._only_key()
        greatest = ENDS[self.name] != bool(key.args.get("descending"))
        return agg.ExtremeBy(self.translate(self.arguments[0]), self.translate(key.this), greatest)

    def _listed(self) -> agg.Aggregate:
        """STRING_AGG(x, separator ORDER BY …) or ARRAY_AGG(x ORDER BY …)."""
        separator = self._separator() if self.name in JOINED_TEXTS else None
        if separator is None:
            self._check_number(len(self.arguments) == 1, "one argument")
        argument = self.translate(self.arguments[0])
        by = [self.translate(item.this) for item in self.order]
        keys = [sort_key(i, item) for i, item in enumerate(self.order, 1)]
        return agg.Listed(argument, separator, tuple(by), tuple(keys))

    def _separator(self) -> str:
        self._check_number(len(self.arguments) in (1, 2), "a text and a separator")
        if len(self.arguments) == 1 and self.name == "STRING_AGG":
            raise wrong(self.node, "STRING_AGG: no separator", "STRING_AGG(text, separator)")
        separator = self.arguments[1] if len(self.arguments) > 1 else exp.Literal.string(",")
        if not isinstance(separator, exp.Literal) or not separator.is_string:
            raise wrong(separator, f"{self.name}: the separator is no constant", "a text in single quotes")
        return str(separator.this)


def sort_key(column: int, item: Sorted) -> SortKey:
    """A column with the direction that an item of ORDER BY says."""
    nulls = item.args.get("nulls")
    return SortKey(column, bool(item.args.get("descending")), None if nulls is None else nulls == "LAST")
