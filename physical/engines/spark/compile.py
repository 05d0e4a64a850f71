"""From plans to frames: stateless operators become expressions, all others are computed stage by stage."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from physical.engines.spark.exchange import (
    ONE_PARTITION,
    Spread,
    by_slices,
    gathered,
    survey,
    tagged,
    time_of,
)
from physical.engines.spark.frame import Frame, clipped, spark_schema, unioned
from physical.engines.spark.last_rows import AnyRows, keys_of
from physical.engines.spark.native import Stateless, applied, has_native_form, split
from physical.engines.spark.sliced_count_windows import (
    can_be_cut,
    with_slices,
    with_the_past,
    within_slices,
)
from physical.engines.spark.stage import SLICE_SCHEMA, SparkStage, chooses_results, stage, within
from physical.engines.spark.survey import Survey
from physical.engines.spark.worker_tasks import TAG, EachBatch, Task, source
from physical.planning.partition_keys import Keys
from semantics import Plan, Schema, StreamError
from semantics.plan import CountWindow, Dstream, Istream, Map, PartitionedWindow, Source, Union, Unnest


@dataclass
class Compiler:
    """Plans over these sources, up to a horizon if one is given; equal subplans are one frame."""

    sources: Mapping[str, Frame]
    spread: Spread = ONE_PARTITION
    horizon: int | None = None
    made: dict[Plan, Frame] = field(default_factory=dict)
    surveys: dict[tuple[tuple[Plan, Keys], ...], Survey | None] = field(default_factory=dict)
    """What is known of the rows of these plans, partitioned by these keys: each survey reads the whole input."""

    def frame(self, plan: Plan) -> Frame:
        """The result of a plan."""
        if plan not in self.made:
            self.made[plan] = self._made(plan)
        return self.made[plan]

    def _made(self, plan: Plan) -> Frame:
        match plan:
            case Source():
                return clipped(self.source(plan.name, plan.schema), self.horizon)
            case Union():
                return unioned([self.frame(child) for child in plan.inputs])
            case CountWindow() if self._cuts(plan):
                return self._cut(plan)
            case Map() if chooses_results(plan) and not self._cuts(plan.input):
                return self._by_stage(plan)
            case Unnest():
                return self._by_batches(plan, self.frame(plan.input))
            case _ if isinstance(plan, Stateless):
                return self._stateless(plan)
            case _:
                return self._by_stage(plan)

    def _cuts(self, plan: Plan) -> bool:
        """Is it a window that is always cut over time, because it has no keys?"""
        return isinstance(plan, CountWindow) and can_be_cut(plan) and self.spread.cuts_windows

    def _stateless(self, plan: Stateless) -> Frame:
        below = self.frame(plan.input)
        native = has_native_form(plan, self.spread.dialect)
        return applied(plan, below, self.horizon) if native else self._by_batches(plan, below)

    def source(self, name: str, schema: Schema) -> Frame:
        """A source as it was given, if it has the columns of this schema."""
        if name not in self.sources:
            given = ", ".join(sorted(self.sources)) or "none"
            raise StreamError(f"run: no stream is given for source {name!r}; given: {given}")
        found = self.sources[name]
        if found.schema != schema:
            raise StreamError(f"run: source {name!r} must have columns {schema}, got {found.schema}")
        return found

    def _by_batches(self, plan: Stateless | Unnest, below: Frame) -> Frame:
        """A stateless operator whose expressions Spark does not have: workers treat batch after batch."""
        task = Task(plan.with_inputs(source(0, below.schema)), (below.schema,), self.horizon)
        data = tagged([below]).drop(TAG).mapInArrow(EachBatch(task), spark_schema(plan.schema))
        return Frame(data, plan.schema, below.chronons)

    def _by_stage(self, plan: Plan) -> Frame:
        found = stage(plan)
        windows = [node for node in within(plan, found) if isinstance(node, PartitionedWindow) and can_be_cut(node)]
        if windows and self.spread.cuts_windows and self._may_have_heavy_key(found):
            self.made |= {window: self._cut(window) for window in windows}
            if plan in self.made:
                return self.made[plan]
            if isinstance(plan, Map) and plan.input in self.made:
                return self._stateless(plan)
            found = stage(plan, windows)
        return self._staged(plan, found)

    def _staged(self, plan: Plan, found: SparkStage) -> Frame:
        frames = [self.frame(child) for child, _ in found.inputs]
        together = gathered(found, frames, self.spread, self.survey(found) if found.over_time else None)
        schemas = tuple(frame.schema for frame in frames) + ((SLICE_SCHEMA,) if found.wants_slices else ())
        data = together.mapInArrow(Task(found.plan, schemas, self.horizon), spark_schema(plan.schema))
        return Frame(data, plan.schema, isinstance(plan, Istream | Dstream))

    def survey(self, found: SparkStage) -> Survey | None:
        """The distribution of the rows of a stage, found once for all stages with the same inputs."""
        if found.inputs not in self.surveys:
            frames = [self.frame(child) for child, _ in found.inputs]
            self.surveys[found.inputs] = survey(found, frames, self.spread)
        return self.surveys[found.inputs]

    def any_survey(self) -> Survey | None:
        """A survey that has been made, if there is one: it says at least how rows are spread over time."""
        return next((found for found in self.surveys.values() if found is not None), None)

    def _may_have_heavy_key(self, found: SparkStage) -> bool:
        known = self.survey(found)
        return known is not None and known.may_cut

    def _cut(self, plan: AnyRows) -> Frame:
        """A window over the last rows, cut over time for heavy keys or without keys; other keys stay whole."""
        below = split(clipped(self.frame(plan.input), self.horizon))
        slices, where = time_of(below, keys_of(plan), self.spread, self._survey_below(plan))
        rows = with_the_past(below, plan, slices, where, self.spread)
        inside = with_slices(plan)
        task = Task(inside, (rows.schema,), self.horizon)
        data = by_slices(rows, keys_of(plan), self.spread).mapInArrow(task, spark_schema(inside.schema))
        return within_slices(Frame(data, inside.schema), slices, plan.schema)

    def _survey_below(self, plan: AnyRows) -> Survey | None:
        """The survey of the rows of a window; None if they are still to be split, because then there are others."""
        if not self.frame(plan.input).chronons:
            return None
        return self.survey(SparkStage(source(0, plan.schema), ((plan.input, keys_of(plan)),)))
