"""Expressions: OR, AND, NOT, one comparison or predicate, ||, + -, * / %, signs, and what stands alone."""

import itertools
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from sqlglot import TokenType, exp

from semantics.sql.grammar.base import Unexpected
from semantics.sql.grammar.calls import CallGrammar
from semantics.sql.grammar.nodes import ArrayOf, RowOf
from semantics.sql.grammar.type_names import TypeGrammar

COMPARISONS: Final[dict[str, type[exp.Binary]]] = {
    "=": exp.EQ,
    "<>": exp.NEQ,
    "!=": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
}
SUMS: Final[dict[str, type[exp.Binary]]] = {"+": exp.Add, "-": exp.Sub}
PRODUCTS: Final[dict[str, type[exp.Binary]]] = {"*": exp.Mul, "/": exp.Div, "%": exp.Mod}
STREAM_FUNCTIONS: Final = ("ISTREAM", "DSTREAM", "RSTREAM")


class ExpressionGrammar(CallGrammar, TypeGrammar):
    def expression_(self) -> exp.Expr:
        """disjunction ::= conjunction {OR conjunction}"""
        start, left = self._curr, self._conjunction()
        while self.accept("OR"):
            left = self.at(start, exp.Or(this=left, expression=self._conjunction()))
        return left

    @abstractmethod
    def query(self) -> exp.Expr:
        """The grammar of queries says how."""

    @abstractmethod
    def over(self, call: exp.Anonymous) -> exp.Expr:
        """OVER behind a call: the grammar of orders says how."""

    def starts_query(self) -> bool:
        """Does a query begin here, perhaps inside further parentheses?"""
        ahead = itertools.dropwhile(lambda token: token.token_type == TokenType.L_PAREN, self._tokens[self._index :])
        first, second = next(ahead, None), next(ahead, None)
        if first is None or first.token_type in (TokenType.SELECT, TokenType.WITH):
            return first is not None
        is_stream = first.token_type == TokenType.VAR and first.text.upper() in (*STREAM_FUNCTIONS, "VALUES")
        return is_stream and second is not None and second.token_type == TokenType.L_PAREN

    def _conjunction(self) -> exp.Expr:
        start, left = self._curr, self._inversion()
        while self.accept("AND"):
            left = self.at(start, exp.And(this=left, expression=self._inversion()))
        return left

    def _inversion(self) -> exp.Expr:
        start = self._curr
        if self.accept("NOT"):
            return self.at(start, exp.Not(this=self._inversion()))
        return self._predicate()

    def _predicate(self) -> exp.Expr:
        """A ranged sum, perhaps compared with another one, perhaps with IS behind it."""
        start, left = self._curr, self._ranged()
        for sign, kind in COMPARISONS.items():
            if self.accept(sign):
                left = self.at(start, kind(this=left, expression=self._compared()))
                break
        while self.accept("IS"):
            left = self._is(left)
        return left

    def _ranged(self) -> exp.Expr:
        """A sum, or a sum with IN, LIKE or BETWEEN behind it: these bind closer than comparisons."""
        start, left = self._curr, self.concatenation()
        if self.accept("NOT"):
            if not self.is_word("IN", "LIKE", "BETWEEN"):
                raise self.unexpected()
            return self.at(start, exp.Not(this=self._range(left)))
        return self._range(left)

    def _compared(self) -> exp.Expr:
        """ranged | ANY (query) | SOME (query) | ALL (query)"""
        start = self._curr
        if self.accept("ALL"):
            return self.at(start, exp.All(this=self.wrapped(self.query)))
        if self.accept("ANY") or self.accept("SOME"):
            return self.at(start, exp.Any(this=self.wrapped(self.query)))
        return self._ranged()

    def _is(self, left: exp.Expr) -> exp.Expr:
        start, negated = self._prev, self.accept("NOT")
        found: exp.Expr
        if self.accept("DISTINCT", "FROM"):
            found = self.at(start, exp.NullSafeNEQ(this=left, expression=self.concatenation()))
        elif self.is_word("NULL", "TRUE", "FALSE"):
            found = self.at(start, exp.Is(this=left, expression=self._alone()))
        else:
            raise self.unexpected()
        return self.at(start, exp.Not(this=found)) if negated else found

    def _range(self, left: exp.Expr) -> exp.Expr:
        start = self._curr
        if self.accept("IN"):
            return self.at(start, self._in(left))
        if self.accept("LIKE"):
            like = self.at(start, exp.Like(this=left, expression=self.concatenation()))
            return self.at(start, exp.Escape(this=like, expression=self._text())) if self.accept("ESCAPE") else like
        if self.accept("BETWEEN"):
            low = self.concatenation()
            self.need("AND")
            return self.at(start, exp.Between(this=left, low=low, high=self.concatenation()))
        return left

    def _in(self, left: exp.Expr) -> exp.In:
        if self._next and self.is_word("(") and self.starts_query():
            return exp.In(this=left, query=self.wrapped(self.query))
        return exp.In(this=left, expressions=self.wrapped(lambda: self.listed(self.expression_)))

    def _text(self) -> exp.Expr:
        if not self.is_kind(TokenType.STRING):
            raise self.unexpected()
        return self._alone()

    def concatenation(self) -> exp.Expr:
        return self._chain({"||": exp.DPipe}, self._sum)

    def _sum(self) -> exp.Expr:
        return self._chain(SUMS, self._product)

    def _product(self) -> exp.Expr:
        return self._chain(PRODUCTS, self._signed)

    def _chain(self, signs: dict[str, type[exp.Binary]], operand: Callable[[], exp.Expr]) -> exp.Expr:
        """Operands with signs between them, from left to right."""
        start, left = self._curr, operand()
        while self._curr and self.is_word(*signs):
            kind = signs[self.take().text]
            left = self.at(start, kind(this=left, expression=operand()))
        return left

    def _signed(self) -> exp.Expr:
        start = self._curr
        if self.accept("-"):
            return self.at(start, exp.Neg(this=self._signed()))
        found = self._part_of(self._alone())
        while self.accept("::"):
            found = self._part_of(self.at(start, exp.Cast(this=found, to=self.type_name())))
        return found

    def _part_of(self, found: exp.Expr) -> exp.Expr:
        """What is in parentheses, a column, a call or an array may have .field and [position] behind it."""
        start = self._curr
        whole = (exp.Paren, exp.Column, exp.Anonymous, exp.Dot, exp.Bracket, ArrayOf, RowOf)
        while isinstance(found, whole) and not (isinstance(found, exp.Column) and isinstance(found.this, exp.Star)):
            if self.is_word("."):
                self.take()
                found = self.at(start, exp.Dot(this=found, expression=self.name()))
            elif self.is_word("["):
                self.take()
                found = self.at(start, exp.Bracket(this=found, expressions=[self.expression_()]))
                self.need("]")
            else:
                break
        return found

    def _alone(self) -> exp.Expr:
        """A constant, a column, a call, CASE, EXISTS, or anything in parentheses."""
        start = self._curr
        if self.is_word("("):
            return self.at(start, self._parenthesised())
        if self.is_word("CASE"):
            return self.at(start, self._case())
        if self.accept("EXISTS"):
            return self.at(start, exp.Exists(this=self.wrapped(self.query)))
        if self.is_name() or self.is_called() or self._is_aggregate_word():
            return self.at(start, self._column_or_call())
        return self.at(start, self._constant())

    def _parenthesised(self) -> exp.Expr:
        if self.is_query():
            return exp.Subquery(this=self.wrapped(self.query))
        parts = self.wrapped(lambda: self.listed(self.expression_))
        return exp.Paren(this=parts[0]) if len(parts) == 1 else exp.Tuple(expressions=parts)

    def is_query(self) -> bool:
        """Does `(query)` stand here?"""
        if not self.starts_query():
            return False
        # A trial takes as long as the query itself, so trials within trials would double the time with every level.
        return self._next.token_type != TokenType.L_PAREN or self._is_query_only()

    def _is_query_only(self) -> bool:
        """Is it `((query))`, and not `((query) + 1)`? Only a trial can tell."""
        index = self._index
        try:
            self.wrapped(self.query)
        except Unexpected:
            return False
        finally:
            self._retreat(index)
        return True

    def _constant(self) -> exp.Expr:
        kinds = (TokenType.NUMBER, TokenType.STRING, TokenType.NULL, TokenType.TRUE, TokenType.FALSE)
        if not self.is_kind(*kinds):
            raise self.unexpected()
        token = self.take()
        if token.token_type == TokenType.STRING:
            return exp.Literal.string(token.text)
        if token.token_type == TokenType.NUMBER:
            return exp.Literal.number(token.text)
        return (
            exp.Null() if token.token_type == TokenType.NULL else exp.Boolean(this=token.token_type == TokenType.TRUE)
        )

    def _case(self) -> exp.Case:
        self.need("CASE")
        operand = None if self.is_word("WHEN") else self.expression_()
        branches = [self._branch()]
        while self.is_word("WHEN"):
            branches.append(self._branch())
        default = self.expression_() if self.accept("ELSE") else None
        self.need("END")
        return exp.Case(this=operand, ifs=branches, default=default)

    def _branch(self) -> exp.If:
        self.need("WHEN")
        condition = self.expression_()
        self.need("THEN")
        return exp.If(this=condition, true=self.expression_())

    def _column_or_call(self) -> exp.Expr:
        if self.is_call("CAST", "TRY_CAST"):
            return self._cast()
        if self.is_text_with_type():
            return self.text_with_type()
        if self.is_word("ARRAY") and self._next and self._next.token_type == TokenType.L_BRACKET:
            return self._array()
        if self.is_call("ROW"):
            return RowOf(expressions=self._row())
        if self.is_called() or self._is_aggregate_word():
            call = self.call_()
            return self.over(call) if self.is_call("OVER") else call
        name = self.name()
        if self.accept("."):
            return exp.Column(this=self.name(), table=name)
        return exp.Column(this=name)

    def _is_aggregate_word(self) -> bool:
        """Is it ANY or SOME as an aggregate, and not before a query?"""
        if not self.is_call("ANY", "SOME"):
            return False
        inside = self._tokens[self._index + 2 : self._index + 3]
        return not inside or inside[0].token_type not in (TokenType.SELECT, TokenType.WITH)

    def _cast(self) -> exp.Cast:
        made = exp.TryCast if self.take().text.upper() == "TRY_CAST" else exp.Cast
        self.need("(")
        operand = self.expression_()
        self.need("AS")
        kind = self.type_name()
        self.need(")")
        return made(this=operand, to=kind)

    def _array(self) -> ArrayOf:
        self.need("ARRAY", "[")
        values = [] if self.is_word("]") else self.listed(self.expression_)
        self.need("]")
        return ArrayOf(expressions=values)

    def _row(self) -> list[exp.Expr]:
        self.need("ROW")
        return self.wrapped(lambda: self.listed(self.expression_))
