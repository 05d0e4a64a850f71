"""Functions of yours as optimizers: from SQL to SQL, or from plan to plan."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from equivalence.conformance.subject.load import load_object
from equivalence.fuzzing.foreign_call import CallFailed, called
from equivalence.fuzzing.plan_optimizer import PlanOptimizer
from equivalence.fuzzing.relational_schema import RelationalSchema, Table
from equivalence.fuzzing.sql_rewrite import Rewrite, SqlOptimizer, Way, normal
from semantics import SnapeqError, Type
from semantics.sql.errors import one_of

SqlFunction = Callable[[str], str]
_SCHEMA: Final = RelationalSchema((Table("t", (("a", Type.INT),)),))
_TEXT: Final = "SELECT a AS x FROM t"


class CallableOptimizer:
    """Functions from text to text, each a rule of its own."""

    version = ""

    def __init__(self, name: str, functions: Mapping[str, SqlFunction], where: str = "") -> None:
        self.name = name
        self._functions = functions
        self._where = where

    @property
    def ways(self) -> tuple[Way, ...]:
        return tuple(map(Way, self._functions))

    def rewrites(self, sql: str, schema: RelationalSchema, wanted: Sequence[Way]) -> Iterator[Rewrite]:
        del schema
        for way in wanted:
            yield _applied(way, self._functions[way.rule], sql)

    def reproduction(self, way: Way, sql: str, schema: RelationalSchema) -> list[str]:
        del schema
        module, _, path = self._where.partition(":")
        imported = [f"from {module} import {path.split('.')[0]}"] if path else []
        called = path if callable(self._functions.get(path)) or len(self._functions) == 1 else f"{path}[{way.rule!r}]"
        return [*imported, "", f"before = {sql!r}", f"after = {called or way.rule}(before)"]


def _applied(way: Way, function: SqlFunction, sql: str) -> Rewrite:
    try:
        after = called(function, sql)
    except CallFailed as error:
        return Rewrite(way, sql, error=str(error))
    if not isinstance(after, str):
        return Rewrite(way, sql, error=f"TypeError: expected a text, got {type(after).__name__}")
    return Rewrite(way, normal(sql), normal(after))


def loaded_optimizer(text: str, rule: str | None) -> SqlOptimizer:
    """What `package.module:object` names: a function, or a mapping from names of rules to functions."""
    found = load_object(text)
    if isinstance(found, Mapping):
        functions = {str(name): function for name, function in found.items()}
    elif callable(found):
        functions = {text.partition(":")[2]: found}
    else:
        raise SnapeqError(
            f"{text}: expected a function or a mapping from names to functions, got {type(found).__name__}"
        )
    if rule is not None and rule not in functions:
        raise SnapeqError(f"{text} has no rule {rule}; expected {one_of(functions)}")
    return optimizer_of(text, functions if rule is None else {rule: functions[rule]}, text)


def optimizer_of(name: str, functions: Mapping[str, Callable[[Any], Any]], where: str = "") -> SqlOptimizer:
    """Functions as one optimizer; all of them take texts, or all of them take plans."""
    if all(takes_sql(function) for function in functions.values()):
        return CallableOptimizer(name, functions, where)
    return PlanOptimizer(name, functions)


def takes_sql(function: Callable[[Any], Any]) -> bool:
    """Does a function rewrite texts? Its annotation says so, or what it makes of a text and of a plan.

    >>> takes_sql(lambda sql: sql.replace("DISTINCT ", "")), takes_sql(lambda plan: plan)
    (True, False)
    """
    try:
        (first, *_) = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return False
    if first.annotation is not inspect.Parameter.empty:
        return first.annotation in (str, "str")
    return isinstance(_tried(function, _TEXT), str) and not hasattr(_tried(function, _plan()), "plan")


def _plan() -> object:
    from equivalence.fuzzing.relational_reading import read_relational

    return read_relational(_TEXT, _SCHEMA)


def _tried(function: Callable[[Any], Any], argument: object) -> object:
    try:
        return called(function, argument)
    except CallFailed:
        return None
