"""Does an engine speak the protocol? All steps, one after the other."""

from dataclasses import replace
from typing import Final

from equivalence.conformance.subject.by_command.command_subject import COMMAND_TIME_LIMIT
from equivalence.protocol.check import Check
from equivalence.protocol.probe import Probe, Wrong
from equivalence.protocol.step import ProtocolReport, Step
from equivalence.protocol.steps import CHECKS

NEEDED: Final = ("hello", "rows")
"""Steps without which the others say nothing new."""
SHOWN_CHARACTERS: Final = 600
"""Of a line, a report shows this much."""


def check_protocol(command: str, time_limit: float = COMMAND_TIME_LIMIT) -> ProtocolReport:
    """Ask an engine all that the protocol has; if it fails at what all else needs, nothing more is asked."""
    probe = Probe(command, time_limit)
    steps: list[Step] = []
    try:
        for check in CHECKS:
            first = next((step.name for step in steps if step.name in NEEDED and step.outcome == "wrong"), None)
            steps.append(_made(check, probe) if first is None else _unasked(check, first))
    finally:
        probe.close()
    return ProtocolReport(probe.capabilities.engine, tuple(steps))


def _made(check: Check, probe: Probe) -> Step:
    reason = check.misses(probe.capabilities)
    if reason:
        return Step(check.name, check.expected, "skipped", reason)
    try:
        check.run(probe)
    except Wrong as wrong:
        step = Step(check.name, check.expected, "wrong", str(wrong))
        return replace(step, sent=_short(probe.sent), got=_short(probe.got))
    return Step(check.name, check.expected, "right")


def _unasked(check: Check, first: str) -> Step:
    return Step(check.name, check.expected, "skipped", f"mend first: {first}")


def _short(line: str) -> str:
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS]}… ({len(line):,} characters)"
