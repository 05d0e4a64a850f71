"""Deliberately wrong operators, expressions, aggregates, engines and sessions: the checkers must catch each."""

from equivalence.mutants.aggregates import AGGREGATES
from equivalence.mutants.engines import ENGINES
from equivalence.mutants.expressions import EXPRESSIONS
from equivalence.mutants.incremental import INCREMENTAL
from equivalence.mutants.kill import Kill, Killed, kill, kill_all
from equivalence.mutants.mutant import Mutant, WrongReference
from equivalence.mutants.operators import OPERATORS
from equivalence.mutants.purging import PURGING
from equivalence.mutants.sessions import SESSIONS
from equivalence.mutants.windows import WINDOWS

MUTANTS = (*OPERATORS, *WINDOWS, *EXPRESSIONS, *AGGREGATES, *ENGINES, *SESSIONS, *PURGING, *INCREMENTAL)

__all__ = [
    "AGGREGATES",
    "ENGINES",
    "EXPRESSIONS",
    "INCREMENTAL",
    "MUTANTS",
    "OPERATORS",
    "PURGING",
    "SESSIONS",
    "WINDOWS",
    "Kill",
    "Killed",
    "Mutant",
    "WrongReference",
    "kill",
    "kill_all",
]
