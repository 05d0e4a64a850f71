"""Spark: rules of its optimizer by `excludedRules`, adaptive execution, generated code, and ways to join."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import Database
from equivalence.fuzzing.engines.programs import program
from equivalence.fuzzing.engines.spark_frames import OpenedFrames, spark_words, views
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import Environment

EXCLUDED: Final = "spark.sql.optimizer.excludedRules"
OTHERWISE: Final[Mapping[str, tuple[str, str]]] = {
    "adaptive execution": ("spark.sql.adaptive.enabled", "false"),
    "generated code": ("spark.sql.codegen.wholeStage", "false"),
    "broadcast joins": ("spark.sql.autoBroadcastJoinThreshold", "-1"),
    "object hash aggregates": ("spark.sql.execution.useObjectHashAggregateExec", "false"),
    "exchange reuse": ("spark.sql.exchange.reuse", "false"),
    "subquery reuse": ("spark.sql.execution.reuseSubquery", "false"),
}
"""What is no rule: the setting that switches it off."""
_NUMBER: Final = re.compile(r"#\d+L?|plan_id=\d+|id=#\d+")


class SparkLaboratory:
    """A session on this machine, in a process that nobody else uses."""

    def __init__(self) -> None:
        from physical.adapters.spark.sql_engine import own_session

        self._spark = own_session(ansi=True)
        self._spark.conf.set("spark.sql.shuffle.partitions", "2")
        self.version = str(self._spark.version)

    def switches(self) -> list[str]:
        return [*OTHERWISE, *_rules(self._spark)]

    def opened(self, database: Database) -> "OpenedSpark":
        return OpenedSpark(self._spark, database)


class OpenedSpark(OpenedFrames):
    def switch(self, off: str) -> None:
        for name, _ in OTHERWISE.values():
            self.spark.conf.unset(name)
        self.spark.conf.set(*_setting(off) if off else (EXCLUDED, ""))
        if off in OTHERWISE:
            self.spark.conf.set(EXCLUDED, "")

    def plan(self, sql: str) -> str:
        frame: Any = self.spark.sql(spark_words(sql))
        return _NUMBER.sub("", str(frame._jdf.queryExecution().executedPlan().toString()))


def _rules(spark: Any) -> list[str]:
    """Those of the optimizer's batches that may be left out, each once."""
    optimizer = spark._jsparkSession.sessionState().optimizer()
    needed = set(_listed(optimizer.nonExcludableRules()))
    batches = _elements(optimizer.defaultBatches())
    names = [rule.ruleName() for batch in batches for rule in _elements(batch.rules())]
    return [name for name in dict.fromkeys(names) if name not in needed]


def _elements(sequence: Any) -> list[Any]:
    return [sequence.apply(i) for i in range(sequence.size())]


def _listed(sequence: Any) -> list[str]:
    return [str(one) for one in _elements(sequence)]


def _setting(switch: str) -> tuple[str, str]:
    return OTHERWISE.get(switch, (EXCLUDED, switch))


def _statement(switch: str) -> str:
    name, value = _setting(switch)
    return f"SET {name} = {value}"


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    pairs = [_setting(one) if one else (EXCLUDED, "") for one in settings]
    opening = ["spark = SparkSession.builder.getOrCreate().newSession()", "spark.conf.set(*switched_off)"]
    imports = ["from pyspark.sql import SparkSession"]
    return program(imports, pairs, [*opening, *views(database)], f"spark.sql({spark_words(sql)!r}).collect()")


SPARK: Final = Engine(
    "spark",
    Environment("spark", ("pyspark",), 400, "pyspark"),
    SparkLaboratory,
    ("INTERNAL_ERROR", "NullPointerException", "AssertionError", "MatchError", "UnsupportedOperationException"),
    _statement,
    _program,
    is_needed=lambda switch: switch not in OTHERWISE,
    databases=2,
)
