"""What a query may refer to: streams, tables, derived streams, functions, and the time unit."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from semantics.aggregate import AggregateFunction
from semantics.errors import SchemaError
from semantics.expression import Expression, ScalarFunction
from semantics.plan import Plan, Source
from semantics.schema import Schema, as_type
from semantics.sql.units import TimeUnit
from semantics.value import Type, Value

BUILT_IN = frozenset(
    "COUNT SUM AVG MIN MAX VAR_POP STDDEV_POP MEDIAN TOP COALESCE MOD CAST TRY_CAST NOW ISTREAM DSTREAM RSTREAM".split()
)
"""Functions that the language has; users bring others."""

Named = TypeVar("Named")


NO_STREAM: Final = "no_stream"
"""A table without rows, for queries that read nothing: plans know instants by their sources."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """An assumption about these columns: PRIMARY KEY, UNIQUE, NOT NULL or REFERENCES in every snapshot, ONCE in all."""

    kind: str
    columns: tuple[str, ...]
    table: str = ""
    target: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declaration:
    """A stream or table that is given from outside.

    A raw stream has one time column, an interval stream two, a table none: it is valid at every instant. Time
    columns are not part of the schema (Remark 3.1); `columns` lists all of them in the order of the declaration.
    """

    name: str
    schema: Schema
    columns: tuple[str, ...] = ()
    ordered: str | None = None
    valid: tuple[str, str] | None = None
    timestamps: tuple[str, ...] = ()
    """Time columns that are declared as TIMESTAMP, so that ISO 8601 text is read."""
    constraints: tuple[Constraint, ...] = ()
    clock: Expression | None = None
    """How the time is computed from the columns of the schema, if none of them holds it."""

    @property
    def is_table(self) -> bool:
        return self.ordered is None and self.valid is None

    @property
    def plan(self) -> Plan:
        return Source(self.name, self.schema)


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived stream: its name stands for its plan."""

    name: str
    plan: Plan
    is_table: bool = False
    filled: bool = False
    """Is it filled by INSERT? Then further ones may fill it, too."""

    @property
    def schema(self) -> Schema:
        return self.plan.schema


@dataclass
class Catalogue:
    """Everything that has a name.

    >>> from semantics import Schema
    >>> Catalogue.of({"Bid": Schema.of(item=int, price=float)}).find("bid").schema.names
    ('item', 'price')
    """

    unit: TimeUnit = TimeUnit.SECOND
    relations: dict[str, Declaration | Derived] = field(default_factory=dict)
    functions: dict[str, ScalarFunction] = field(default_factory=dict)
    aggregates: dict[str, AggregateFunction] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        schemas: Mapping[str, Schema],
        functions: Iterable[ScalarFunction] = (),
        aggregates: Iterable[AggregateFunction] = (),
    ) -> "Catalogue":
        """Raw streams with these schemas, ordered by a column called ts, and these functions."""
        made = cls()
        for name, schema in schemas.items():
            made.add(Declaration(name, schema, (*schema.names, "ts"), ordered="ts"))
        for function in functions:
            made.register(function)
        for aggregate in aggregates:
            made.register(aggregate)
        return made

    def copy(self) -> "Catalogue":
        return Catalogue(self.unit, dict(self.relations), dict(self.functions), dict(self.aggregates))

    def add(self, relation: Declaration | Derived) -> None:
        if relation.name in self.relations:
            raise SchemaError(f"{relation.name}: there is already a stream or table of this name")
        self.relations[relation.name] = relation

    def find(self, name: str, *, exactly: bool = False) -> Declaration | Derived | None:
        """The stream or table with this name; upper and lower case matter only where two differ in nothing else."""
        return find(self.relations, name, exactly=exactly)

    @property
    def sources(self) -> dict[str, Schema]:
        """The schemas of all streams and tables that are given from outside."""
        return {name: found.schema for name, found in self.relations.items() if isinstance(found, Declaration)}

    def function(
        self, name: str, parameters: Iterable[Type | type], result: Type | type, call: Callable[..., Value]
    ) -> ScalarFunction:
        """Register a scalar function: pure, and called only where no argument is NULL.

        >>> Catalogue().function("half", [float], float, lambda x: x / 2).name
        'half'
        """
        types = tuple(as_type(parameter, name) for parameter in parameters)
        made = ScalarFunction(name, types, as_type(result, name), call)
        self.register(made)
        return made

    def aggregate(
        self,
        name: str,
        parameter: Type | type,
        result: Type | type,
        *,
        init: Callable[[Any], Any],
        merge: Callable[[Any, Any], Any],
        eval: Callable[[Any], Value],
    ) -> AggregateFunction:
        """Register an aggregate as in Algorithm 3."""
        made = AggregateFunction(name, as_type(parameter, name), as_type(result, name), init, merge, eval)
        self.register(made)
        return made

    def register(self, function: ScalarFunction | AggregateFunction) -> None:
        """Make a function known under its name."""
        taken = {name.upper() for name in (*self.functions, *self.aggregates)} | BUILT_IN
        if function.name.upper() in taken:
            raise SchemaError(f"{function.name}: there is already a function of this name")
        if isinstance(function, ScalarFunction):
            self.functions[function.name] = function
        else:
            self.aggregates[function.name] = function


def find(named: Mapping[str, Named], name: str, *, exactly: bool = False) -> Named | None:
    """What has this name; if nothing has, what alone has it in other upper and lower case."""
    if name in named or exactly:
        return named.get(name)
    alike = list(_alike(named, name))
    return named[alike[0]] if len(alike) == 1 else None


def _alike(names: Iterable[str], name: str) -> Iterator[str]:
    return (other for other in names if other.lower() == name.lower())
