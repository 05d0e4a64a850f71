"""The public names of snapeq in one place: `import snapeq`, and everything below is there.

What a query means, by the reference:

>>> import snapeq
>>> plan = snapeq.parse_plan("S(x int) | window(range 2) | distinct")
>>> snapeq.show(snapeq.evaluate(plan, {"S": snapeq.parse("raw(x int): (7)@0 (7)@1")}, horizon=4))
'logical(x int) to 4: 0{(7)} 1{(7)} 2{(7)}'

How it is computed fast, and whether two plans are the same:

>>> snapeq.show(snapeq.run(plan, {"S": snapeq.parse("raw(x int): (7)@0 (7)@1")}).to_interval())
'interval(x int): (7)@[0,3)'
>>> snapeq.check_plans(plan, snapeq.parse_plan("S(x int) | distinct | window(range 2)")).kind
'refuted'

`__all__` is the list of what is public. Importing this package loads nothing; a name is loaded when it is first used.
"""

from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equivalence import (
        Conformance,
        Verdict,
        check_engine,
        check_optimizer,
        check_plans,
        check_relation,
        check_rule,
        conform,
        exhaust,
        optimize,
        strategies,
    )
    from equivalence.cases.functions import KNOWN_FUNCTIONS as GENERATED_FUNCTIONS
    from equivalence.conformance.subject.by_command.command_engine import CommandEngine
    from equivalence.conformance.subject.load import load_engine, run_engine
    from equivalence.dataframes.check_job import check_job
    from equivalence.deviations.catalogue import CATALOGUE as DEVIATIONS
    from equivalence.optimizer.session import Session
    from equivalence.protocol.check_protocol import check_protocol
    from equivalence.prover.prove import prove, prove_rule
    from equivalence.python_functions.check_function import check_function
    from equivalence.recordings.check_recording import check_recording
    from equivalence.report.replay import replay
    from equivalence.rules.statement import Free, Rule, Sides, rule
    from equivalence.verdicts.counterexample import Counterexample
    from equivalence.verdicts.json.document import read_case
    from equivalence.verdicts.json.reading import read_json
    from physical import PhysicalStream, explain, from_arrow, run, to_arrow
    from physical.engine import Engine
    from semantics import (
        FOREVER,
        NULL,
        AggregateFunction,
        ArithmeticOverflow,
        CastError,
        Column,
        ColumnExpression,
        Date,
        DayInterval,
        Expression,
        FunctionError,
        Instant,
        Interval,
        IntervalStream,
        LogicalStream,
        MonthInterval,
        Multiset,
        NotationError,
        Plan,
        Query,
        RawStream,
        Row,
        ScalarFunction,
        Schema,
        SchemaError,
        Scope,
        SnapeqError,
        SparseStream,
        Stream,
        StreamError,
        Time,
        Timestamp,
        TooManyChanges,
        Type,
        TypeMismatch,
        Unsupported,
        Value,
        WindowError,
        aggregated,
        array_of,
        avg,
        bit_and,
        bit_or,
        bit_xor,
        call,
        canonical,
        case,
        cast,
        coalesce,
        col,
        corr,
        count,
        count_distinct,
        covar_pop,
        covar_samp,
        decimal,
        dense_rank,
        equivalent,
        evaluate,
        evaluate_sparse,
        first_value,
        fn,
        lag,
        last_value,
        lead,
        left,
        lit,
        max_,
        max_by,
        median,
        min_,
        min_by,
        mode,
        now,
        null,
        parse,
        parse_expression,
        parse_plan,
        percentile_cont,
        percentile_disc,
        physical_to_logical,
        rank,
        raw_to_logical,
        raw_to_physical,
        right,
        row_number,
        row_of,
        show,
        show_expression,
        source,
        stddev_pop,
        stddev_samp,
        string_agg,
        sum_,
        to_logical,
        top,
        try_cast,
        var_pop,
        var_samp,
    )
    from semantics.notation.json_plans import plan_to_json
    from semantics.notation.read_json_plans import plan_from_json
    from semantics.sql import parse_query, read_script, to_sql
    from semantics.sql.to_text.standard import standard_sql

    __version__: str
else:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return _version()
        if name == "spark":  # a module: it needs PySpark, so it is no part of `from snapeq import *`
            return _spark()
        if name not in __all__:
            raise AttributeError(f"module 'snapeq' has no attribute {name!r}")
        return _loaded(name)


__all__ = [
    "DEVIATIONS",
    "FOREVER",
    "GENERATED_FUNCTIONS",
    "NULL",
    "AggregateFunction",
    "ArithmeticOverflow",
    "CastError",
    "Column",
    "ColumnExpression",
    "CommandEngine",
    "Conformance",
    "Counterexample",
    "Date",
    "DayInterval",
    "Engine",
    "Expression",
    "Free",
    "FunctionError",
    "Instant",
    "Interval",
    "IntervalStream",
    "LogicalStream",
    "MonthInterval",
    "Multiset",
    "NotationError",
    "PhysicalStream",
    "Plan",
    "Query",
    "RawStream",
    "Row",
    "Rule",
    "ScalarFunction",
    "Schema",
    "SchemaError",
    "Scope",
    "Session",
    "Sides",
    "SnapeqError",
    "SparseStream",
    "Stream",
    "StreamError",
    "Time",
    "Timestamp",
    "TooManyChanges",
    "Type",
    "TypeMismatch",
    "Unsupported",
    "Value",
    "Verdict",
    "WindowError",
    "aggregated",
    "array_of",
    "avg",
    "bit_and",
    "bit_or",
    "bit_xor",
    "call",
    "canonical",
    "case",
    "cast",
    "check_engine",
    "check_function",
    "check_job",
    "check_optimizer",
    "check_plans",
    "check_protocol",
    "check_recording",
    "check_relation",
    "check_rule",
    "coalesce",
    "col",
    "conform",
    "corr",
    "count",
    "count_distinct",
    "covar_pop",
    "covar_samp",
    "decimal",
    "dense_rank",
    "equivalent",
    "evaluate",
    "evaluate_sparse",
    "exhaust",
    "explain",
    "first_value",
    "fn",
    "from_arrow",
    "lag",
    "last_value",
    "lead",
    "left",
    "lit",
    "load_engine",
    "max_",
    "max_by",
    "median",
    "min_",
    "min_by",
    "mode",
    "now",
    "null",
    "optimize",
    "parse",
    "parse_expression",
    "parse_plan",
    "parse_query",
    "percentile_cont",
    "percentile_disc",
    "physical_to_logical",
    "plan_from_json",
    "plan_to_json",
    "prove",
    "prove_rule",
    "rank",
    "raw_to_logical",
    "raw_to_physical",
    "read_case",
    "read_json",
    "read_script",
    "replay",
    "right",
    "row_number",
    "row_of",
    "rule",
    "run",
    "run_engine",
    "show",
    "show_expression",
    "source",
    "standard_sql",
    "stddev_pop",
    "stddev_samp",
    "strategies",
    "string_agg",
    "sum_",
    "to_arrow",
    "to_logical",
    "to_sql",
    "top",
    "try_cast",
    "var_pop",
    "var_samp",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _spark() -> ModuleType:
    """The module about DataFrames; without PySpark, an error says how to get it."""
    from physical.engines.spark.spark_session import check_installed

    check_installed()
    import snapeq.spark as module

    return module


def _version() -> str:
    from importlib.metadata import version

    return version("snapeq")


def _loaded(name: str) -> object:
    """One of the names above; if a package of another project hides one of ours, an ImportError says so."""
    from snapeq.own_packages import foreign_package

    problem = foreign_package()
    if problem is not None:
        raise ImportError(problem)
    from semantics.lazy_names import lazy_names

    return lazy_names(__name__)(name)
