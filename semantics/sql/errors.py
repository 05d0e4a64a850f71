"""What a wrong text is told: the place, what is wrong there, and what would be right."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlglot import exp

from semantics.errors import SnapeqError
from semantics.how_many import how_many


class SqlError(SnapeqError):
    """A text that is none of the language; line and column count from 1."""

    def __init__(self, problem: str, expected: str, offset: int = 0, text: str = "") -> None:
        before = text[:offset]
        self.problem = problem
        self.expected = expected
        self.offset = offset
        self.line = before.count("\n") + 1
        self.column = offset - (before.rfind("\n") + 1) + 1
        super().__init__(f"line {self.line}, column {self.column}: {problem}; expected {expected}")

    def within(self, text: str) -> "SqlError":
        """The same error, with its line and column in this text."""
        return SqlError(self.problem, self.expected, self.offset, text)


def wrong(node: exp.Expr, problem: str, expected: str) -> SqlError:
    """An error at the place of a node."""
    return SqlError(problem, expected, place(node))


def wrong_names(node: exp.Expr, names: int, columns: int) -> SqlError:
    """A list of names that is too long or too short for its columns."""
    return wrong(node, f"{how_many(names, 'name')} for {how_many(columns, 'column')}", how_many(columns, "name"))


def place(node: exp.Expr) -> int:
    """Where the text of a node begins."""
    starts = [part.meta["start"] for part in node.walk() if "start" in part.meta]
    return min(starts, default=0)


@contextmanager
def blaming(node: exp.Expr, expected: str) -> Iterator[None]:
    """Let what plans and expressions refuse name the place in the text."""
    try:
        yield
    except SqlError:
        raise
    except SnapeqError as error:
        raise wrong(node, _in_sql(str(error)), expected) from None


def _in_sql(message: str) -> str:
    """Plans call some types by other names than the language does."""
    return re.sub(r"\bBOOL\b", "BOOLEAN", re.sub(r"\bSTR\b", "TEXT", message))


def one_of(options: Iterable[str]) -> str:
    """A list of what would be valid, in the order given, each once.

    >>> one_of(["a", "b", "a"]), one_of(["a"])
    ('one of: a, b', 'a')
    """
    unique = list(dict.fromkeys(options))
    return unique[0] if len(unique) == 1 else f"one of: {', '.join(unique)}"
