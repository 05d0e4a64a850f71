"""Plans as lazy frames over tables of snapshots: filter, select, unique, group_by, group_by_dynamic, joins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

from physical.adapters.polars_frames.expressions import TYPES, frame_aggregate, frame_expression
from semantics import FOREVER, Expression, Plan, Type, Unsupported
from semantics import expression as expr
from semantics import plan as op
from semantics.expression import conjuncts

HOW: Final[Mapping[type[Plan], Literal["left", "right", "full", "semi", "anti"]]] = {
    op.LeftJoin: "left",
    op.RightJoin: "right",
    op.FullJoin: "full",
    op.Semijoin: "semi",
    op.Antijoin: "anti",
}
Grouped = op.Aggregation | op.Grouping
Conditional = op.Join | op.LeftJoin | op.RightJoin | op.FullJoin | op.Semijoin | op.Antijoin


@dataclass(frozen=True)
class Frames:
    """Makes frames with the columns t, c0, c1, …; without sources they are empty, which says whether there is one."""

    sources: Mapping[str, pl.LazyFrame] | None
    horizon: int

    def of(self, plan: Plan) -> pl.LazyFrame:
        match plan:
            case op.Source(name=name):
                return self._empty(plan) if self.sources is None else self.sources[name]
            case op.Filter(predicate=predicate):
                return self.of(plan.input).filter(frame_expression(predicate, names(plan.input)))
            case op.Map(expressions=expressions):
                made = [frame_expression(e, names(plan.input)).alias(f"c{i}") for i, e in enumerate(expressions)]
                return self.of(plan.input).select("t", *made)
            case op.Distinct():
                return self.of(plan.input).unique()
            case op.Rstream():
                return self.of(plan.input)
            case op.Aggregation(on_empty=False) | op.Grouping():
                return self._grouped(plan)
            case op.Union():
                return pl.concat([self.of(plan.left), self.of(plan.right)])
            case op.Difference() | op.Intersection():
                how: Literal["anti", "semi"] = "anti" if isinstance(plan, op.Difference) else "semi"
                return _numbered_join(self.of(plan.left), self.of(plan.right), names(plan), how)
            case op.Istream() | op.Dstream():
                now = self.of(plan.input)
                before = now.with_columns(pl.col("t") + 1).filter(pl.col("t") < self.horizon)
                sides = (now, before) if isinstance(plan, op.Istream) else (before, now)
                return _numbered_join(*sides, names(plan), "anti")
            case op.Product():
                return self._inner(plan, [])
            case op.Join(condition=condition):
                return self._inner(plan, list(conjuncts(condition)))
            case op.LeftJoin() | op.RightJoin() | op.FullJoin() | op.Semijoin() | op.Antijoin():
                return self._outer(plan)
            case op.TimeWindow(size=size, slide=slide):
                return self._windowed(plan.input, None if size == FOREVER else int(size), slide)
            case _:
                raise Unsupported(f"no operator of Polars for {plan.operator}")

    def _empty(self, plan: Plan) -> pl.LazyFrame:
        types = {f"c{i}": TYPES[type_] for i, type_ in enumerate(plan.schema.types)}
        return pl.LazyFrame(schema={"t": pl.Int64, **types})

    def _grouped(self, plan: Grouped) -> pl.LazyFrame:
        keys = [f"c{key}" for key in plan.keys] if isinstance(plan, op.Grouping) else []
        made = [frame_aggregate(a, pl.col(f"x{i}")).alias(f"a{i}") for i, a in enumerate(plan.aggregates)]
        window = plan.input
        if isinstance(window, op.TimeWindow) and window.size != FOREVER and not plan.mentions_now:
            found = self._dynamic(plan, window, keys, made)
        else:
            found = self._with_arguments(plan, self.of(plan.input)).group_by("t", *keys).agg(made)
        listed = [*keys, *(f"a{i}" for i in range(len(made)))]
        return found.select("t", *(pl.col(name).alias(f"c{i}") for i, name in enumerate(listed)))

    def _with_arguments(self, plan: Grouped, rows: pl.LazyFrame) -> pl.LazyFrame:
        """What the aggregates are about as columns: a constant is one value there, however many rows a group has."""
        arguments = [(i, a.argument) for i, a in enumerate(plan.aggregates) if a.argument is not None]
        return rows.with_columns(frame_expression(a, names(plan.input)).alias(f"x{i}") for i, a in arguments)

    def _dynamic(
        self, plan: Grouped, window: op.TimeWindow, keys: Sequence[str], made: Sequence[pl.Expr]
    ) -> pl.LazyFrame:
        """Its own windows, which include their right end if they are told to; each is seen until the next one.

        Without the offset, those that begin before the first row but hold it would be missing.
        """
        size, slide = int(window.size), window.slide
        rows = self._with_arguments(plan, self.of(window.input)).sort("t")
        panes = rows.group_by_dynamic(
            "t",
            every=f"{slide}i",
            period=f"{size}i",
            offset=f"{-size}i",
            closed="right",
            label="right",
            group_by=list(keys),
            start_by="window",
        ).agg(made)
        seen = panes.with_columns(t=pl.int_ranges(pl.col("t"), pl.col("t") + slide)).explode("t")
        return seen.filter((pl.col("t") >= 0) & (pl.col("t") < self.horizon))

    def _windowed(self, below: Plan, size: int | None, slide: int) -> pl.LazyFrame:
        """A join by inequalities with all instants."""
        instants = pl.LazyFrame({"i": pl.int_range(self.horizon, eager=True, dtype=pl.Int64)})
        upto = instants.with_columns(upto=pl.col("i") - pl.col("i") % slide)
        bounds = [pl.col("t") <= pl.col("upto")]
        if size is not None:
            upto, bounds = upto.with_columns(after=pl.col("upto") - size), [*bounds, pl.col("t") > pl.col("after")]
        return self.of(below).join_where(upto, *bounds).select(pl.col("i").alias("t"), *names(below))

    def _right(self, plan: op.Binary) -> tuple[pl.LazyFrame, list[str]]:
        renamed = {name: f"r{i}" for i, name in enumerate(names(plan.right))}
        return self.of(plan.right).rename({"t": "rt", **renamed}), [*names(plan.left), *renamed.values()]

    def _inner(self, plan: op.Product | op.Join, conditions: Sequence[Expression]) -> pl.LazyFrame:
        right, columns = self._right(plan)
        held = [frame_expression(condition, columns) for condition in conditions]
        both = self.of(plan.left).join_where(right, pl.col("t") == pl.col("rt"), *held)
        return both.select("t", *(pl.col(name).alias(f"c{i}") for i, name in enumerate(columns)))

    def _outer(self, plan: Conditional) -> pl.LazyFrame:
        right, columns = self._right(plan)
        pairs = [_equal_columns(part, len(plan.left.schema)) for part in conjuncts(plan.condition)]
        on = [["t", *(columns[pair[0]] for pair in pairs)], ["rt", *(columns[pair[1]] for pair in pairs)]]
        how = HOW[type(plan)]
        both = self.of(plan.left).join(
            right, left_on=on[0], right_on=on[1], how=how, coalesce=None if how in ("semi", "anti") else False
        )
        if how in ("semi", "anti"):
            return both
        instant = {"left": pl.col("t"), "right": pl.col("rt"), "full": pl.coalesce("t", "rt")}[how]
        return both.select(instant.alias("t"), *(pl.col(name).alias(f"c{i}") for i, name in enumerate(columns)))


def names(plan: Plan) -> list[str]:
    return [f"c{i}" for i in range(len(plan.schema))]


def _equal_columns(part: Expression, width: int) -> tuple[int, int]:
    """The columns of both sides that must be equal; raises Unsupported if the condition says anything else."""
    match part:
        case expr.Comparison(symbol="=", left=expr.Ref(index=i, type=a), right=expr.Ref(index=j, type=b)) if a is b:
            first, second = sorted((i, j))
            if first < width <= second and a is not Type.FLOAT:
                return first, second
    raise Unsupported("Polars joins on more than equal columns are inner ones")


def _numbered_join(
    left: pl.LazyFrame, right: pl.LazyFrame, columns: Sequence[str], how: Literal["semi", "anti"]
) -> pl.LazyFrame:
    """Equal rows are numbered, so that each finds its own partner."""
    keys = ["t", *columns]
    sides = [side.with_columns(copy=pl.int_range(pl.len()).over(keys)) for side in (left, right)]
    return sides[0].join(sides[1], on=[*keys, "copy"], how=how, nulls_equal=True).select(keys)
