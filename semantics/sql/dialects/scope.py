"""What names of relations mean while a query is translated, and what the whole script shares."""

from dataclasses import dataclass, field, replace

from sqlglot import exp

from semantics.sql.dialects.ddl import SourceTable
from semantics.sql.dialects.nodes import as_type, plus, time_now
from semantics.sql.dialects.profile import Profile
from semantics.sql.errors import one_of, wrong
from semantics.sql.units import TimeUnit


@dataclass(frozen=True)
class View:
    """A query with a name, and the names of its columns if they are given; it is translated anew wherever it is used.

    Who uses it decides whether its rows come in panes or stay.
    """

    query: exp.Expr
    scope: "Scope | None" = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scope:
    """Tables and views of the script, and the names of WITH around a query."""

    profile: Profile
    tables: dict[str, SourceTable] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    mentioned: frozenset[str] | None = None
    """The names of all columns that the script asks for; None if it has a star, which asks for all."""
    asked: frozenset[str] = frozenset()
    """The names of columns and functions that stand in the script's queries."""
    unit: TimeUnit = TimeUnit.MILLISECOND
    functions: frozenset[str] = frozenset()
    """Functions of the user, in lower case."""
    unknown: dict[str, str] = field(default_factory=dict)
    """Relations that are declared without columns, and what to say of them."""

    def naming(self, name: str, view: View) -> "Scope":
        tables = {other: table for other, table in self.tables.items() if other != name.lower()}
        return replace(self, tables=tables, views={**self.views, name.lower(): view})

    def find(self, node: exp.Table) -> SourceTable | View:
        found = self.views.get(node.name.lower()) or self.tables.get(node.name.lower())
        if found is None and node.name.lower() in self.unknown:
            raise wrong(node, self.unknown[node.name.lower()], "(name type, …), or AS and a query")
        if found is None:
            known = sorted({*(table.name for table in self.tables.values()), *self.views})
            raise wrong(node, f"unknown table {node.name}", one_of(known) if known else "a CREATE TABLE before it")
        return found

    def needs(self, column: str) -> bool:
        return self.mentioned is None or column.lower() in self.mentioned

    @property
    def tick(self) -> int:
        """Microseconds per instant."""
        return microseconds_per(self.unit)

    def instants(self, microseconds: int, node: exp.Expr) -> int:
        """A duration as a number of instants."""
        if microseconds % self.tick:
            problem = f"{microseconds} microseconds are no whole number of the time unit {self.unit}"
            raise wrong(node, problem, "a duration in whole units")
        return microseconds // self.tick

    def timestamp(self, instants: int = 0) -> exp.Expr:
        """NOW and so many instants more, as a TIMESTAMP."""
        return self.as_timestamp(plus(time_now(), instants))

    def as_timestamp(self, instant: exp.Expr) -> exp.Expr:
        """An instant as a TIMESTAMP, which counts microseconds."""
        return as_type(self._scaled(instant), "TIMESTAMP")

    def _scaled(self, node: exp.Expr) -> exp.Expr:
        """A sum in microseconds: each of its terms is."""
        if isinstance(node, exp.Add | exp.Sub):
            return type(node)(this=self._scaled(node.this), expression=self._scaled(node.expression))
        if isinstance(node, exp.Literal):
            return exp.Literal.number(int(node.name) * self.tick)
        return exp.Mul(this=node, expression=exp.Literal.number(self.tick))


def microseconds_per(unit: TimeUnit) -> int:
    """How long one instant is."""
    return unit.micros
