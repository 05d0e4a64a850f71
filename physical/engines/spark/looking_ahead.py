"""Operators that look ahead: for a result up to a horizon, rows after it are needed."""

from dataclasses import replace

from pyspark.sql import functions as f

from physical.engines.spark.compile import Compiler
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import END, START, Frame, clipped
from physical.kernels.types import ENDLESS
from semantics import Plan
from semantics.lookahead import known_until


def result(plan: Plan, compiler: Compiler) -> Frame:
    """The result of a plan up to the horizon of the compiler."""
    return clipped(seeing_ahead(plan, compiler).frame(plan), compiler.horizon)


def seeing_ahead(plan: Plan, compiler: Compiler) -> Compiler:
    """A compiler with the same sources that sees as much of them as the plan looks at."""
    if compiler.horizon is None or not plan.has_lookahead:
        return compiler
    return replace(compiler, horizon=_until(plan, compiler.horizon, compiler), made={}, surveys={})


def _until(plan: Plan, horizon: int, compiler: Compiler) -> int | None:
    """Where nothing changes any more, found by a job for each source; where none may run yet, all is looked at."""
    if compiler.spread.lazy:
        return None
    return known_until(plan, horizon, lambda name: _last_change(compiler.source(name, plan.sources()[name])))


def _last_change(frame: Frame) -> int:
    bounds = f.greatest(f.max(START), f.max(f.when(f.col(END) < ENDLESS, f.col(END))))
    with readable_errors():
        (found,) = frame.data.agg(bounds).collect()
    return found[0] or 0
