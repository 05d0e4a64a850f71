"""What makes a short command shorter: loading modules takes longer than most of the work."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equivalence.query_files.query_over_files import QueryOverFiles

_state = {"has its own process": False}


def has_own_process() -> None:
    """The command is all that runs here: nobody has changed the code that it is made of, as tests do."""
    _state["has its own process"] = True


def read_query_once(text: str, catalog: Path | None, functions: Sequence[str], dialect: str | None) -> "QueryOverFiles":
    """The query; in a process of its own it is read only if it was not before."""
    if _state["has its own process"]:
        from equivalence.query_files.kept_queries import read_or_kept as read
    else:
        from equivalence.query_files.query_over_files import read_query as read
    return read(text, catalog, functions, dialect)


def load_numpy_alone() -> None:
    """Load numpy without the threads of its linear algebra, which no query needs; what users set stays."""
    if "OPENBLAS_NUM_THREADS" in os.environ:
        return
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import numpy  # noqa: F401  # loaded for what it does while the variable is set

    del os.environ["OPENBLAS_NUM_THREADS"]
