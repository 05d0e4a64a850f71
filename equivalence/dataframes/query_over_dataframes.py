"""A query and the DataFrames of its streams, matched by name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from equivalence.dataframes.declare import InferredInput, Times, inferred_input
from equivalence.optimizer.optimize import optimize as optimized
from equivalence.query_files.query_over_files import QueryOverFiles, is_sql, read_query
from equivalence.query_files.stream_files import layout
from physical.engines.spark.decode_dataframe import frame_of
from physical.engines.spark.exchange import HEAVIEST, Spread
from physical.engines.spark.frame import Frame
from physical.engines.spark.spark_session import SHUFFLE_PARTITIONS
from physical.files.layout import Layout
from semantics import Plan, SnapeqError
from semantics.sql import Catalogue, SqlError, parse_script
from semantics.sql.catalogue import find
from semantics.sql.script import declared_names

CASE_SENSITIVE = "spark.sql.caseSensitive"


@dataclass(frozen=True)
class QueryOverDataFrames:
    """A query with a frame for each of its sources, all of one session."""

    query: QueryOverFiles
    frames: Mapping[str, Frame]
    spark: SparkSession

    @property
    def streams(self) -> list[str]:
        """The sources that are streaming DataFrames."""
        return [name for name, frame in self.frames.items() if frame.data.isStreaming]

    @property
    def milliseconds(self) -> int:
        """How long an instant is."""
        return 1000 if self.query.catalogue is None else self.query.catalogue.unit.value


def over_dataframes(query: str, inputs: Mapping[str, DataFrame], times: Times) -> QueryOverDataFrames:
    """Read a query, SQL or a plan in the notation, over these DataFrames."""
    if not inputs:
        raise SnapeqError("there is no DataFrame; expected one for each stream of the query, by its name")
    unknown = [name for name in times if name not in inputs]
    if unknown:
        raise SnapeqError(f"time of {unknown[0]}: there is no such input; there are: {', '.join(inputs)}")
    asked = _sql(query, inputs, times) if is_sql(query) else read_query(query)
    spark = next(iter(inputs.values())).sparkSession
    frames = {source.name: _frame(source.name, asked, inputs) for source in asked.sources}
    return QueryOverDataFrames(asked, frames, spark)


def plan_that_runs(asked: QueryOverDataFrames, optimize: bool = True) -> Plan:
    """The cheapest equal plan that is found, whatever the constraints; or the query as it is written."""
    return optimized(asked.query.plan).plan if optimize else asked.query.plan


def lazy_spread(spark: SparkSession, partitions: int | None, skewed: bool = False) -> Spread:
    """Jobs find out where they cut time; and if data are skewed, which keys are heavy, for which they look twice."""
    usual = int(spark.conf.get(SHUFFLE_PARTITIONS) or 1)
    return Spread(partitions or usual, heaviest=HEAVIEST if skewed else None, lazy=True)


def frame_by_layout(data: DataFrame, wanted: Layout, where: str) -> Frame:
    """A DataFrame as a stream; its columns match as names do in its session."""
    return frame_of(_renamed(data, wanted, where), wanted, where)


def _sql(text: str, inputs: Mapping[str, DataFrame], times: Times) -> QueryOverFiles:
    known, inferred = Catalogue(), []
    declared = {name.lower() for name in declared_names(text)}
    for name, data in inputs.items():
        if name.lower() not in declared:
            inferred.append(inferred_input(name, data, times))
            known.add(inferred[-1].declaration)
    try:
        script = parse_script(text, known)
    except SqlError as error:
        raise SnapeqError(f"query: {error}{_left_out(text, inferred)}") from None
    return QueryOverFiles(script.plan, script.catalogue)


def _left_out(text: str, inferred: list[InferredInput]) -> str:
    """What an error cannot know: the column is there, but of a type that queries do not have."""
    for one in inferred:
        for column, type_ in one.left_out.items():
            if re.search(rf"\b{re.escape(column)}\b", text, re.IGNORECASE):
                return (
                    f"; column {column} of {one.declaration.name} is {type_}, which a query cannot use: cast it first"
                )
    return ""


def _frame(name: str, query: QueryOverFiles, inputs: Mapping[str, DataFrame]) -> Frame:
    data = find(inputs, name)
    if data is None:
        raise SnapeqError(f"there is no DataFrame for {name}; there are: {', '.join(inputs)}")
    return frame_by_layout(data, layout(name, query), name)


def _renamed(data: DataFrame, wanted: Layout, where: str) -> DataFrame:
    """The columns that a layout names, called as there; columns that are missing are left to who reads them."""
    if str(data.sparkSession.conf.get(CASE_SENSITIVE, "false")).lower() == "true":
        return data
    optional = () if wanted.count is None else (wanted.count,)
    chosen = []
    for name in (*wanted.names, *optional):
        alike = [other for other in data.columns if other.lower() == name.lower()]
        if len(alike) > 1:
            raise SnapeqError(
                f"{where}: column {name} may be {' or '.join(alike)}; set {CASE_SENSITIVE}, or rename one"
            )
        chosen += [column_named(other).alias(name) for other in alike]
    return data.select(*chosen)


def column_named(name: str) -> Column:
    """The column with this name, whatever characters are in it."""
    return f.col("`" + name.replace("`", "``") + "`")
