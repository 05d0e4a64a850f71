"""Polars, by its SQL."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.expressions import parts
from physical.adapters.sql.functions import NUMBERS, TEXTS, Templates
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from semantics import Expression, Plan, Type
from semantics import aggregate as agg
from semantics import expression as expr
from semantics.expression import conjuncts
from semantics.over import EdgeValue, FrameAggregate, OverFunction
from semantics.plan import Antijoin, FullJoin, LeftJoin, RightJoin, Semijoin

if TYPE_CHECKING:
    import pyarrow as pa


POLARS_NUMBERS: Final = {key: NUMBERS[key] for key in ("abs(int)", "abs(float)", "floor(float)", "ceil(float)")}

POLARS_TEXTS: Final = {key: TEXTS[key] for key in ("length/1", "concat/2", "concat/3")}
"""It trims more than spaces, takes NULL for whitespace, and replaces constant texts only."""


class PolarsDialect(SqlDialect):
    aggregates = SqlDialect.aggregates - {agg.VarPop, agg.StddevPop}
    casts = SqlDialect.casts | {("int", "str"), ("bool", "int")}
    functions: ClassVar[Templates] = {**POLARS_TEXTS, **POLARS_NUMBERS}
    has_escapes = False
    has_pattern_columns = False

    def can_compute(self, function: OverFunction) -> bool:
        """It has no frames of a range, and no least or greatest text of a frame."""
        framed = function.frame if isinstance(function, FrameAggregate | EdgeValue) else None
        if isinstance(function, FrameAggregate) and isinstance(function.aggregate, agg.Min | agg.Max):
            return framed is not None and framed.unit == "rows" and function.aggregate.type is not Type.STR
        return super().can_compute(function) and (framed is None or framed.unit == "rows")

    def can_be_said(self, node: Plan) -> bool:
        """A subquery may compare columns with those outside, and filter its own rows, but do nothing else.

        What an outer join compares must be of one side each.
        """
        if isinstance(node, LeftJoin | RightJoin | FullJoin):
            compared = [part for part in parts(node.condition) if isinstance(part, expr.Comparison)]
            width = len(node.left.schema)
            return not any(_is_of_both(side, width) for one in compared for side in (one.left, one.right))
        if not isinstance(node, Semijoin | Antijoin):
            return True
        width = len(node.left.schema)
        return all(_is_comparison(part, width) or _is_within(part, width) for part in conjuncts(node.condition))


class PolarsEngine(RemoteSqlEngine):
    name = "polars"
    dialect = PolarsDialect()
    database = f"{__name__}:Database"
    differences = (*RemoteSqlEngine.differences, "special floats")  # NaN is no maximum there


def _is_comparison(part: Expression, width: int) -> bool:
    if not isinstance(part, expr.Comparison) or part.symbol == "<>":
        return False
    sides = part.left, part.right
    return all(isinstance(side, expr.Ref) for side in sides) and len({_is_within(side, width) for side in sides}) == 2


def _is_of_both(part: Expression, width: int) -> bool:
    return len({one.index < width for one in parts(part) if isinstance(one, expr.Ref)}) == 2


def _is_within(part: Expression, width: int) -> bool:
    """Is it about columns of the subquery alone?"""
    inner = [one for one in parts(part) if isinstance(one, expr.Ref | expr.Now)]
    return bool(inner) and all(isinstance(one, expr.Ref) and one.index >= width for one in inner)


class Database:
    """A new context for each query, which is optimized and then run as a whole."""

    def __init__(self) -> None:
        import polars

        self.version = polars.__version__

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        import polars

        frames = {name: polars.DataFrame(table).lazy() for name, table in tables.items()}
        return polars.SQLContext(frames).execute(sql, eager=True).rows()
