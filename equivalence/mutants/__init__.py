"""Deliberately wrong operators, expressions, aggregates, engines, sessions and stores: the checkers must catch each."""

from equivalence.mutants.engines.dataflow_mutants import DATAFLOW
from equivalence.mutants.engines.delta_mutants import DELTA
from equivalence.mutants.engines.deviation_mutants import DEVIATING
from equivalence.mutants.engines.incremental_mutants import INCREMENTAL
from equivalence.mutants.engines.input_output_mutants import ENGINES
from equivalence.mutants.engines.now_mutants import NOW
from equivalence.mutants.engines.order_mutants import ORDER
from equivalence.mutants.engines.purging_mutants import PURGING
from equivalence.mutants.engines.session_mutants import SESSIONS
from equivalence.mutants.engines.stored_state_mutants import STORED_STATE
from equivalence.mutants.kill import KillResult, KillSummary, kill, kill_all
from equivalence.mutants.mutant import Mutant, MutatedEngine
from equivalence.mutants.reference.wrong_aggregates import AGGREGATES
from equivalence.mutants.reference.wrong_expressions import EXPRESSIONS
from equivalence.mutants.reference.wrong_functions import FUNCTIONS
from equivalence.mutants.reference.wrong_operators import OPERATORS
from equivalence.mutants.reference.wrong_parts import PARTS
from equivalence.mutants.reference.wrong_reference import WrongReference
from equivalence.mutants.reference.wrong_types import TYPES
from equivalence.mutants.reference.wrong_windows import WINDOWS
from equivalence.mutants.stores.store_mutants import STORES, StoreKillResult, StoreMutant, kill_store

MUTANTS = (
    *(*OPERATORS, *WINDOWS, *EXPRESSIONS, *AGGREGATES, *ENGINES, *SESSIONS, *PURGING),
    *(*DELTA, *INCREMENTAL, *DATAFLOW, *STORED_STATE, *NOW, *FUNCTIONS, *ORDER, *DEVIATING, *TYPES, *PARTS),
)

__all__ = [
    "AGGREGATES",
    "DATAFLOW",
    "DELTA",
    "DEVIATING",
    "ENGINES",
    "EXPRESSIONS",
    "FUNCTIONS",
    "INCREMENTAL",
    "MUTANTS",
    "NOW",
    "OPERATORS",
    "ORDER",
    "PARTS",
    "PURGING",
    "SESSIONS",
    "STORED_STATE",
    "STORES",
    "TYPES",
    "WINDOWS",
    "KillResult",
    "KillSummary",
    "Mutant",
    "MutatedEngine",
    "StoreKillResult",
    "StoreMutant",
    "WrongReference",
    "kill",
    "kill_all",
    "kill_store",
]
