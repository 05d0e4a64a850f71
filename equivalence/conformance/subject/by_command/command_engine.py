"""An engine in any language as an engine like any other: `name`, `supports` and `run`."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from physical.adapters.protocol_workers import WORKERS
from semantics import Interval, Plan, SnapeqError, Unsupported

if TYPE_CHECKING:
    from equivalence.conformance.subject.by_command.command_subject import CommandSubject
    from physical.columns.stream import PhysicalStream
    from physical.runtime.run_whole import AnyStream

PREFIX: Final = "command:"
"""Where the name of an engine is expected, a command stands behind this."""


class CommandFailed(SnapeqError):
    """A command did not give a result; the message says what it did instead."""


class CommandEngine:
    """The engine that a command starts when it is first asked; see docs/protocol.md."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __repr__(self) -> str:
        return f"CommandEngine({self.command!r})"

    @property
    def name(self) -> str:
        return self._subject.name

    def supports(self, plan: Plan) -> bool:
        """Does the engine list all that the plan needs?"""
        try:
            self._subject.check_support(plan)
        except Unsupported:
            return False
        return True

    def run(self, plan: Plan, sources: "Mapping[str, AnyStream]", horizon: int | None = None) -> "PhysicalStream":
        """The result of a plan; what the engine does instead of answering is an error."""
        from equivalence.verdicts.fault_kind import Fault
        from physical.columns.stream import PhysicalStream

        streams = {name: PhysicalStream.of(stream).to_interval() for name, stream in sources.items()}
        try:
            found = self._subject.whole(plan, streams, horizon)
        except Fault as fault:
            raise CommandFailed(f"command {self.command}: {fault.name}: {fault.message}") from None
        elements = [(row, Interval(start, end)) for row, start, end in found]
        return PhysicalStream.from_elements(plan.schema, sorted(elements, key=lambda element: element[1].start))

    def close(self) -> None:
        """End the process, if it has been started."""
        if "_subject" in self.__dict__:
            self._subject.close()
            del self.__dict__["_subject"]

    @cached_property
    def _subject(self) -> "CommandSubject":
        from equivalence.conformance.subject.by_command.command_subject import CommandSubject

        return CommandSubject(self.command)


def command_in(engine: object) -> str | None:
    """The command that an engine stands for, if it is one by command: an object, or a name that says so."""
    if isinstance(engine, CommandEngine):
        return engine.command
    if isinstance(engine, str) and engine in WORKERS:
        return WORKERS[engine].command
    return engine[len(PREFIX) :].strip() if isinstance(engine, str) and engine.startswith(PREFIX) else None
