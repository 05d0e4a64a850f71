"""What can be fuzzed, by name."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equivalence.fuzzing.campaign import Subject
from equivalence.fuzzing.rewrites_under_test import RewritesUnderTest
from equivalence.fuzzing.sql_rewrite import SqlOptimizer
from semantics import SnapeqError
from semantics.sql.errors import one_of


def subject_named(text: str, rule: str | None, *, proofs: bool = True) -> Subject:
    """A target that is built in, or a function of yours as package.module:function."""
    make = REWRITING.get(text)
    if make is not None:
        return make(rule, proofs)
    if ":" not in text:
        return _with_switches(text, rule)
    from equivalence.fuzzing.callable_optimizer import loaded_optimizer

    return _rewriting(loaded_optimizer(text, rule), proofs)


def subject_of_command(command: str, *, proofs: bool = True) -> Subject:
    """A command that reads a query on stdin and writes one on stdout."""
    from equivalence.fuzzing.command_optimizer import CommandOptimizer

    return _rewriting(CommandOptimizer(command), proofs)


def _sqlglot(rule: str | None, proofs: bool) -> Subject:
    from equivalence.fuzzing.sqlglot_optimizer import SqlglotOptimizer

    return _rewriting(SqlglotOptimizer(rule), proofs)


def _snapeq(rule: str | None, proofs: bool) -> Subject:
    from equivalence.fuzzing.plan_optimizer import OwnOptimizer

    return _rewriting(OwnOptimizer(rule), proofs)


def _with_switches(name: str, rule: str | None) -> Subject:
    """An engine, at times in another version (`duckdb@1.0.0`); there are no two texts to be proved equal."""
    from equivalence.fuzzing.engines.all_engines import ENGINES
    from equivalence.fuzzing.engines.switched_engine import SwitchedEngine
    from equivalence.fuzzing.switches_under_test import SwitchesUnderTest
    from physical.adapters.environments import environment_of

    kind, at, _ = name.partition("@")
    if kind not in ENGINES:
        known = [*REWRITING, *ENGINES, "package.module:function"]
        raise SnapeqError(f"unknown optimizer {name}; expected {one_of(known)}")
    engine = replace(ENGINES[kind], name=name, environment=environment_of(name)) if at else ENGINES[kind]
    return SwitchesUnderTest(SwitchedEngine(engine, rule))


def _rewriting(optimizer: SqlOptimizer, proofs: bool) -> Subject:
    return RewritesUnderTest(optimizer, proofs=proofs)


REWRITING: Final[dict[str, Callable[[str | None, bool], Subject]]] = {"sqlglot": _sqlglot, "snapeq": _snapeq}
