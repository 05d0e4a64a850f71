"""The words and signs of the language: all reserved ones are here, every other word may be a name."""

from typing import ClassVar, Final

from sqlglot import TokenType, tokens

RESERVED: Final = (
    "SELECT DISTINCT FROM WHERE GROUP HAVING AS WITH UNION INTERSECT EXCEPT ALL ANY SOME EXISTS AND OR NOT NULL TRUE"
    " FALSE IN IS LIKE ESCAPE BETWEEN CASE WHEN THEN ELSE END JOIN INNER LEFT RIGHT FULL OUTER CROSS SEMI ANTI ON"
    " NATURAL USING WINDOW CREATE TABLE SET QUALIFY ORDER LIMIT"
).split()

SIGNS: Final = ("<>", "!=", "<=", ">=", "::", "||")

_KINDS: Final = {"GROUP": TokenType.GROUP_BY, "ORDER": TokenType.ORDER_BY}


class Words(tokens.Tokenizer):
    """sqlglot's tokenizer with only the keywords of this language; everything else is a name."""

    KEYWORDS = {  # noqa: RUF012  # sqlglot asks for a plain attribute
        word: _KINDS.get(word) or tokens.Tokenizer.KEYWORDS[word] for word in (*RESERVED, *SIGNS)
    }
    COMMANDS: ClassVar[set[TokenType]] = set()  # no word swallows the rest of the text
    IDENTIFIERS = ['"']  # noqa: RUF012
    QUOTES = ["'"]  # noqa: RUF012
