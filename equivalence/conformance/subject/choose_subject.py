"""Where an engine under test runs: one that is named in a process of its own, any other object in this one."""

from equivalence.conformance.subject.by_command.command_engine import command_in
from equivalence.conformance.subject.by_command.command_subject import CommandSubject
from equivalence.conformance.subject.in_process import TIME_LIMIT, AnyEngine, InProcess, Subject
from equivalence.conformance.subject.isolated.isolated_subject import Isolated
from equivalence.conformance.subject.load import load_engine
from equivalence.conformance.subject.tolerance import checked_tolerance
from physical.engine import on_request


def subject_of(
    engine: AnyEngine | str,
    *,
    tolerance: float | None = None,
    time_limit: float | None = None,
    isolated: bool = True,
) -> Subject:
    """An engine, ready to be tried.

    A name, as `snapeq conform` takes it, can be handed to another process, so that not even a crash of compiled code
    ends the checker. An object cannot, unless it were pickled, which is code as much as data: it runs in a thread of
    this process, which survives what it raises and how long it takes, but not a crash. So does a name that stands for
    another system, which has processes of its own. A command always has one.
    """
    checked_tolerance(tolerance)
    command = command_in(engine)
    if command is not None:
        return CommandSubject(command, tolerance=tolerance, time_limit=time_limit)
    time_limit = TIME_LIMIT if time_limit is None else time_limit
    if isinstance(engine, str) and isolated and on_request(engine) is None:
        return Isolated(engine, tolerance=tolerance, time_limit=time_limit)
    loaded = load_engine(engine) if isinstance(engine, str) else engine
    return InProcess(loaded, tolerance=tolerance, time_limit=time_limit)
