"""Polars by its own operators, in a process of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from physical.adapters.polars_engine import PolarsEngine
from physical.adapters.sql.remote_engine import Rows
from semantics import Plan, StreamError, Unsupported

if TYPE_CHECKING:
    import pyarrow as pa

    from physical.columns.stream import PhysicalStream
    from physical.runtime.run_whole import AnyStream


@dataclass(frozen=True)
class FrameQuestion:
    """A plan over tables of snapshots."""

    plan: Plan
    tables: "Mapping[str, pa.Table]"
    horizon: int

    def run(self, database: object) -> list[tuple[Any, ...]]:  # noqa: ARG002  # Polars is no database
        import polars as pl

        from physical.adapters.polars_frames.frames import Frames, names

        sources = {name: pl.DataFrame(table).lazy() for name, table in self.tables.items()}
        found = Frames(sources, self.horizon).of(self.plan)
        return found.select("t", *names(self.plan)).collect().rows()


class PolarsFramesEngine(PolarsEngine):
    name = "polars-frames"
    environment = "polars"

    def supports(self, plan: Plan) -> bool:
        if not all(type_ in self.dialect.types for node in plan.walk() for type_ in node.schema.types):
            return False
        from physical.adapters.polars_frames.frames import Frames

        try:
            Frames(None, 1).of(plan)
        except Unsupported:
            return False
        return True

    def run(self, plan: Plan, sources: Mapping[str, "AnyStream"], horizon: int | None = None) -> "PhysicalStream":
        from physical.adapters.sql.snapshot_tables import from_snapshot_rows, snapshot_table
        from physical.columns.stream import PhysicalStream

        if horizon is None:
            raise StreamError(f"{self.name}: every instant is a row of a table, so a horizon is needed, got none")
        tables = {name: snapshot_table(PhysicalStream.of(sources[name]), horizon) for name in plan.sources()}
        rows: Rows = self.process.ask(FrameQuestion(plan, tables, horizon))  # type: ignore[assignment]
        return from_snapshot_rows(self._decoded(rows, plan.schema), plan.schema)
