"""ORDER BY, LIMIT, OFFSET, FETCH and QUALIFY: the first rows in a declared order."""

from typing import Final

from sqlglot import Token, exp

from semantics.sql.grammar.expressions import ExpressionGrammar
from semantics.sql.grammar.nodes import Duration, Limited, OverCall, Ranked, Sorted

RANKINGS: Final = ("ROW_NUMBER", "RANK", "DENSE_RANK")


class LimitGrammar(ExpressionGrammar):
    def limited(self, start: Token, query: exp.Expr) -> exp.Expr:
        """query [ORDER BY item, …] [LIMIT n [OFFSET m] | OFFSET m [ROWS] [FETCH …] | FETCH FIRST n ROWS …]"""
        if not self.is_word("ORDER", "LIMIT", "OFFSET", "FETCH"):
            return query
        order = self.order() if self.is_word("ORDER") else []
        limit: dict[str, object] = {"count": self.number()} if self.accept("LIMIT") else {}
        if self.accept("OFFSET"):
            limit["offset"] = self.number()
            _ = self.accept("ROWS") or self.accept("ROW")
        if "count" not in limit and self.accept("FETCH"):
            limit |= self._fetched()
        return self.at(start, Limited(this=query, expressions=order, **limit))

    def _fetched(self) -> dict[str, object]:
        """(FIRST | NEXT) n (ROW | ROWS) (ONLY | WITH TIES)"""
        self.one_of("FIRST", "NEXT")
        count = self.number()
        self.one_of("ROW", "ROWS")
        ties = self.accept("WITH", "TIES")
        if not ties:
            self.need("ONLY")
        return {"count": count, "ties": ties}

    def ranked(self) -> Ranked:
        """function() OVER ([PARTITION BY …] [ORDER BY …]) (<= n | < n | = n | > n | >= n | BETWEEN n AND m)"""
        start = self._curr
        function = self.one_of(*RANKINGS).text.upper()
        self.need("(", ")", "OVER")
        partition, order = self.wrapped(self._over)
        first, last = self._places()
        places = {"first": first, "last": last}
        return self.at(start, Ranked(function=function, partition=partition, expressions=order, **places))

    def over(self, call: exp.Anonymous) -> OverCall:
        """OVER ([PARTITION BY …] [ORDER BY …] [(ROWS | RANGE) frame])"""
        start = self.need("OVER", "(")
        partition, order = self._over()
        unit = self.take().text.upper() if self.is_word("ROWS", "RANGE") else None
        frame = {"unit": unit, "preceding": self._preceding(unit) if unit else None}
        self.need(")")
        return self.at(start, OverCall(this=call, partition=partition, expressions=order, **frame))

    def _preceding(self, unit: str) -> Duration | None:
        """n PRECEDING, or BETWEEN n PRECEDING AND CURRENT ROW; None where it is UNBOUNDED."""
        start, between = self._curr, self.accept("BETWEEN")
        size = None
        if not self.accept("UNBOUNDED"):
            number = self.number()
            named = self.name() if unit == "RANGE" and not self.is_word("PRECEDING") else None
            size = self.at(start, Duration(this=number, unit=named))
        self.need("PRECEDING")
        if between:
            self.need("AND", "CURRENT", "ROW")
        return size

    def _over(self) -> tuple[list[exp.Expr], list[Sorted]]:
        partition = self.listed(self.expression_) if self.accept("PARTITION", "BY") else []
        return partition, self.order() if self.is_word("ORDER") else []

    def _places(self) -> tuple[int, int | None]:
        """The first and the last place that is kept, counted from 1."""
        if self.accept("BETWEEN"):
            first = self._whole()
            self.need("AND")
            return first, self._whole()
        sign = self.one_of("<=", "<", "=", ">=", ">").text
        place = self._whole()
        return {
            "<=": (1, place),
            "<": (1, place - 1),
            "=": (place, place),
            ">=": (place, None),
            ">": (place + 1, None),
        }[sign]

    def _whole(self) -> int:
        index, number = self._index, self.number()
        if not number.this.isdigit():
            self._retreat(index)
            raise self.unexpected()
        return int(number.this)
