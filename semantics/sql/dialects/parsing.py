"""What streaming SQL adds to the grammars of sqlglot, for all dialects alike: subclasses of their parsers mix it in.

Functions are read by their names only. What they mean is for the language to say, so none becomes a node of its own,
apart from those with a syntax of their own, as CAST and EXTRACT.
"""

import re
from typing import Any, ClassVar, Final

from sqlglot import Token, TokenType, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.parser import Parser

from semantics.sql.dialects.nodes import TableArgument
from semantics.sql.dialects.refusals import PATTERNS, Refused
from semantics.sql.errors import SqlError

SPECIAL_SYNTAX = (
    "CAST",
    "TRY_CAST",
    "SAFE_CAST",
    "EXTRACT",
    "TRIM",
    "SUBSTRING",
    "POSITION",
    "OVERLAY",
    "FLOOR",
    "CEIL",
)
WORDS_OF_FUNCTIONS = (TokenType.WINDOW, TokenType.SESSION)
"""Keywords that are names, too."""


def without_arrows(lambdas: dict[Any, Any]) -> dict[Any, Any]:
    """What a parser takes for functions as arguments, where `f(j -> 'a')` is about a part of j."""
    return {kind: read for kind, read in lambdas.items() if kind != TokenType.ARROW}


class StreamingSyntax(Parser):
    """Tables as arguments, windows as functions, and names of functions as they stand."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        **{name: Parser.FUNCTION_PARSERS[name] for name in SPECIAL_SYNTAX},
        "JSON_VALUE": lambda self: self._json_value(),
    }
    FUNC_TOKENS = Parser.FUNC_TOKENS | {TokenType.TABLE}
    NO_PAREN_FUNCTIONS: ClassVar[dict[Any, Any]] = {
        **Parser.NO_PAREN_FUNCTIONS,
        TokenType.LOCALTIMESTAMP: exp.Localtimestamp,
    }

    def _json_value(self) -> exp.Expr:
        """JSON_VALUE(text, path [RETURNING type] [NULL ON EMPTY] [NULL ON ERROR])"""
        found = self._parse_json_value(json_path=False)
        handling = found.args.get("on_condition")
        odd = [v for v in (handling.args.values() if handling is not None else ()) if v and not _is_null(v)]
        if odd:
            raise Refused("JSON_VALUE with ERROR or DEFAULT", "what is missing is NULL here", self._prev.start)
        made = exp.Anonymous(this="JSON_VALUE", expressions=[found.this, found.args["path"]])
        type_ = found.args.get("returning")
        return made if not type_ else exp.TryCast(this=made, to=type_)

    def _parse_lambda(self, alias: bool = False) -> exp.Expr | None:
        """An argument: also `TABLE t PARTITION BY k`, and either behind a name and `=>`."""
        if self._next and self._next.token_type == TokenType.FARROW:
            name = self._parse_id_var(any_token=True)
            if name is None or not self._match(TokenType.FARROW):
                self.raise_error("Expecting a name before =>")
            return self.expression(exp.Kwarg(this=name, expression=self._parse_lambda()))
        if self._is_table_argument():
            return self._table_argument()
        return super()._parse_lambda(alias=alias)

    def _parse_types(self, *arguments: Any, **options: Any) -> exp.Expr | None:
        """ROW<a INT> and ROW(a INT) are types as STRUCT<a INT> is."""
        token = self._curr
        opening = self._next and self._next.token_type in (TokenType.LT, TokenType.L_PAREN)
        in_cast = self._prev and self._prev.token_type == TokenType.ALIAS
        if token and opening and in_cast and token.text.upper() == "ROW" and token.token_type != TokenType.STRUCT:
            struct = Token(TokenType.STRUCT, "STRUCT", token.line, token.col, token.start, token.end, token.comments)
            self._tokens[self._index] = self._curr = struct
        return super()._parse_types(*arguments, **options)

    def _is_table_argument(self) -> bool:
        if not self._match(TokenType.TABLE, advance=False):
            return False
        if not self._next or self._next.token_type != TokenType.L_PAREN:
            return bool(self._next)
        inside = self._tokens[self._index + 2 : self._index + 3]
        return bool(inside) and inside[0].token_type in (TokenType.SELECT, TokenType.WITH)

    def _table_argument(self) -> TableArgument:
        self._match(TokenType.TABLE)
        wrapped = self._match(TokenType.L_PAREN, advance=False)
        table = self._parse_wrapped(self._parse_select) if wrapped else self._parse_table_parts()
        table = exp.Subquery(this=table) if wrapped else table
        keys = self._keys() if self._match(TokenType.PARTITION_BY) else []
        return self.expression(TableArgument(this=table, keys=keys))

    def _keys(self) -> list[exp.Expr]:
        """The columns behind PARTITION BY; the comma behind the last one begins the next argument."""
        wrapped = self._match(TokenType.L_PAREN)
        keys = [self._parse_column()]
        while self._match(TokenType.COMMA, advance=False) and (wrapped or self._is_key_behind_comma()):
            self._advance()
            keys.append(self._parse_column())
        if wrapped:
            self._match_r_paren()
        return [key for key in keys if key is not None]

    def _is_key_behind_comma(self) -> bool:
        """Is it a name, and neither a call, nor INTERVAL, nor the name of an argument?"""
        ahead = self._tokens[self._index + 1 : self._index + 3]
        if len(ahead) < 2 or ahead[0].token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
            return False
        return ahead[1].token_type in (TokenType.COMMA, TokenType.R_PAREN)


def _is_null(handling: object) -> bool:
    return isinstance(handling, str) and handling.startswith("NULL")


def chunks_of(text: str, dialect: Dialect) -> list[list[Token]]:
    """The statements of a text as tokens, those that are empty left out."""
    try:
        tokens = dialect.tokenize(text)
    except TokenError as error:
        raise SqlError(f"this cannot be read: {str(error).splitlines()[0]}", "closed quotes and comments") from None
    chunks: list[list[Token]] = [[]]
    for i, token in enumerate(tokens):
        if token.token_type == TokenType.SEMICOLON:
            chunks.append([])
        else:
            chunks[-1].append(_as_name(token, tokens[i + 1 : i + 3]))
    return [chunk for chunk in chunks if chunk]


def _as_name(token: Token, following: list[Token]) -> Token:
    """`window` is a name like others, of a function or a column, but in the clause `WINDOW w AS`."""
    if token.token_type not in WORDS_OF_FUNCTIONS:
        return token
    if len(following) == 2 and following[1].token_type == TokenType.ALIAS and following[0].token_type == TokenType.VAR:
        return token
    return Token(TokenType.VAR, token.text, token.line, token.col, token.start, token.end, token.comments)


def parsed(chunk: list[Token], text: str, dialect: Dialect) -> exp.Expr:
    """The tree of one query, given as its tokens."""
    for token in chunk:
        if token.text.upper() == "MATCH_RECOGNIZE":
            raise Refused("MATCH_RECOGNIZE", PATTERNS, token.start)
    try:
        (tree,) = dialect.parser().parse(chunk, text)
    except ParseError as error:
        raise _told(error, chunk) from None
    if tree is None:
        raise SqlError("there is no query", "SELECT or WITH", chunk[0].start)
    return tree


def parsed_expression(chunk: list[Token], text: str, dialect: Dialect) -> exp.Expr:
    """The tree of one expression, given as its tokens."""
    select = Token(TokenType.SELECT, "SELECT", 1, 1, chunk[0].start, chunk[0].start)
    return unaliased(parsed([select, *chunk], text, dialect).expressions[0])


def unaliased(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Alias) else node


_PLAIN_WORDS: Final = (
    (re.compile(r"Required keyword: .* missing for <class .*>"), "something is missing"),
    (re.compile(r" but got <Token .*>"), ""),
    (re.compile(r"Invalid expression / Unexpected token"), "a word that nobody expects"),
)


def _told(error: ParseError, chunk: list[Token]) -> SqlError:
    """sqlglot's place, and its words without names of its classes."""
    first = error.errors[0] if error.errors else {}
    line, column = first.get("line"), first.get("col")
    place = next((token for token in chunk if (token.line, token.col) == (line, column)), chunk[-1])
    what = str(first.get("description") or error).rstrip(".")
    for own_words, plain in _PLAIN_WORDS:
        what = own_words.sub(plain, what)
    return SqlError(f"{what} at {place.text}", "a query of this dialect", place.start)
