"""DataFusion: rules of its optimizer left out, and the settings of planning and execution."""

from collections.abc import Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database, statements_of
from equivalence.fuzzing.engines.programs import executed, program
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import ENVIRONMENTS

PARTITIONS: Final = "SET datafusion.execution.target_partitions = 2"
_OTHERWISE: Final = {
    "datafusion.execution.target_partitions": "1",
    "datafusion.execution.batch_size": "1",
    "datafusion.optimizer.max_passes": "1",
    "datafusion.optimizer.hash_join_single_partition_threshold": "0",
    "datafusion.optimizer.hash_join_single_partition_threshold_rows": "0",
}
"""Settings that are no truth values, and another value of each."""
_AFTER: Final = "logical_plan after "
_SETTING: Final = "datafusion."


class DatafusionLaboratory:
    def __init__(self) -> None:
        import datafusion

        self.version: str = datafusion.__version__
        self._settings = _settings()
        self._rules = _rules()

    def switches(self) -> list[str]:
        return [*self._rules, *self._settings]

    def opened(self, database: Database) -> "OpenedDatafusion":
        return OpenedDatafusion(database)


class OpenedDatafusion:
    """A context for each setting: a rule that was left out does not come back."""

    def __init__(self, database: Database) -> None:
        self._statements = statements_of(database)

    def switch(self, off: str) -> None:
        self._context = _context()
        for statement in (PARTITIONS, *self._statements):
            self.rows(statement)
        if off.startswith(_SETTING):
            self.rows(_statement(off))
        elif off:
            self._context.remove_optimizer_rule(off)

    def plan(self, sql: str) -> str:
        return str(self.rows(f"EXPLAIN {sql}"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return _rows(self._context.sql(sql))

    def close(self) -> None:
        pass


def _context() -> Any:
    from datafusion import SessionConfig, SessionContext

    return SessionContext(SessionConfig({"datafusion.catalog.information_schema": "true"}))


def _rows(frame: Any) -> list[tuple[Any, ...]]:
    return [
        row for batch in frame.collect() for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def _settings() -> list[str]:
    """Settings with another value than they have from the start: each is the name of a switch."""
    truths = _rows(
        _context().sql(
            "SELECT name, value FROM information_schema.df_settings "
            "WHERE name LIKE 'datafusion.optimizer.%' AND value IN ('true', 'false') ORDER BY name"
        )
    )
    known = {name for (name,) in _rows(_context().sql("SELECT name FROM information_schema.df_settings"))}
    others = {name: "true" if value == "false" else "false" for name, value in truths}
    others |= {name: value for name, value in _OTHERWISE.items() if name in known}
    return [f"{name} = {value}" for name, value in others.items()]


def _rules() -> list[str]:
    """The rules of the logical optimizer, as it tells them when it explains what it does."""
    stages = [str(row[0]) for row in _rows(_context().sql("EXPLAIN VERBOSE SELECT 1 AS x"))]
    return list(dict.fromkeys(stage.removeprefix(_AFTER) for stage in stages if stage.startswith(_AFTER)))


def _statement(switch: str) -> str:
    return f"SET {switch}" if switch.startswith(_SETTING) else f"remove_optimizer_rule({switch!r})"


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    opening = [
        "context = datafusion.SessionContext()",
        *executed([PARTITIONS, *statements_of(database)], "context.sql(statement).collect()"),
        "if switched_off.startswith('datafusion.'):",
        "    context.sql(f'SET {switched_off}').collect()",
        "elif switched_off:",
        "    context.remove_optimizer_rule(switched_off)",
    ]
    return program(["import datafusion"], settings, opening, f"context.sql({sql!r}).to_pylist()")


DATAFUSION: Final = Engine(
    "datafusion",
    ENVIRONMENTS["datafusion"],
    DatafusionLaboratory,
    ("Internal error", "panicked", "PanicException", "Optimizer rule", "Arrow error", "Schema error"),
    _statement,
    _program,
    is_needed=lambda switch: not switch.startswith(_SETTING),
)
