"""ORDER BY, LIMIT, OFFSET, FETCH and QUALIFY: the first rows in a declared order."""

from typing import Final

from sqlglot import Token, exp

from semantics.sql.grammar.expressions import ExpressionGrammar
from semantics.sql.grammar.nodes import Limited, Ranked, Sorted

RANKINGS: Final = ("ROW_NUMBER", "RANK", "DENSE_RANK")


class LimitGrammar(ExpressionGrammar):
    def limited(self, start: Token, query: exp.Expr) -> exp.Expr:
        """query [ORDER BY item, …] [LIMIT n [OFFSET m] | OFFSET m [ROWS] [FETCH …] | FETCH FIRST n ROWS …]"""
        if not self.is_word("ORDER", "LIMIT"):
            return query
        order = self._order() if self.is_word("ORDER") else []
        limit: dict[str, object] = {"count": self.number()} if self.accept("LIMIT") else {}
        if self.accept("OFFSET"):
            limit["offset"] = self.number()
            _ = self.accept("ROWS") or self.accept("ROW")
        if "count" not in limit and self.accept("FETCH"):
            limit |= self._fetched()
        return self.at(start, Limited(this=query, expressions=order, **limit))

    def _fetched(self) -> dict[str, object]:
        """(FIRST | NEXT) n (ROW | ROWS) (ONLY | WITH TIES)"""
        self._one_of("FIRST", "NEXT")
        count = self.number()
        self._one_of("ROW", "ROWS")
        ties = self.accept("WITH", "TIES")
        if not ties:
            self.need("ONLY")
        return {"count": count, "ties": ties}

    def ranked(self) -> Ranked:
        """function() OVER ([PARTITION BY …] [ORDER BY …]) (<= n | < n | = n | > n | >= n | BETWEEN n AND m)"""
        start = self._curr
        function = self._one_of(*RANKINGS).text.upper()
        self.need("(", ")", "OVER")
        partition, order = self.wrapped(self._over)
        first, last = self._places()
        places = {"first": first, "last": last}
        return self.at(start, Ranked(function=function, partition=partition, expressions=order, **places))

    def _over(self) -> tuple[list[exp.Expr], list[Sorted]]:
        partition = self.listed(self.expression_) if self.accept("PARTITION", "BY") else []
        return partition, self._order() if self.is_word("ORDER") else []

    def _places(self) -> tuple[int, int | None]:
        """The first and the last place that is kept, counted from 1."""
        if self.accept("BETWEEN"):
            first = self._whole()
            self.need("AND")
            return first, self._whole()
        sign = self._one_of("<=", "<", "=", ">=", ">").text
        place = self._whole()
        return {
            "<=": (1, place),
            "<": (1, place - 1),
            "=": (place, place),
            ">=": (place, None),
            ">": (place + 1, None),
        }[sign]

    def _order(self) -> list[Sorted]:
        self.need("ORDER", "BY")
        return self.listed(self._sorted)

    def _sorted(self) -> Sorted:
        """expression [ASC | DESC] [NULLS (FIRST | LAST)]"""
        start, by = self._curr, self.expression_()
        descending = self.accept("DESC")
        if not descending:
            self.accept("ASC")
        nulls = self._one_of("FIRST", "LAST").text.upper() if self.accept("NULLS") else None
        return self.at(start, Sorted(this=by, descending=descending, nulls=nulls))

    def _whole(self) -> int:
        index, number = self._index, self.number()
        if not number.this.isdigit():
            self._retreat(index)
            raise self.unexpected()
        return int(number.this)

    def _one_of(self, *words: str) -> Token:
        if not self.is_word(*words):
            raise self.unexpected()
        return self.take()
