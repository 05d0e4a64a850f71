"""Flink: options of its planner one by one, operators that it may not use, and batch against streaming.

Everything on is batch mode with the planner's own choices. In streaming mode the answer is what is left of the log of
changes in the end.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from equivalence.fuzzing.engines.laboratory import Database, FilledTable
from equivalence.fuzzing.engines.programs import program
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import ENVIRONMENTS
from semantics import Type

Result = TypeVar("Result")
STREAMING: Final = "batch mode"
DISABLED: Final = "table.exec.disabled-operators"
OTHERWISE: Final[Mapping[str, tuple[str, str]]] = {
    "joins in their order": ("table.optimizer.join-reorder-enabled", "true"),
    "reuse of subplans": ("table.optimizer.reuse-sub-plan-enabled", "false"),
    "reuse of sources": ("table.optimizer.reuse-source-enabled", "false"),
    "multiple inputs": ("table.optimizer.multiple-input-enabled", "false"),
    "aggregates in two phases": ("table.optimizer.agg-phase-strategy", "ONE_PHASE"),
    "aggregates in one phase": ("table.optimizer.agg-phase-strategy", "TWO_PHASE"),
    "whole unions": ("table.optimizer.union-all-as-breakpoint-enabled", "false"),
    "separate operators": ("table.exec.operator-fusion-codegen.enabled", "true"),
    "hash joins": (DISABLED, "HashJoin"),
    "nested loops": (DISABLED, "NestedLoopJoin"),
    "hash and loop joins": (DISABLED, "HashJoin, NestedLoopJoin"),
    "hash aggregates": (DISABLED, "HashAgg"),
    "sorted aggregates": (DISABLED, "SortAgg"),
}
"""What is on or chosen, and the option that turns it off."""
_TYPES: Final = {Type.INT: "BIGINT", Type.STR: "STRING", Type.BOOL: "BOOLEAN"}
_IDS: Final = re.compile(r"#\d+|id=\d+|\$f\d+")
_LENGTH: Final = re.compile(r"\bLENGTH\(")


class FlinkLaboratory:
    """An environment for every setting, in one Java virtual machine: an option that was set once stays."""

    def __init__(self) -> None:
        from importlib.metadata import version

        self.version = version("apache-flink")
        self.environment: Callable[[str], Any] = cache(_environment)

    def switches(self) -> list[str]:
        return [STREAMING, *OTHERWISE]

    def opened(self, database: Database) -> "OpenedFlink":
        return OpenedFlink(self.environment, database)


def _environment(off: str) -> Any:
    from pyflink.common import Configuration
    from pyflink.table import EnvironmentSettings, TableEnvironment

    from physical.adapters.flink.databases import OPTIONS

    options = Configuration()
    for name, value in [*OPTIONS.items(), *([OTHERWISE[off]] if off in OTHERWISE else [])]:
        options.set_string(name, value)
    settings = EnvironmentSettings.new_instance().with_configuration(options)
    settings = settings.in_streaming_mode() if off == STREAMING else settings.in_batch_mode()
    return TableEnvironment.create(settings.build())


class OpenedFlink:
    """Tables in files, declared in the environment of each setting that is asked for."""

    def __init__(self, environment: Callable[[str], Any], database: Database) -> None:
        self._known = environment
        self._folder = TemporaryDirectory(prefix="snapeq-flink-")
        self._tables = [(filled, Path(self._folder.name) / filled.table.name) for filled in database]
        for filled, path in self._tables:
            path.write_text("".join(f"{json.dumps(row)}\n" for row in _records(filled)))

    def switch(self, off: str) -> None:
        self._environment = self._known(off)
        for filled, path in self._tables:
            self._environment.execute_sql(f"DROP TEMPORARY TABLE IF EXISTS {filled.table.name}")
            self._environment.execute_sql(_declared(filled, path))

    def plan(self, sql: str) -> str:
        return _IDS.sub("", _told(lambda: str(self._environment.explain_sql(flink_words(sql)))))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        from physical.adapters.flink.databases import consolidated

        def answer() -> list[tuple[Any, ...]]:
            with self._environment.execute_sql(flink_words(sql)).collect() as found:
                return consolidated(found)

        return _told(answer)

    def close(self) -> None:
        self._folder.cleanup()


class FlinkError(Exception):
    """What Flink says at the bottom of its errors: those above it only tell where it was."""


def _told(ask: Callable[[], Result]) -> Result:
    try:
        return ask()
    except Exception as error:
        causes = re.findall(r"(?:Caused by: |^)([\w.$]+(?:Exception|Error)\b.*)", str(error), re.MULTILINE)
        raise FlinkError(causes[-1] if causes else str(error)) from None


def _records(filled: FilledTable) -> list[dict[str, object]]:
    names = [name for name, _ in filled.table.columns]
    return [dict(zip(names, row, strict=True)) for row in filled.rows]


def _declared(filled: FilledTable, path: object) -> str:
    table = filled.table
    kept = {*table.not_null, *table.key}
    columns = [f"{name} {_TYPES[type_]}{' NOT NULL' if name in kept else ''}" for name, type_ in table.columns]
    return (
        f"CREATE TEMPORARY TABLE {table.name} ({', '.join(columns)}) "
        f"WITH ('connector' = 'filesystem', 'path' = 'file://{path}', 'format' = 'json')"
    )


def flink_words(sql: str) -> str:
    """VARCHAR without a length has one character there, and LENGTH is called CHAR_LENGTH.

    >>> flink_words("SELECT LENGTH(CAST(a AS VARCHAR)) AS x0 FROM t")
    'SELECT CHAR_LENGTH(CAST(a AS STRING)) AS x0 FROM t'
    """
    return _LENGTH.sub("CHAR_LENGTH(", sql.replace(" AS VARCHAR)", " AS STRING)"))


def _statement(switch: str) -> str:
    if switch == STREAMING:
        return "SET 'execution.runtime-mode' = 'streaming'"
    return "SET '{}' = '{}'".format(*OTHERWISE[switch])


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    pairs = [
        ("execution.runtime-mode", "streaming") if one == STREAMING else OTHERWISE.get(one, ()) for one in settings
    ]
    opening = [
        "streaming = 'streaming' in switched_off",
        "settings = EnvironmentSettings.in_streaming_mode() if streaming else EnvironmentSettings.in_batch_mode()",
        "environment = TableEnvironment.create(settings)",
        "if switched_off and not streaming:",
        "    environment.get_config().set(*switched_off)",
    ]
    for filled in database:
        path = f"/tmp/{filled.table.name}.json"
        text = "".join(f"{json.dumps(row)}\n" for row in _records(filled))
        opening += [
            f"Path({path!r}).write_text({text!r})",
            f"environment.execute_sql({_declared(filled, path)!r})",
        ]
    imports = ["from pathlib import Path", "", "from pyflink.table import EnvironmentSettings, TableEnvironment"]
    answer = f"[(row.get_row_kind().name, row) for row in environment.execute_sql({flink_words(sql)!r}).collect()]"
    return program(imports, pairs, opening, answer)


FLINK: Final = Engine(
    "flink",
    ENVIRONMENTS["flink"],
    FlinkLaboratory,
    (
        *("NullPointerException", "AssertionError", "ClassCastException", "IndexOutOfBounds", "CodeGenException"),
        *("CannotPlanException", "CompileException", "This is a bug", "this is a bug", "StackOverflowError"),
    ),
    _statement,
    _program,
    is_needed=lambda switch: OTHERWISE.get(switch, ("",))[0] == DISABLED,
    databases=2,
)
