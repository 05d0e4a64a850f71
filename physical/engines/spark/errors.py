"""Errors of Spark, each as one sentence with the remedy."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from semantics import ArithmeticOverflow, SnapeqError
from semantics import errors as ours


class SparkUnavailable(SnapeqError):
    """There is no Spark to run on: no PySpark, no Java, or no cluster."""


class SparkFailed(SnapeqError):
    """Spark ended a job for a reason of its own."""


class SlowStart(SparkFailed):
    """A Python process of Spark had no time to start; nothing is wrong but that the machine is busy."""


JAVA_HAS_ENDED: Final = (
    "Spark's Java process has ended, most likely for want of memory: give it more (SNAPEQ_SPARK_MEMORY, 2g if it is not"
    " set), or let it take the data in more parts (--partitions)"
)
TOO_BUSY: Final = (
    "Spark gives a Python process ten seconds to start, and here it took longer: the machine is too busy; do the same"
    " again (a continuous query goes on where it was)"
)
_SLOW_START: Final = "Python worker failed to connect back"
OVERFLOW: Final = ArithmeticOverflow("an integer must fit into 64 bits, but one on Spark does not")
ERRORS_BY_NAME: Final = {
    kind.__name__: kind for kind in vars(ours).values() if isinstance(kind, type) and issubclass(kind, SnapeqError)
}
ERROR_MARK: Final = "snapeq raises "
"""Precedes an error of ours, to find it in Spark's own message."""
_OURS: Final = re.compile(rf"(?<!\()(?<!, ){re.escape(ERROR_MARK)}(\w+): (.*?)(?: SQLSTATE: \w+)?$", re.MULTILINE)
"""The mark of an error that was raised; after `(` or `, ` it is only text in a plan that Spark prints."""
_OVERFLOW: Final = ("ARITHMETIC_OVERFLOW", "BINARY_ARITHMETIC_OVERFLOW")
_NARROW: Final = ("CAST_OVERFLOW", "NUMERIC_VALUE_OUT_OF_RANGE")
"""A value does not fit into a type of Spark's that is smaller than ours, as a job of somebody else may use it."""


@contextmanager
def readable_errors() -> Iterator[None]:
    """Raise errors of ours that happened inside Spark as they were, and Spark's own errors as one sentence."""
    from pyspark.errors import PySparkException

    ended, failed = _errors_of_java()
    try:
        yield
    except (ConnectionError, ended) as error:
        raise SparkFailed(JAVA_HAS_ENDED) from error
    except (PySparkException, failed) as error:
        raise translated(str(error)) from error


def _errors_of_java() -> tuple[type[Exception], type[Exception]]:
    """If Java has ended, and if it has failed; without it, as with Sail, there are no such errors."""
    try:
        from py4j.protocol import Py4JError, Py4JNetworkError
    except ImportError:
        return ConnectionError, ConnectionError
    return Py4JNetworkError, Py4JError


def translated(message: str) -> SnapeqError:
    """The error that a message of Spark is about.

    >>> translated("Job aborted … StreamError: snapeq raises StreamError: run: an end before its start")
    StreamError('run: an end before its start')
    >>> translated("no worker: Project [concat(snapeq raises StreamError: got , start)]")
    SparkFailed('Spark failed: no worker: Project [concat(snapeq raises StreamError: got , start)]')
    >>> translated("[CAST_OVERFLOW] The value 3000000000L of BIGINT cannot be cast to INT")
    ArithmeticOverflow('Spark failed: [CAST_OVERFLOW] The value 3000000000L of BIGINT cannot be cast to INT')
    >>> str(translated("Query [id = 7] terminated with exception: Python worker failed to connect back."))[:57]
    'Spark gives a Python process ten seconds to start, and he'
    """
    found = _OURS.search(message)
    if found is not None:
        kind = ERRORS_BY_NAME.get(found[1], SparkFailed)
        return kind(found[2].replace("\\n", "\n"))
    if any(word in message for word in _OVERFLOW):
        return OVERFLOW
    if any(f"[{word}" in message for word in _NARROW):
        return ArithmeticOverflow(f"Spark failed: {_reason(message)}")
    if _SLOW_START in message:
        return SlowStart(TOO_BUSY)
    return SparkFailed(f"Spark failed: {_reason(message)}")


def marked(error: SnapeqError) -> str:
    """An error as one line that can be found again in a message of Spark."""
    kind = next((c.__name__ for c in type(error).__mro__ if c.__name__ in ERRORS_BY_NAME), "SnapeqError")
    return f"{ERROR_MARK}{kind}: " + str(error).replace("\n", "\\n")


def _reason(message: str) -> str:
    """The most informative line: the last one of a worker's traceback, the first cause, or the first line."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Failure)\b.*: ", line)]
    causes = [line.removeprefix("Caused by:").strip() for line in lines if line.startswith("Caused by:")]
    worker = "Traceback (most recent call last):" in lines
    return [*(raised[-1:] if worker else []), *causes[-1:], *lines[:1], "for no reason told"][0][:500]
