"""Daft, by its SQL."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from physical.adapters.sql.dialect import SqlDialect
from physical.adapters.sql.expressions import parts
from physical.adapters.sql.remote_engine import RemoteSqlEngine, Rows
from semantics import Expression, Plan
from semantics import expression as expr
from semantics import plan as op
from semantics.expression import conjuncts

if TYPE_CHECKING:
    import pyarrow as pa


NOT_THERE: Final = (
    *(op.TimeWindow, op.LandmarkWindow, op.CountWindow, op.PartitionedWindow),  # joins by inequalities
    *(op.Difference, op.Intersection),  # EXCEPT ALL, and row numbers without an order
    op.Over,
    *(op.Istream, op.Dstream),  # a common table that is used twice
)


class DaftDialect(SqlDialect):
    has_escapes = False
    has_float_modulo = False

    def can_be_said(self, node: Plan) -> bool:
        """It joins on equal columns only, knows no NULLIF, no IS DISTINCT FROM, and ranks nothing without an order."""
        if isinstance(node, NOT_THERE) or (isinstance(node, op.Aggregation) and node.on_empty):
            return False
        if isinstance(node, op.Grouping) and node.keys != tuple(range(len(node.keys))):
            return False  # a key that is given the name of another column is ambiguous there
        if isinstance(node, op.Limit) and not node.order and node.ranking != "rows":
            return False
        if isinstance(node, Conditional) and not all(map(_is_equality, conjuncts(node.condition))):
            return False
        return not any(_lacks(part) for root in node.own_expressions for part in parts(root))

    def inside(self, text: str, options: Sequence[str]) -> str:
        """Its IN takes no notice of a NULL with a type."""
        return f"({' OR '.join(f'({text} = {option})' for option in options)})"


Conditional = op.Join | op.LeftJoin | op.RightJoin | op.FullJoin | op.Semijoin | op.Antijoin


def _is_equality(part: Expression) -> bool:
    match part:
        case expr.Comparison(symbol="=", left=expr.Ref(type=left), right=expr.Ref(type=right)):
            return left is right
        case _:
            return False


def _lacks(part: Expression) -> bool:
    return isinstance(part, expr.IsDistinct) or (isinstance(part, expr.Arithmetic) and part.symbol in ("/", "MOD"))


class DaftEngine(RemoteSqlEngine):
    name = "daft"
    dialect = DaftDialect()
    database = f"{__name__}:Database"


class Database:
    """Tables are bound by name for each query."""

    def __init__(self) -> None:
        import daft

        self.version = daft.__version__

    def ask(self, tables: "Mapping[str, pa.Table]", sql: str) -> Rows:
        import daft

        frames = {name: daft.from_arrow(table) for name, table in tables.items()}
        found = daft.sql(sql, **frames).to_arrow()
        return zip(*(column.to_pylist() for column in found.columns), strict=True)
