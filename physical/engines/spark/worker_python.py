"""Which Python runs our functions in a session that somebody else has started on this machine.

Spark takes `python3` from the PATH. That is another one, without snapeq, if a program was started by the Python of an
environment that is not activated, as editors, notebooks and schedulers do.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

CHOSEN: Final = "PYSPARK_PYTHON"


@contextmanager
def by_this_python() -> Iterator[None]:
    """Functions that are handed to Spark meanwhile run by the Python of this process; what somebody chose stays."""
    context = _context_here()
    if context is None or CHOSEN in os.environ:
        yield
        return
    before, context.pythonExec = context.pythonExec, sys.executable
    try:
        yield
    finally:
        context.pythonExec = before


def _context_here() -> Any:
    """The driver in this process, if its workers are on this machine; a client of Spark Connect has none."""
    module = sys.modules.get("pyspark.core.context")
    context = None if module is None else module.SparkContext._active_spark_context
    return context if context is not None and str(context.master).startswith("local") else None
