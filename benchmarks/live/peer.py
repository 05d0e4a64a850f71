"""Bytewax, a stream processor for Python, in an interpreter of its own: SNAPEQ_BYTEWAX names one that has it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

SCRIPT: Final = Path(__file__).with_name("bytewax_flow.py")
QUERIES: Final = ("filter", "grouped count")


def interpreter() -> str | None:
    """A Python that can import Bytewax, or None."""
    python = os.environ.get("SNAPEQ_BYTEWAX", sys.executable)
    known = subprocess.run([python, "-c", "import bytewax.dataflow"], capture_output=True, check=False)
    return python if known.returncode == 0 else None


def measured(python: str, name: str, size: int, batch: int, repeat: int) -> tuple[float, float, float]:
    """The best rate of several runs, with its median and p99 in microseconds."""
    command = [python, str(SCRIPT), name, str(size), str(batch)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(repeat)]
    rate, median, p99 = max(tuple(map(float, run.split())) for run in runs)
    return rate, median, p99
