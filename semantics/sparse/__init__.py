"""The same meaning over time of any size: what a plan holds, told by its changes and not by its instants.

The reference stays the judge: its own functions are called for every snapshot-reducible operator, but only where an
input changes. Windows have their definitions here once more, over rows that stay as they are for long.
"""

from semantics.sparse.budget import MOST_CHANGES
from semantics.sparse.evaluate import SparseEvaluation, evaluate_sparse
from semantics.sparse.stream import SparseStream, first_difference

__all__ = ["MOST_CHANGES", "SparseEvaluation", "SparseStream", "evaluate_sparse", "first_difference"]
