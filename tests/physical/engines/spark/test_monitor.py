"""What is read from Spark's progress about batches."""

from types import SimpleNamespace
from typing import Any

from pyspark.sql import Row

from physical.engines.spark.continuous.monitor import BatchProgress, batches


def reported(batch: int, **metrics: dict[str, int]) -> Any:
    """A progress report of Spark, in which metrics that are NULL are missing."""
    observed = {name.replace("_", " "): Row(*numbers)(*numbers.values()) for name, numbers in metrics.items()}
    return SimpleNamespace(batchId=batch, durationMs={"triggerExecution": 500}, observedMetrics=observed)


def test_batches_in_which_nothing_was_awake_are_left_out() -> None:
    about = {"state rows": 7, "watermark": 3, "late S": 2}
    told = [
        reported(0),
        reported(1, snapeq={"other": 1}, snapeq_S={"rows": 0}),
        reported(2, snapeq=about, snapeq_S={"rows": 30}),
        reported(3, snapeq={"state rows": 0, "watermark": 4}),
    ]
    found = list(batches(told, ["S", "T"]))
    assert found == [
        BatchProgress(2, {"S": 30, "T": 0}, {"S": 2, "T": 0}, 7, 3, 0.5),
        BatchProgress(3, {"S": 0, "T": 0}, {"S": 0, "T": 0}, 0, 4, 0.5),
    ]
    line = "batch 2: S 30 rows (2 late), T 0 rows (0 late); 60 rows/s; state 7 rows; watermark 3"
    assert str(found[0]) == line
