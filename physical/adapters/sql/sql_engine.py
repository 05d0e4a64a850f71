"""An engine that others wrote, driven by SQL: an adapter is a dialect and a way to ask."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.snapshot_query import INSTANTS, snapshot_query
from physical.adapters.sql.support import is_sayable
from semantics import Plan, Schema, StreamError, Type, Value
from semantics.lookahead import known_until

if TYPE_CHECKING:  # Arrow and numba take time to import; naming an engine does not need them
    import pyarrow as pa

    from physical.columns.stream import PhysicalStream
    from physical.runtime.run_whole import AnyStream


class SqlEngine(ABC):
    """Every plan as one query over tables of snapshots."""

    name: ClassVar[str]
    dialect: ClassVar[SqlDialect]
    knows_now = True
    knows_types = True
    knows_functions = True
    """As far as the dialect has words for them."""
    differences: ClassVar[tuple[str, ...]] = ("overflow", "float sums")
    """SQL says neither in which order conditions are evaluated nor how sums are made."""
    tolerance = 1e-9
    time_limit = 120.0
    cases_per_run = 12
    """A query takes longer to plan than to run."""
    booleans_are_numbers: ClassVar[bool] = False
    """Does it say 1 for TRUE?"""
    latest = 1000
    """Every instant is a row of a table, so there must not be too many."""

    def supports(self, plan: Plan) -> bool:
        return is_sayable(plan, self.dialect)

    def run(self, plan: Plan, sources: Mapping[str, "AnyStream"], horizon: int | None = None) -> "PhysicalStream":
        from physical.adapters.sql.snapshot_tables import from_snapshot_rows, instants_table, last_bound, snapshot_table
        from physical.columns.stream import PhysicalStream

        if horizon is None:
            raise StreamError(f"{self.name}: every instant is a row of a table, so a horizon is needed, got none")
        names = {source: f"s{i}" for i, source in enumerate(sorted(plan.sources()))}
        streams = {name: PhysicalStream.of(sources[name]) for name in names}
        until = known_until(plan, horizon, lambda name: last_bound(streams[name]))
        if until > self.latest:
            raise StreamError(f"{self.name}: LEAD needs rows up to {until}, and takes them up to {self.latest}")
        tables = {names[name]: snapshot_table(stream, until) for name, stream in streams.items()}
        rows = self.ask({**tables, INSTANTS: instants_table(until)}, snapshot_query(plan, self.dialect, names))
        seen = (row for row in rows if row[0] < horizon)
        return from_snapshot_rows(self._decoded(seen, plan.schema), plan.schema)

    @abstractmethod
    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Iterable[tuple[Any, ...]]:
        """The rows of a query over these tables."""

    def _decoded(self, rows: Iterable[tuple[Any, ...]], schema: Schema) -> list[tuple[Any, ...]]:
        return [(row[0], *(self.value(v, t) for v, t in zip(row[1:], schema.types, strict=True))) for row in rows]

    def value(self, value: Any, type_: Type) -> Value:
        """A value of this type, as the engine gives it."""
        if self.booleans_are_numbers and type_ is Type.BOOL and value in (0, 1):
            return bool(value)
        found: Value = type_.python(value) if type_.is_counted and value is not None else value
        return found
