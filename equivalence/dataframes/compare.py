"""DataFrames compared: with the right answer to a query, or with each other."""

from collections.abc import Mapping

from pyspark.sql import DataFrame

from equivalence.dataframes.declare import Times
from equivalence.dataframes.query_over_dataframes import lazy_spread, over_dataframes, plan_that_runs
from equivalence.dataframes.result_frames import own_schema, result_frame
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from physical.engines.spark.canonical_jobs import canonical_result, first_difference
from physical.engines.spark.compile import Compiler
from physical.engines.spark.exchange import Spread
from physical.engines.spark.frame import Frame, clipped
from physical.engines.spark.supported import check_supported
from physical.engines.spark.worker_python import by_this_python
from semantics import Column, Plan, Schema, SnapeqError, Type, Unsupported


@by_this_python()
def check(
    query: str,
    inputs: Mapping[str, DataFrame],
    output: DataFrame,
    *,
    time: Times | None = None,
    horizon: int | None = None,
    partitions: int | None = None,
    skewed: bool = False,
) -> Verdict:
    """Is a DataFrame the right answer to a query? If not, the verdict holds the first wrong instant.

    The answer has the query's columns and `_start`, `_end`, `_count`; rows may overlap, repeat and stand in any order.
    Columns of other names are compared by position, and the evidence says so. With `skewed`, keys with far more rows
    than others are cut over time (see `sql`).
    """
    asked = over_dataframes(query, inputs, time or {})
    if asked.streams:
        raise Unsupported(f"{asked.streams[0]} is a streaming DataFrame; check what it has written, with spark.read")
    plan, spread = asked.query.plan, lazy_spread(asked.spark, partitions, skewed)
    check_supported(asked.query.plan)
    right = canonical_result(plan_that_runs(asked), Compiler(asked.frames, spread, horizon)).runs
    named, remark = _with_names(output, plan.schema, "output")
    theirs = clipped(result_frame(named, "output", plan.schema, asked.milliseconds), horizon)
    return _verdict(right, theirs, spread, ("the right answer", "output"), (plan,), remark)


@by_this_python()
def diff(left: DataFrame, right: DataFrame, *, partitions: int | None = None, skewed: bool = False) -> Verdict:
    """Do two results hold the same rows equally often at every instant? If not, the verdict says where first."""
    schemas = own_schema(left, "left"), own_schema(right, "right")
    named, remark = _with_names(right, schemas[0], "right")
    schema = _common(schemas[0], own_schema(named, "right"))
    frames = result_frame(left, "left", schema), result_frame(named, "right", schema)
    return _verdict(*frames, lazy_spread(left.sparkSession, partitions, skewed), ("left", "right"), (), remark)


def _with_names(data: DataFrame, wanted: Schema, where: str) -> tuple[DataFrame, str]:
    """Columns by name if they have the wanted names in any order; otherwise by position, with a remark."""
    own = own_schema(data, where).names
    if {name.lower() for name in own} == {name.lower() for name in wanted.names}:
        return data, ""
    if len(own) != len(wanted):
        raise SnapeqError(f"{where}: expected the columns {', '.join(wanted.names)}, got {', '.join(own)}")
    position = dict(zip(own, wanted.names, strict=True))
    renamed = data.toDF(*(position.get(name, name) for name in data.columns))
    return renamed, f"columns are compared by position: {', '.join(own)} as {', '.join(wanted.names)}"


def _common(left: Schema, right: Schema) -> Schema:
    """The type of a column on both sides; an integer on one of them is compared with floats on the other."""
    theirs = {name.lower(): type_ for name, type_ in zip(right.names, right.types, strict=True)}
    columns = []
    for name, mine in zip(left.names, left.types, strict=True):
        types = {mine, theirs[name.lower()]}
        if len(types) > 1 and types != {Type.INT, Type.FLOAT}:
            raise SnapeqError(
                f"column {name} is {mine.value} on the left and {theirs[name.lower()].value} on the right"
            )
        columns.append(Column(name, Type.FLOAT if len(types) > 1 else mine))
    return Schema(tuple(columns))


def _verdict(
    left: Frame, right: Frame, spread: Spread, names: tuple[str, str], plans: tuple[Plan, ...], remark: str
) -> Verdict:
    found = first_difference(left, right, spread)
    evidence: dict[str, object] = {"how": "compared", "left": names[0], "right": names[1]}
    evidence |= {"remark": remark} if remark else {}
    if found is None:
        return Verdict("agreed", evidence)
    evidence |= dict(zip(("left_rows", "right_rows"), found.sizes, strict=True))
    return Verdict("refuted", evidence, Counterexample(plans, {}, found.instant, found.left, found.right))
