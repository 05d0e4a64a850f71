"""Optimizers from plan to plan, ours among them: what they make is written as standard SQL, and judged as text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from equivalence.fuzzing.foreign_call import CallFailed, called
from equivalence.fuzzing.relational_reading import Unreadable, read_relational
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.small_databases import known_about
from equivalence.fuzzing.sql_rewrite import Rewrite, Way
from equivalence.optimizer.errors import Careful
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.optimizer.rewrites import Rewrite as PlanRewrite
from semantics import Plan, SnapeqError
from semantics.sql.errors import one_of
from semantics.sql.to_text.standard import standard_sql


class PlanOptimizer:
    """Functions from plan to plan, each a rule of its own."""

    version = ""

    def __init__(self, name: str, functions: Mapping[str, Callable[[Any], Any]]) -> None:
        self.name = name
        self._functions = functions

    @property
    def ways(self) -> tuple[Way, ...]:
        return tuple(map(Way, self._functions))

    def rewrites(self, sql: str, schema: RelationalSchema, wanted: Sequence[Way]) -> Iterator[Rewrite]:
        plan = _read(sql, schema)
        before = None if plan is None else standard_sql(plan)
        for way in wanted:
            if plan is not None and before is not None:
                yield from _applied(way, self._functions[way.rule], plan, before)

    def reproduction(self, way: Way, sql: str, schema: RelationalSchema) -> list[str]:
        return _both_texts(self.rewrites(sql, schema, (way,)))


class OwnOptimizer:
    """The rewrites of snapeq, each alone, wherever it applies."""

    name = "snapeq"

    def __init__(self, rule: str | None = None) -> None:
        named = {rewrite.name: rewrite for rewrite in REWRITES}
        if rule is not None and rule not in named:
            raise SnapeqError(f"snapeq has no rewrite {rule}; expected {one_of(named)}")
        self._rewrites: Mapping[str, PlanRewrite] = named if rule is None else {rule: named[rule]}
        self.version = version("snapeq")

    @property
    def ways(self) -> tuple[Way, ...]:
        return tuple(map(Way, self._rewrites))

    def rewrites(self, sql: str, schema: RelationalSchema, wanted: Sequence[Way]) -> Iterator[Rewrite]:
        plan = _read(sql, schema)
        before = None if plan is None else standard_sql(plan)
        if plan is None or before is None:
            return
        known = known_about(plan, plan, schema)
        for way in wanted:
            for step in steps(plan, [Careful(self._rewrites[way.rule])], known):
                after = standard_sql(step.plan)
                if after is not None:
                    yield Rewrite(way, before, after)

    def reproduction(self, way: Way, sql: str, schema: RelationalSchema) -> list[str]:
        return _both_texts(self.rewrites(sql, schema, (way,)))


def _read(sql: str, schema: RelationalSchema) -> Plan | None:
    """The plan of a query; windows over groups have none here, and so no rewrites."""
    try:
        return read_relational(sql, schema)
    except Unreadable:
        return None


def _applied(way: Way, function: Callable[[Any], Any], plan: Plan, before: str) -> Iterator[Rewrite]:
    try:
        better: Plan = called(lambda given: function(given).plan, plan)
    except CallFailed as error:
        yield Rewrite(way, before, error=str(error))
        return
    after = before if better == plan else standard_sql(better)
    if after is not None:
        yield Rewrite(way, before, after)


def _both_texts(rewrites: Iterator[Rewrite]) -> list[str]:
    """Plans have no language but ours, so a script compares the texts that they stand for."""
    fired = next(rewrite for rewrite in rewrites if rewrite.fired)
    return [f"before = {fired.before!r}", f"after = {fired.after or fired.error!r}"]
