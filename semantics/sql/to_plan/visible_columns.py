"""What expressions can see at one stage of a query: the columns of its rows, and those of the query around it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Protocol

from sqlglot import exp

from semantics.expression import Constant, Expression, Now, Ref
from semantics.plan import Plan, Source
from semantics.sql.catalogue import Catalogue
from semantics.sql.errors import one_of, wrong
from semantics.sql.grammar.nodes import Relations
from semantics.sql.parts import field_of
from semantics.value import NULL, Type


class Translator(Protocol):
    """How queries become plans; subqueries ask for it again."""

    def plan(self, query: exp.Expr, context: "Context", outer: "Outer | None", *, total: bool) -> Plan:
        """The plan of a query; total: aggregates without GROUP BY have a row where there is nothing, too."""

    def rows(
        self, relations: Relations, conditions: list[exp.Expr], context: "Context", outer: "Outer | None"
    ) -> "Rows":
        """The rows of FROM that fulfil some conditions."""


@dataclass(frozen=True)
class Context:
    """What names of streams mean here: those of WITH first, then those of the catalogue."""

    catalogue: Catalogue
    translator: Translator
    named: dict[str, Plan] = field(default_factory=dict)
    beyond: "Stage | None" = None
    """The query around a subquery whose FROM this is: it cannot be seen here."""
    base: Source | None = None
    """What constant rows are made over."""

    def naming(self, name: str, plan: Plan) -> "Context":
        return replace(self, named={**self.named, name: plan})


@dataclass(frozen=True)
class Entry:
    """A column that can be named: by its own name, or with its stream's alias before it."""

    table: str
    name: str
    position: int
    type: Type
    merged: bool = False
    """Is it one side of a column that a join has merged? Then it can be named with its stream's alias only."""
    starred: bool = True
    """Does `*` stand for it, too? Not for the time column of a stream."""

    def behind(self) -> "Entry":
        return replace(self, merged=True)

    def shifted(self, by: int) -> "Entry":
        return replace(self, position=self.position + by)

    @property
    def ref(self) -> Ref:
        return Ref(self.position, self.type)

    def __str__(self) -> str:
        return f"{self.table}.{self.name}" if self.table else self.name


class Outer:
    """How a subquery sees the stage around it."""

    domain: Plan | None = None
    """The values of outer columns that the subquery depends on; its rows carry these columns first."""

    def __init__(self, stage: "Stage") -> None:
        self.stage = stage

    @property
    def width(self) -> int:
        return len(self.domain.schema) if self.domain else 0

    def seen(self, expression: Expression) -> Expression:
        """What an outer column is inside: as it is, if both stand side by side in one condition."""
        return expression


class Probe(Outer):
    """Finds out which outer columns a subquery uses; what is planned meanwhile is thrown away."""

    def __init__(self, stage: "Stage") -> None:
        super().__init__(stage)
        self.used: dict[Ref, None] = {}

    def seen(self, expression: Expression) -> Expression:
        if isinstance(expression, Ref):
            self.used[expression] = None
            return Constant(NULL, expression.type)
        return expression


class Domain(Outer):
    """The subquery is joined with the values of the outer columns that it uses."""

    def __init__(self, stage: "Stage", domain: Plan, expressions: list[Expression]) -> None:
        super().__init__(stage)
        self.domain = domain
        self.expressions = expressions

    def seen(self, expression: Expression) -> Expression:
        if isinstance(expression, Ref):
            return Ref(self.expressions.index(expression), expression.type)
        return expression


class Stage(ABC):
    """A plan under construction, and what its columns are called."""

    def __init__(self, plan: Plan, context: Context, outer: Outer | None) -> None:
        self.plan = plan
        self.context = context
        self.outer = outer

    @property
    def width(self) -> int:
        return len(self.plan.schema)

    @property
    def probing(self) -> bool:
        """Is this stage planned only to see which outer columns it uses?"""
        return self.outer is not None and (isinstance(self.outer, Probe) or self.outer.stage.probing)

    def column(self, node: exp.Column) -> Expression:
        """The value of a column, or what could have been named instead."""
        found = self.lookup(node)
        if found is None and is_now(node):
            return Now()
        if found is None and node.args.get("table") is not None and not isinstance(node.this, exp.Star):
            found = self.field(node)
        if found is None:
            name = f"{node.table}.{node.name}" if node.table else node.name
            if self.context.beyond and self.context.beyond.lookup(node) is not None:
                raise wrong(node, f"{name} is of the query around, FROM does not see it", "a condition on it in WHERE")
            there = self.visible()
            raise wrong(node, f"unknown column {name}", one_of(there) if there else "FROM, with a stream that has it")
        return found

    def field(self, node: exp.Column) -> Expression | None:
        """`r.a`, where r is a column and no stream: the field of a row."""
        row = self.lookup(exp.Column(this=node.args["table"]).update_positions(node))
        return None if row is None or row.type.fields is None else field_of(row, node.this)

    def lookup(self, node: exp.Column) -> Expression | None:
        """The value of a column of this stage or of those around it."""
        found = self.own(node)
        if found is None and self.outer:
            around = self.outer.stage.lookup(node)
            return None if around is None else self.outer.seen(around)
        return found

    @abstractmethod
    def own(self, node: exp.Column) -> Expression | None:
        """The value of a column of this stage itself."""

    def known(self, node: exp.Expr) -> Expression | None:  # noqa: ARG002  # groups know some
        """The value of an expression that this stage has as a column."""
        return None

    def visible(self) -> list[str]:
        return []


class Rows(Stage):
    """The rows of FROM, before they are grouped."""

    def __init__(self, plan: Plan, entries: list[Entry], context: Context, outer: Outer | None) -> None:
        super().__init__(plan, context, outer)
        self.entries = entries
        self.computed: dict[int, int] = {}
        """The column of each call with OVER, by the call's identity."""

    def known(self, node: exp.Expr) -> Expression | None:
        position = self.computed.get(id(node))
        return None if position is None else Ref(position, self.plan.schema.types[position])

    def copy(self) -> "Rows":
        """The same rows, to be grouped in another way."""
        return Rows(self.plan, self.entries, self.context, self.outer)

    def own(self, node: exp.Column) -> Expression | None:
        found = matching(self.entries, node)
        if len(found) > 1:
            raise wrong(node, f"ambiguous column {node.name}", one_of(str(entry) for entry in found))
        return found[0].ref if found else None

    def visible(self) -> list[str]:
        names = [entry.name for entry in self.entries]
        return [entry.name if names.count(entry.name) == 1 else str(entry) for entry in self.entries]


def matching(entries: list[Entry], node: exp.Column) -> list[Entry]:
    """The columns that a name may mean; upper and lower case matter only where there is an exact match."""
    table, name = node.args.get("table"), node.this
    candidates = unqualified(entries) if table is None else [e for e in entries if same(e.table, table)]
    exact = [entry for entry in candidates if entry.name == name.name]
    return exact or [entry for entry in candidates if same(entry.name, name)]


def unqualified(entries: list[Entry]) -> list[Entry]:
    """The columns that can be named without a stream."""
    return [entry for entry in entries if not entry.merged]


def is_now(node: exp.Column) -> bool:
    """Is it the word NOW, which is the instant where no column is called so?"""
    return node.args.get("table") is None and not node.this.quoted and node.name.upper() == "NOW"


def same(name: str, written: exp.Identifier) -> bool:
    return name == written.name or (not written.quoted and name.lower() == written.name.lower())
