"""Rows that meet: a row that fulfils the conditions which link it to rows of its own or other sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from equivalence.cases.choices import Choices
from equivalence.cases.directed.resolve import Condition
from equivalence.cases.directed.solutions import passes, solutions, with_value
from semantics import Row
from semantics.expression import Ref, refs


@dataclass(frozen=True)
class Link:
    """A condition on several rows, and which of them is to be made."""

    condition: Condition
    place: int

    @property
    def others(self) -> tuple[str, ...]:
        """The sources of the rows that must be there before."""
        return self.condition.sources[: self.place] + self.condition.sources[self.place + 1 :]

    def rows(self, row: Row, partners: Mapping[str, Row]) -> list[Row]:
        rows = [partners[source] for source in self.others]
        return [*rows[: self.place], row, *rows[self.place :]]


def links_of(name: str, conditions: Sequence[Condition]) -> list[Link]:
    """The conditions that a row of this source takes part in, once for each of its places in them."""
    return [Link(c, place) for c in conditions for place, source in enumerate(c.sources) if source == name]


def partner_row(choices: Choices, row: Row, links: Sequence[Link], partners: Mapping[str, Row]) -> Row:
    """The row changed in a column for each link, such that it meets the partners, or nearly does."""
    solved: set[int] = set()
    first = choices.below(len(links))
    for link in (*links[first:], *links[:first]):
        row = _meeting(choices, row, link, partners, solved)
    return row


def _meeting(choices: Choices, row: Row, link: Link, partners: Mapping[str, Row], solved: set[int]) -> Row:
    rows = link.rows(row, partners)
    before = sum(len(other) for other in rows[: link.place])
    own = range(before, before + len(row))
    columns = [ref for ref in dict.fromkeys(refs(link.condition.expression)) if ref.index in own]
    open_columns = [ref for ref in columns if ref.index - before not in solved]
    if not open_columns:
        return row
    column = choices.of(open_columns)
    solved.add(column.index - before)
    made = _solved(choices, link.condition, tuple(value for other in rows for value in other), column)
    return made[own.start : own.stop]


def _solved(choices: Choices, condition: Condition, whole: Row, column: Ref) -> Row:
    """The rows with another value in this column: mostly the condition then holds."""
    tried = [with_value(whole, column.index, v) for v in solutions(condition.expression, whole, column)]
    holding = [row for row in tried if passes(condition.expression, row)]
    if not tried:
        return whole
    return choices.of(tried) if not holding or choices.chance(1, 4) else choices.of(holding)
