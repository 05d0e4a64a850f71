"""The engines that come with snapeq, by name: a help text must not wait for the import of the engines."""

from enum import StrEnum
from typing import Final


class LocalEngine(StrEnum):
    """Engines in this process; each says how it would run a plan."""

    INTERVAL = "interval"
    DELTA = "delta"
    INCREMENTAL = "incremental"
    REEVALUATION = "reevaluation"
    DATAFLOW = "dataflow"
    STORED = "stored"


RUNNING_ENGINES: Final = (*LocalEngine, "reference", "spark", "sail")
"""What `snapeq run` takes; the reference is the definition itself."""
