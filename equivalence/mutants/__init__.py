"""Deliberately wrong operators, expressions, aggregates, engines, sessions and stores: the checkers must catch each."""

from equivalence.mutants.aggregates import AGGREGATES
from equivalence.mutants.catching import Kill, Killed, kill, kill_all
from equivalence.mutants.dataflow import DATAFLOW
from equivalence.mutants.delta import DELTA
from equivalence.mutants.engines import ENGINES
from equivalence.mutants.expressions import EXPRESSIONS
from equivalence.mutants.incremental import INCREMENTAL
from equivalence.mutants.mutant import Mutant, WrongReference
from equivalence.mutants.operators import OPERATORS
from equivalence.mutants.purging import PURGING
from equivalence.mutants.sessions import SESSIONS
from equivalence.mutants.storage import STORES, StoreMutant, kill_store
from equivalence.mutants.stored_state import STORED_STATE
from equivalence.mutants.windows import WINDOWS

MUTANTS = (
    *(*OPERATORS, *WINDOWS, *EXPRESSIONS, *AGGREGATES, *ENGINES, *SESSIONS, *PURGING),
    *(*DELTA, *INCREMENTAL, *DATAFLOW, *STORED_STATE),
)

__all__ = [
    "AGGREGATES",
    "DATAFLOW",
    "DELTA",
    "ENGINES",
    "EXPRESSIONS",
    "INCREMENTAL",
    "MUTANTS",
    "OPERATORS",
    "PURGING",
    "SESSIONS",
    "STORED_STATE",
    "STORES",
    "WINDOWS",
    "Kill",
    "Killed",
    "Mutant",
    "StoreMutant",
    "WrongReference",
    "kill",
    "kill_all",
    "kill_store",
]
