"""Plans over many small streams at once: multiplicities are arrays over instants and cases."""

from equivalence.dense.constraints import Admissible, all_of, kept, key, unique_instants
from equivalence.dense.counts import Batch, Counts, Mask, Rows, narrowest, stack, total, unstack
from equivalence.dense.evaluate import meanings
from equivalence.dense.failures import Failures
from equivalence.dense.scope import Scope, scope
from equivalence.dense.sizes import largest_total, memory
from equivalence.dense.space import Bound

__all__ = [
    "Admissible",
    "Batch",
    "Bound",
    "Counts",
    "Failures",
    "Mask",
    "Rows",
    "Scope",
    "all_of",
    "kept",
    "key",
    "largest_total",
    "meanings",
    "memory",
    "narrowest",
    "scope",
    "stack",
    "total",
    "unique_instants",
    "unstack",
]
