"""What an optimizer of SQL did to a text, and what such an optimizer is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from sqlglot import parse_one
from sqlglot.errors import SqlglotError

from equivalence.fuzzing.relational_schema import RelationalSchema


@lru_cache(256)
def normal(text: str) -> str:
    """The text as sqlglot writes it, if it can read it: two texts that differ in spelling alone are one.

    >>> normal("select a  from t where a not in (1)")
    'SELECT a FROM t WHERE NOT a IN (1)'
    """
    try:
        return parse_one(text).sql()
    except SqlglotError:
        return text


@dataclass(frozen=True)
class Way:
    """A rule, and what comes before it: nothing but what it needs, or all rules that come before it in their order."""

    rule: str
    in_order: bool = False


@dataclass(frozen=True)
class Rewrite:
    """One application of a rule: the text before it, and the text after it or why there is none."""

    way: Way
    before: str
    after: str | None = None
    error: str | None = None

    @property
    def fired(self) -> bool:
        return self.error is not None or self.before != self.after


def rewritten(way: Way, sql: str, after: str) -> Rewrite:
    """What a rule wrote, if it wrote anything."""
    text = after.strip().rstrip(";")
    return Rewrite(way, normal(sql), normal(text)) if text else Rewrite(way, sql, error="ValueError: the text is empty")


class SqlOptimizer(Protocol):
    """An optimizer from text to text, whose rules can be told apart."""

    name: str
    version: str

    @property
    def ways(self) -> tuple[Way, ...]:
        """All that is tried of it."""
        ...

    def rewrites(self, sql: str, schema: RelationalSchema, wanted: Sequence[Way]) -> Iterator[Rewrite]:
        """What each of these ways makes of a query."""
        ...

    def reproduction(self, way: Way, sql: str, schema: RelationalSchema) -> list[str]:
        """Lines of Python without snapeq that set `before` and `after` to the texts of the rewrite."""
        ...
