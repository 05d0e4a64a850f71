"""Places in an order: ROW_NUMBER, RANK and DENSE_RANK that a query around them, or QUALIFY, compares with a number."""

from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import conjuncts
from semantics.sql.dialects.window_calls import name_of

RANKINGS: Final = ("ROW_NUMBER", "RANK", "DENSE_RANK")
MOST_PLACES: Final = 100
"""A place that is also a column makes one query for each of its values."""


@dataclass(frozen=True)
class Places:
    """A ranking and the places that are kept, counted from 1; without a last one, all from the first on."""

    ranking: exp.Window
    first: int
    last: int | None
    name: str = ""
    """The column that holds the place, if there is one."""

    @property
    def keys(self) -> list[exp.Expr]:
        return list(self.ranking.args.get("partition_by") or [])

    def condition(self, place: int | None = None) -> exp.Expr:
        """What QUALIFY says in this language: places do not depend on frames."""
        ranking = self.ranking.copy()
        ranking.set("spec", None)
        first, last = (self.first, self.last) if place is None else (place, place)
        if last is None:
            return exp.GTE(this=ranking, expression=exp.Literal.number(first))
        if first == last:
            return exp.EQ(this=ranking, expression=exp.Literal.number(first))
        if first <= 1:
            return exp.LTE(this=ranking, expression=exp.Literal.number(last))
        return exp.Between(this=ranking, low=exp.Literal.number(first), high=exp.Literal.number(last))


def is_ranking(node: exp.Expr) -> bool:
    return isinstance(node, exp.Window) and name_of(node.this) in RANKINGS


def places_in(condition: exp.Expr | None, rankings: dict[str, exp.Window]) -> tuple[Places | None, list[exp.Expr]]:
    """The places that a condition keeps of one of these rankings, and the rest of the condition."""
    rest: list[exp.Expr] = []
    bounds: dict[str, tuple[exp.Window, int, int | None]] = {}
    for part in conjuncts(condition):
        found = _bounds(part, rankings)
        if found is None or (bounds and found[0] not in bounds):
            rest.append(part)
            continue
        name, ranking, first, last = found
        _, least, most = bounds.get(name, (ranking, 1, None))
        ends = [end for end in (most, last) if end is not None]
        bounds[name] = (ranking, max(first, least), min(ends) if ends else None)
    if not bounds:
        return None, rest
    ((name, (ranking, first, last)),) = bounds.items()
    return Places(ranking, first, last, name), rest


def _bounds(part: exp.Expr, rankings: dict[str, exp.Window]) -> tuple[str, exp.Window, int, int | None] | None:
    """name, ranking, first and last place of one comparison."""
    while isinstance(part, exp.Paren):
        part = part.this
    if isinstance(part, exp.Between):
        found = _ranking(part.this, rankings)
        low, high = _number(part.args["low"]), _number(part.args["high"])
        return None if found is None or low is None or high is None else (*found, low, high)
    flipped = {exp.LTE: exp.GTE, exp.LT: exp.GT, exp.GTE: exp.LTE, exp.GT: exp.LT, exp.EQ: exp.EQ}
    kind = type(part)
    if kind not in flipped:
        return None
    found, number = _ranking(part.this, rankings), _number(part.expression)
    if found is None:
        found, number, kind = _ranking(part.expression, rankings), _number(part.this), flipped[kind]
    if found is None or number is None:
        return None
    first, last = {
        exp.LTE: (1, number),
        exp.LT: (1, number - 1),
        exp.EQ: (number, number),
        exp.GTE: (number, None),
        exp.GT: (number + 1, None),
    }[kind]
    return (*found, first, last)


def _ranking(node: exp.Expr, rankings: dict[str, exp.Window]) -> tuple[str, exp.Window] | None:
    if isinstance(node, exp.Window) and is_ranking(node):
        return "", node
    if isinstance(node, exp.Column) and node.name.lower() in rankings:
        return node.name.lower(), rankings[node.name.lower()]
    return None


def _number(node: exp.Expr) -> int | None:
    while isinstance(node, exp.Paren | exp.Cast):
        node = node.this
    return int(node.name) if isinstance(node, exp.Literal) and node.is_int else None
