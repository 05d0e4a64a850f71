"""How many threads each contestant runs: one, or as many as SNAPEQ_THREADS says; all of them the same number."""

import os


def threads() -> int:
    """The number of threads for us and for every peer."""
    return int(os.environ.setdefault("SNAPEQ_THREADS", "1"))
