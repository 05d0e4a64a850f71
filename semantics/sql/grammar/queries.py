"""Queries: SELECT, set operations, WITH, ISTREAM and its kin."""

import itertools
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from sqlglot import exp

from semantics.sql.grammar.expressions import STREAM_FUNCTIONS
from semantics.sql.grammar.limits import LimitGrammar
from semantics.sql.grammar.nodes import Block, Grouped, Prefixed, Relations, Streamed, Values

ADDING: Final[dict[str, type[exp.SetOperation]]] = {"UNION": exp.Union, "EXCEPT": exp.Except}
MULTIPLYING: Final[dict[str, type[exp.SetOperation]]] = {"INTERSECT": exp.Intersect}

MOST_PARTS_OF_A_CUBE: Final = 8
"""Each part doubles the plan."""


class QueryGrammar(LimitGrammar):
    def query(self) -> exp.Expr:
        """[WITH name AS (query), …] term {(UNION | EXCEPT) [ALL | DISTINCT] term} [ORDER BY …] [LIMIT …]"""
        start = self._curr
        names = self.listed(self._named) if self.accept("WITH") else []
        found = self.limited(start, self._operations(ADDING, lambda: self._operations(MULTIPLYING, self._term)))
        return self.at(start, Prefixed(this=found, expressions=names)) if names else found

    @abstractmethod
    def relations(self) -> Relations:
        """The grammar of FROM says how."""

    def _named(self) -> exp.CTE:
        name = self.name()
        self.need("AS")
        return exp.CTE(this=self.wrapped(self.query), alias=name)

    def _operations(self, kinds: dict[str, type[exp.SetOperation]], term: Callable[[], exp.Expr]) -> exp.Expr:
        """Terms with set operations between them, from left to right; without ALL these are distinct."""
        left = term()
        while self._curr and self.is_word(*kinds):
            start = self.take()
            every = self.accept("ALL")
            if not every:
                self.accept("DISTINCT")
            operation = kinds[start.text.upper()](this=left, expression=term(), distinct=not every)
            left = self.at(start, operation)
        return left

    def _term(self) -> exp.Expr:
        """SELECT …, VALUES …, ISTREAM(query), or a query in parentheses"""
        start = self._curr
        if self.is_word("("):
            return self.wrapped(self.query)
        if self.is_call(*STREAM_FUNCTIONS):
            return self.at(start, self.streamed())
        if self.is_call("VALUES"):
            self.need("VALUES")
            return self.at(start, Values(expressions=self.listed(self._row_of_values)))
        return self.at(start, self._block())

    def _row_of_values(self) -> exp.Tuple:
        start = self._curr
        if self.is_call("ROW"):
            return self.at(start, exp.Tuple(expressions=self._row()))
        return self.at(start, exp.Tuple(expressions=self.wrapped(lambda: self.listed(self.expression_))))

    def streamed(self) -> Streamed:
        kind = self.take().text.upper()
        return Streamed(this=self.wrapped(self.query), kind=kind)

    def _block(self) -> Block:
        self.need("SELECT")
        distinct = self.accept("DISTINCT")
        if not distinct:
            self.accept("ALL")
        items = self.listed(self._item)
        relations = self.relations()
        where = _with_nested(relations, self.expression_() if self.accept("WHERE") else None)
        grouped = self._grouped() if self.is_word("GROUP") else None
        having = self.expression_() if self.accept("HAVING") else None
        qualify = self.ranked() if self.accept("QUALIFY") else None
        clauses = {"where": where, "grouped": grouped, "having": having, "qualify": qualify}
        return Block(distinct=distinct, expressions=items, relations=relations, **clauses)

    def _item(self) -> exp.Expr:
        """* | name.* | expression [[AS] name]"""
        start = self._curr
        if self.accept("*"):
            return self.at(start, exp.Star())
        if self._is_every_column():
            table = self.name()
            self.need(".", "*")
            return self.at(start, exp.Column(this=exp.Star(), table=table))
        return self.at(start, self.aliased(self.expression_()))

    def _is_every_column(self) -> bool:
        """Does `name.*` stand here?"""
        ahead = [token.text for token in self._tokens[self._index + 1 : self._index + 3]]
        return ahead == [".", "*"]

    def aliased(self, node: exp.Expr) -> exp.Expr:
        alias = self.alias()
        return exp.Alias(this=node, alias=alias) if alias else node

    def _grouped(self) -> Grouped:
        """GROUP BY [element, …]: each element is a list of sets of keys, and all of them are combined."""
        start = self.need("GROUP")
        self.need("BY")
        elements = self.listed(self._grouping)
        keys: list[exp.Expr] = []
        sets = [list(itertools.chain(*chosen)) for chosen in itertools.product(*elements)]
        positions = [[_position(key, keys) for key in one] for one in sets]
        several = positions if len(positions) > 1 else None
        return self.at(start, Grouped(expressions=keys, sets=several))

    def _grouping(self) -> list[list[exp.Expr]]:
        """ROLLUP (part, …) | CUBE (part, …) | GROUPING SETS (grouping, …) | part"""
        if self.is_call("ROLLUP"):
            self.need("ROLLUP")
            parts = self.wrapped(lambda: self.listed(self._keys))
            return [list(itertools.chain(*parts[:n])) for n in range(len(parts), -1, -1)]
        if self.is_call("CUBE"):
            self.need("CUBE")
            parts = self.wrapped(lambda: self.listed(self._keys))
            if len(parts) > MOST_PARTS_OF_A_CUBE:
                most = f"at most {MOST_PARTS_OF_A_CUBE} parts"
                raise self.unexpected(f"CUBE of {len(parts)} parts has {2 ** len(parts):,} grouping sets", most)
            kept = itertools.product((True, False), repeat=len(parts))
            return [list(itertools.chain(*itertools.compress(parts, choice))) for choice in kept]
        if self.is_word("GROUPING") and self._next and self._next.text.upper() == "SETS":
            self.need("GROUPING", "SETS")
            return list(itertools.chain(*self.wrapped(lambda: self.listed(self._grouping))))
        return [self._keys()]

    def _keys(self) -> list[exp.Expr]:
        """() | (expression, …) | expression"""
        if self.is_word("(") and self._next and self._next.text == ")":
            self.need("(", ")")
            return []
        key = self.expression_()
        return list(key.expressions) if isinstance(key, exp.Tuple) else [key]

    def alias(self) -> exp.Identifier | None:
        """[AS] name"""
        if self.accept("AS") or (self.is_name() and not self._limits()):
            return self.name()
        return None

    def _limits(self) -> bool:
        """FETCH and OFFSET are no reserved words: they are clauses only before what stands behind them there."""
        following = self._next.text.upper() if self._next else ""
        return (self.is_word("FETCH") and following in ("FIRST", "NEXT")) or (
            self.is_word("OFFSET") and following.isdigit()
        )


def _with_nested(relations: Relations, where: exp.Expr | None) -> exp.Expr | None:
    """WHERE and what inner joins demand with a subquery: both mean the same, and in WHERE it is unnested."""
    for chain in relations.expressions:
        inner = all(joining.args["kind"] in ("INNER", "CROSS") for joining in chain.expressions)
        for joining in chain.expressions if inner else []:
            on = joining.args.get("on")
            if on is not None and on.find(Block):
                joining.set("kind", "CROSS")
                joining.set("on", None)
                where = exp.And(this=where, expression=on) if where else on
    return where


def _position(key: exp.Expr, keys: list[exp.Expr]) -> int:
    """Where a key stands among all keys; it is added if it is new."""
    if key not in keys:
        keys.append(key)
    return keys.index(key)
