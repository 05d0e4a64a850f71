"""Where an engine under test runs: one that is named in a process of its own, any other object in this one."""

from equivalence.conformance.subject.in_process import TIME_LIMIT, AnyEngine, InProcess, Subject
from equivalence.conformance.subject.isolated.isolated_subject import Isolated
from equivalence.conformance.subject.load import load_engine
from equivalence.conformance.subject.tolerance import checked_tolerance
from physical.engine import ON_REQUEST


def subject_of(
    engine: AnyEngine | str,
    *,
    tolerance: float | None = None,
    time_limit: float = TIME_LIMIT,
    isolated: bool = True,
) -> Subject:
    """An engine, ready to be tried.

    A name, as `snapeq conform` takes it, can be handed to another process, so that not even a crash of compiled code
    ends the checker. An object cannot, unless it were pickled, which is code as much as data: it runs in a thread of
    this process, which survives what it raises and how long it takes, but not a crash. So does a name that stands for
    another system, which has processes of its own.
    """
    checked_tolerance(tolerance)
    if isinstance(engine, str) and isolated and engine not in ON_REQUEST:
        return Isolated(engine, tolerance=tolerance, time_limit=time_limit)
    loaded = load_engine(engine) if isinstance(engine, str) else engine
    return InProcess(loaded, tolerance=tolerance, time_limit=time_limit)
