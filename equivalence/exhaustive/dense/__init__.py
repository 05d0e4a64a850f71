"""Plans over many small streams at once: multiplicities are arrays over instants and cases."""

from equivalence.exhaustive.dense.constraints import Admissible, all_of, kept, key, unique_instants
from equivalence.exhaustive.dense.counts import Batch, Counts, Mask, Rows, narrowest, stack, total, unstack
from equivalence.exhaustive.dense.evaluate import meanings
from equivalence.exhaustive.dense.failures import Failures
from equivalence.exhaustive.dense.scope import Scope, scope
from equivalence.exhaustive.dense.sizes import largest_total, memory
from equivalence.exhaustive.dense.space import Bound

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
