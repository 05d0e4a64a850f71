"""Bring together the rows that a stage needs together, distributed as evenly as the data allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from physical.engines.spark.dialect import SPARK, Dialect
from physical.engines.spark.frame import END, SPARK_TYPES, START, Frame, names
from physical.engines.spark.lazy_survey import lazily_surveyed
from physical.engines.spark.slices import SLICE, Slices
from physical.engines.spark.stage import SLICE_SCHEMA, SparkStage
from physical.engines.spark.survey import Goal, Survey, surveyed
from physical.engines.spark.worker_tasks import TAG, all_slots, slots
from physical.planning.partition_keys import Keys
from semantics import Schema, Type

HASH: Final = "_hash"
PARTITIONS_WORTH_CUTTING_WINDOWS: Final = 4
"""From this many partitions on, windows over the last rows are cut over time; on one it takes twice as long."""

HEAVIEST: Final = 1.5
"""How many average partitions the rows of a key may fill, unless it is said otherwise."""

PLACES_PER_PARTITION: Final = 16
"""Where partitions cannot be numbered: with more places than partitions, each gets about equally many of them."""


@dataclass(frozen=True)
class Spread:
    """The number of partitions of a stage, and what is done if its keys are uneven."""

    partitions: int = 1
    cuts: tuple[int, ...] | None = None
    """Where time is cut; with None, the data decide."""
    heaviest: float | None = HEAVIEST
    """A key with more rows than this many average partitions is cut over time; with None, no key is."""
    sample: float = 1.0
    """The fraction of the data that is surveyed for its distribution over keys and over time."""
    lazy: bool = False
    """May no job run before the result is used? Then jobs find for themselves where to cut."""
    dialect: Dialect = SPARK

    @property
    def places(self) -> int:
        """The number of places for rows: as many as partitions, or more if several may meet in one by chance."""
        return self.partitions if self.dialect.numbers_partitions else self.partitions * PLACES_PER_PARTITION

    @property
    def cuts_windows(self) -> bool:
        """Are windows over the last rows cut over time, if they have heavy keys or none?"""
        return (
            self.partitions > 1 and bool(self.cuts)
            if self.cuts is not None
            else (self.lazy or self.heaviest is not None) and self.partitions >= PARTITIONS_WORTH_CUTTING_WINDOWS
        )

    @property
    def finds_heavy_keys(self) -> bool:
        return self.heaviest is not None and self.partitions > 1

    @property
    def fixed_slices(self) -> Slices | None:
        """The slices that do not depend on the data, if there are such."""
        return Slices(self.cuts or ()) if self.cuts is not None or self.partitions == 1 else None

    def surveyed(self, data: DataFrame, hashed: Column | None = None) -> Survey:
        """The distribution of rows over time, and over keys if they have a hash."""
        by_key = hashed if self.finds_heavy_keys else None
        fixed = self.fixed_slices
        if fixed is not None and by_key is None:
            return Survey((), fixed, fixed)
        goal = Goal(self.partitions, self.heaviest)
        found = lazily_surveyed(data, goal, by_key) if self.lazy else surveyed(data, goal, self.sample, by_key)
        return found if fixed is None else Survey(found.heavy, fixed, fixed)


ONE_PARTITION: Final = Spread()


def gathered(stage: SparkStage, frames: Sequence[Frame], spread: Spread, found: Survey | None = None) -> DataFrame:
    """All inputs as one frame, every row on the partition where it is needed; a survey is made if none is given."""
    if spread.partitions == 1 and not spread.cuts:
        return _in_one_place(stage, frames, spread)
    if stage.keyed:
        return _by_keys(stage, frames, spread, found)
    return _over_time(stage, frames, spread, found) if stage.over_time else _in_one_place(stage, frames, spread)


def _in_one_place(stage: SparkStage, frames: Sequence[Frame], spread: Spread) -> DataFrame:
    """All rows on one task. What is large is still read by many, and only then exchanged."""
    together = _together(stage, frames)
    if stage.wants_slices:
        together = together.unionAll(_here(Slices(()), frames, together))
    return together.repartition(1) if spread.finds_heavy_keys else together.coalesce(1)


def _over_time(stage: SparkStage, frames: Sequence[Frame], spread: Spread, found: Survey | None) -> DataFrame:
    together = _together(stage, frames)
    slices = (found or spread.surveyed(together)).slices
    pieces = slices.cut(together)
    if stage.wants_slices:
        here = _here(slices, frames, together)
        pieces = pieces.unionAll(here.withColumn(SLICE, f.col(slots(SLICE_SCHEMA)[0]).cast("int")))
    return placed(pieces, f.pmod(f.col(SLICE), f.lit(spread.partitions)), spread).drop(SLICE)


def _by_keys(stage: SparkStage, frames: Sequence[Frame], spread: Spread, found: Survey | None) -> DataFrame:
    """Partition by the hash of the keys. The hash is not sent along: every column costs as much as the kernels."""
    together, hashed = _together(stage, frames), _hashed(stage, frames)
    if stage.over_time and spread.finds_heavy_keys:
        found = found or spread.surveyed(together, hashed)
        if found.may_cut:
            pieces = found.heavy_slices.cut(together, found.is_heavy(hashed))
            return placed(pieces, place(hashed, spread, f.col(SLICE)), spread).drop(SLICE)
    return placed(together, place(hashed, spread), spread)


def _together(stage: SparkStage, frames: Sequence[Frame]) -> DataFrame:
    """All inputs with the same columns; a single one needs no tag."""
    together = tagged(frames, more=_more(stage))
    return together if len(frames) > 1 or stage.wants_slices else together.drop(TAG)


def _hashed(stage: SparkStage, frames: Sequence[Frame]) -> Column:
    """The hash of the keys of a row, by the input that it comes from."""
    hashes = [key_hash(frame.schema, keys, slots) for frame, (_, keys) in zip(frames, stage.inputs, strict=True)]
    own = f.when(f.col(TAG) == 0, hashes[0]) if hashes[1:] else hashes[0]
    return reduce(lambda found, tag: found.when(f.col(TAG) == tag, hashes[tag]), range(1, len(hashes)), own)


def slices_of(frames: Sequence[Frame], spread: Spread, found: Survey | None = None) -> Slices:
    """As many slices as partitions, with about equally many rows each, from a survey or from these frames."""
    if found is None:
        found = spread.surveyed(reduce(DataFrame.unionAll, (frame.data.select(START) for frame in frames)))
    return found.slices


def time_of(frame: Frame, keys: Keys, spread: Spread, found: Survey | None = None) -> tuple[Slices, Column]:
    """How a stream is cut over time, and which rows are cut: those of heavy keys, or all if there are no keys."""
    if not keys:
        return (found or spread.surveyed(frame.data)).slices, f.lit(True)
    hashed = key_hash(frame.schema, keys)
    found = found or spread.surveyed(frame.data, hashed)
    return found.heavy_slices, found.is_heavy(hashed)


def by_slices(frame: Frame, keys: Keys, spread: Spread) -> DataFrame:
    """Partition a stream whose last column is the slice number; slices of one key go to different partitions."""
    hashed = key_hash(frame.schema, keys, slots) if keys else f.lit(0)
    together = tagged([frame]).drop(TAG)
    return placed(together, place(hashed, spread, f.col(slots(frame.schema)[-1])), spread)


def place(hashed: Column, spread: Spread, number: Column | None = None) -> Column:
    """The partition of a row: by its hash alone, or moved on by the number of its slice."""
    parts = f.lit(spread.places)
    first = f.pmod(hashed, parts)
    return (first if number is None else f.pmod(first + number, parts)).cast("int")


def placed(data: DataFrame, where: Column, spread: Spread) -> DataFrame:
    """Rows of one place on one partition; others may be there as well."""
    if spread.dialect.numbers_partitions:
        return data.repartitionById(spread.partitions, where)
    return data.repartition(spread.partitions, where)


def survey(stage: SparkStage, frames: Sequence[Frame], spread: Spread) -> Survey | None:
    """The distribution of the rows of a stage over its keys and over time; None if it does not matter."""
    if stage.keyed and not spread.finds_heavy_keys:
        return None
    return spread.surveyed(_together(stage, frames), _hashed(stage, frames) if stage.keyed else None)


def tagged(frames: Sequence[Frame], keys: Sequence[Keys] | None = None, more: Sequence[Schema] = ()) -> DataFrame:
    """All frames with the same columns: slots, times, a tag, and the hash of the keys if they are given."""
    everything = all_slots([*(frame.schema for frame in frames), *more])
    made = [_one(frame, tag, everything, None if keys is None else keys[tag]) for tag, frame in enumerate(frames)]
    return reduce(lambda one, other: one.unionAll(other), made)


def _one(frame: Frame, tag: int, everything: dict[str, Type], keys: Keys | None) -> DataFrame:
    own = dict(zip(slots(frame.schema), names(frame.schema), strict=True))
    columns = [
        (f.col(own[slot]) if slot in own else f.lit(None).cast(SPARK_TYPES[type_])).alias(slot)
        for slot, type_ in everything.items()
    ]
    hashed = [] if keys is None else [key_hash(frame.schema, keys).alias(HASH)]
    return frame.data.select(*columns, START, END, f.lit(tag).alias(TAG), *hashed)


def key_hash(schema: Schema, keys: Keys, called: Callable[[Schema], list[str]] = names) -> Column:
    """A hash of columns, the same for rows that count as the same."""
    return f.xxhash64(*(identified(f.col(called(schema)[k]), schema.types[k]) for k in keys))


def identified(column: Column, type_: Type) -> Column:
    """The column with one NaN and one zero, because all NaNs and both zeros count as the same."""
    if type_.element is not None and _has_floats(type_):
        element = type_.element
        return f.transform(column, lambda one: identified(one, element))
    if type_.fields is not None and _has_floats(type_):
        parts = [identified(column.getItem(name), part).alias(name) for name, part in type_.fields]
        return f.when(column.isNotNull(), f.struct(*parts))
    if type_ is not Type.FLOAT:
        return column
    return f.when(column == 0, f.lit(0.0)).when(f.isnan(column), f.lit(float("nan"))).otherwise(column)


def _has_floats(type_: Type) -> bool:
    parts = [type_.element] if type_.element is not None else [part for _, part in type_.fields or ()]
    return type_ is Type.FLOAT or any(map(_has_floats, parts))


def _here(slices: Slices, frames: Sequence[Frame], together: DataFrame) -> DataFrame:
    """The slices as one more input."""
    frame = Frame(slices.rows(together.sparkSession), SLICE_SCHEMA)
    return _one(frame, len(frames), all_slots([*(other.schema for other in frames), SLICE_SCHEMA]), None)


def _more(stage: SparkStage) -> tuple[Schema, ...]:
    return (SLICE_SCHEMA,) if stage.wants_slices else ()
