"""Five operators at a size: ours on Spark, the best Spark SQL, and our engine on one thread."""

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

from benchmarks.spark import sql
from benchmarks.spark.data import keys_only, skewed, table, uniform
from physical import run
from physical.engines.spark.canonical_jobs import canonical
from physical.engines.spark.compile import Compiler
from physical.engines.spark.exchange import Spread, gathered, key_hash
from physical.engines.spark.frame import Frame
from physical.engines.spark.stage import stage
from physical.files.canonical_runs import counted, runs_of
from semantics import Plan, parse_plan

KEYS = 10_000
LENGTH = 5_000
"""With this length and KEYS keys, a row meets about one other row of its key."""
PLANS: dict[str, Plan | None] = {
    "join": parse_plan(
        "join(A(k int, x int), B(k int, x int) | map(k as l, x as y); k = l) | map(k as k, x as x, y as y)"
    ),
    "grouped": parse_plan("A(k int, x int) | group(k; count(*) as n, sum(x) as s)"),
    "distinct": parse_plan("A(k int) | distinct"),
    "difference": parse_plan("difference(A(k int), B(k int))"),
    "canonical": None,
}
SAMPLED_ROWS_PER_PARTITION = 8192
"""About as many as the command takes from files of such rows."""
BY_ROW = parse_plan("A(k int) | distinct")
"""What the canonical form needs together, distinct does, too."""
SQL = {
    "join": sql.JOIN,
    "grouped": sql.GROUPED,
    "distinct": sql.DISTINCT,
    "difference": sql.DIFFERENCE,
    "canonical": sql.CANONICAL,
}


@dataclass(frozen=True)
class Job:
    """One piece of work on data of a size."""

    name: str
    spark: SparkSession
    size: int
    parts: int
    skewed: bool = False

    def frames(self) -> dict[str, Frame]:
        make = skewed if self.skewed else uniform
        made = {s: make(self.spark, self.size, i * 7, KEYS, LENGTH, self.parts) for i, s in enumerate("AB")}
        wide = self.name in ("join", "grouped")
        return made if wide else {name: keys_only(frame) for name, frame in made.items()}

    def inputs(self) -> list[Frame]:
        """The streams that this work reads."""
        made = self.frames()
        return [made[name] for name in ("AB" if self.name in ("join", "difference") else "A")]

    def exchanged(self) -> DataFrame:
        """The rows as a worker gets them."""
        found = stage(PLANS[self.name] or BY_ROW)
        compiler = Compiler(self.frames(), self.spread)
        return gathered(found, [compiler.frame(below) for below, _ in found.inputs], self.spread)

    @property
    def spread(self) -> Spread:
        if self.skewed:
            return Spread(self.parts, sample=min(SAMPLED_ROWS_PER_PARTITION * self.parts / self.size, 1.0))
        return Spread(self.parts, heaviest=None)

    def ours(self) -> Frame:
        plan = PLANS[self.name]
        if plan is None:
            frame = self.frames()["A"]
            found = self.spread.surveyed(frame.data, key_hash(frame.schema, (0,))) if self.skewed else None
            return canonical(frame, self.spread, found)
        return Compiler(self.frames(), self.spread).frame(plan)

    def by_sql(self) -> DataFrame:
        names = {
            name.lower(): table(uniform(self.spark, self.size, i * 7, KEYS, LENGTH, self.parts), name)
            for i, name in enumerate("AB")
        }
        self.spark.conf.set("spark.sql.shuffle.partitions", str(self.parts))
        return self.spark.sql(SQL[self.name].format(parts=self.parts, length=LENGTH, **names))

    def here(self) -> Callable[[], object]:
        """The interval engine on one thread; its inputs are brought here before the clock starts."""
        plan = PLANS[self.name]
        streams = {name: frame.collected() for name, frame in self.frames().items()}
        if plan is None:
            return lambda: runs_of(streams["A"], counted(streams["A"].schema))
        return lambda: run(plan, streams)


def finish(data: DataFrame) -> None:
    """Compute all of it, and keep none."""
    data.write.format("noop").mode("overwrite").save()
