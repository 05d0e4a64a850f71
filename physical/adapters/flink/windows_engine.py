"""Flink's own windows, in streaming mode: HOP, window aggregation, window joins, window deduplication."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from physical.adapters.flink.batch_engine import DATABASES, FlinkEngine
from physical.adapters.flink.window_query import WindowQuery, has_window_query
from physical.adapters.sql.support import is_sayable
from semantics import Plan, StreamError

if TYPE_CHECKING:
    from physical.columns.stream import PhysicalStream
    from physical.runtime.run_whole import AnyStream


class FlinkWindowsEngine(FlinkEngine):
    """What is valid for several instants is an event at each of them."""

    name = "flink-windows"
    environment = "flink"
    database = f"{DATABASES}:StreamingDatabase"
    knows_now = False

    def supports(self, plan: Plan) -> bool:
        return is_sayable(plan, self.dialect) and has_window_query(plan)

    def run(self, plan: Plan, sources: Mapping[str, "AnyStream"], horizon: int | None = None) -> "PhysicalStream":
        from physical.adapters.flink.databases import SHIFT
        from physical.adapters.sql.snapshot_tables import from_snapshot_rows, snapshot_table
        from physical.columns.stream import PhysicalStream

        if horizon is None:
            raise StreamError(f"{self.name}: every instant is an event, so a horizon is needed, got none")
        names = {source: f"s{i}" for i, source in enumerate(sorted(plan.sources()))}
        tables = {names[name]: snapshot_table(PhysicalStream.of(sources[name]), horizon) for name in names}
        columns = ", ".join(f"c{i}" for i in range(len(plan.schema)))
        end = "TIMESTAMPDIFF(SECOND, TIMESTAMP '1970-01-01 00:00:00', window_end)"
        sql = f"SELECT CAST({end} AS BIGINT), {columns} FROM ({WindowQuery(self.dialect, names).text(plan)})"
        slide = next(node.slide for node in plan.walk() if hasattr(node, "slide"))
        rows = ((row[0] - 1 - SHIFT, *row[1:]) for row in self.ask(tables, sql))
        shown = ((t, *values) for boundary, *values in rows for t in range(boundary, boundary + slide) if t < horizon)
        return from_snapshot_rows(self._decoded(shown, plan.schema), plan.schema)
