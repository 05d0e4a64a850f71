"""The language as a dialect of sqlglot: its tokenizer with fewer words, its parser with a stricter grammar."""

from sqlglot.dialects.dialect import Dialect

from semantics.sql.grammar.statements import Grammar
from semantics.sql.grammar.words import Words


class Snapeq(Dialect):
    Tokenizer = Words
    Parser = Grammar
