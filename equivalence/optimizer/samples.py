"""Some rows of a plan's output, from some rows of its sources: what share of them a predicate keeps."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from semantics import ArithmeticOverflow, FunctionError, Plan, Type
from semantics import plan as op
from semantics.now_in_expressions import now_as_column

if TYPE_CHECKING:  # numpy takes time to import; without samples nothing needs it
    from physical.columns.stream import PhysicalStream

FEWEST_ROWS: Final = 20
"""The share among fewer rows says little."""


class Samples:
    """Samples of plans over sources of which there are samples; where rows meet others, there is none."""

    def __init__(self, sources: "Mapping[str, PhysicalStream | None]") -> None:
        self._sources = sources
        self._found: dict[Plan, PhysicalStream | None] = {}

    def share(self, selection: op.Filter) -> float | None:
        """The share of rows that pass, never quite 0 or 1; None if there are too few rows to tell."""
        before, after = self.of(selection.input), self.of(selection)
        if before is None or after is None or len(before) < FEWEST_ROWS:
            return None
        return (len(after) + 0.5) / (len(before) + 1)

    def of(self, plan: Plan) -> "PhysicalStream | None":
        if plan not in self._found:
            self._found[plan] = self._sampled(plan)
        return self._found[plan]

    def _sampled(self, plan: Plan) -> "PhysicalStream | None":
        if isinstance(plan, op.Source):
            return self._sources.get(plan.name)
        if not isinstance(plan, op.Filter | op.Map | op.TimeWindow | op.LandmarkWindow | op.Rstream):
            return None
        below = self.of(plan.input)
        try:
            return None if below is None else _through(plan, below)
        except (ArithmeticOverflow, FunctionError):
            return None


def _through(plan: Plan, rows: "PhysicalStream") -> "PhysicalStream":
    from physical.columns.column import ColumnVector
    from physical.columns.expressions import evaluate, holds

    columns, width = (*rows.columns, ColumnVector(Type.INT, rows.start)), len(rows.columns)
    match plan:
        case op.Filter(predicate=predicate):
            return rows.take(holds(now_as_column(predicate, width), columns, len(rows)))
        case op.Map(expressions=expressions):
            made = [evaluate(now_as_column(expression, width), columns, len(rows)) for expression in expressions]
            return rows.with_columns(plan.schema, made)
        case _:
            return rows
