"""What makes a short command shorter: loading modules takes longer than most of the work."""

import os


def load_numpy_alone() -> None:
    """Load numpy without the threads of its linear algebra, which no query needs; what users set stays."""
    if "OPENBLAS_NUM_THREADS" in os.environ:
        return
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import numpy  # noqa: F401  # loaded for what it does while the variable is set

    del os.environ["OPENBLAS_NUM_THREADS"]
