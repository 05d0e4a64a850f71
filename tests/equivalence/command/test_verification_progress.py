"""What `snapeq verify` tells while it runs."""

from io import StringIO

from rich.console import Console
from rich.progress import Progress

from equivalence.command.verification_progress import SILENCE, PartsProgress
from equivalence.verification import QUICK, Outcome, VerificationJob


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def a_job(part: str, name: str) -> VerificationJob:
    return VerificationJob(part, name, QUICK, 0)


def an_outcome(name: str, holds: bool = True) -> Outcome:
    return Outcome("rules", name, "true", holds, "agreed" if holds else "refuted")


def in_a_pipe(*work: VerificationJob) -> tuple[PartsProgress, StringIO, Clock]:
    written, clock = StringIO(), Clock()
    bar = Progress(console=Console(file=written, width=40), disable=True)
    return PartsProgress(work, bar, clock), written, clock


def test_a_part_is_told_of_once_it_is_finished() -> None:
    work = [a_job("corpus", "golden"), a_job("rules", "a"), a_job("rules", "b")]
    progress, written, clock = in_a_pipe(*work)
    progress.note(work[1], [an_outcome("a")])
    assert written.getvalue() == ""
    clock.now = 4.0
    progress.note(work[2], [an_outcome("b"), an_outcome("b without its condition")])
    assert written.getvalue() == "   4 s  rules: 3 verified, all hold\n"


def test_what_falls_short_is_named_at_once_and_on_one_line() -> None:
    work = [a_job("rules", "a")]
    progress, written, _ = in_a_pipe(*work)
    names = [f"rule number {n}" for n in range(9)]
    progress.note(work[0], [an_outcome(name, holds=False) for name in names])
    assert written.getvalue() == f"   0 s  rules: 9 of 9 fall short: {', '.join(names)}\n"


def test_long_parts_are_not_silent() -> None:
    work = [a_job("rules", "a"), a_job("rules", "b"), a_job("proofs", "a")]
    progress, written, clock = in_a_pipe(*work)
    clock.now = SILENCE
    progress.note(work[0], [an_outcome("a")])
    assert written.getvalue() == f"  {SILENCE:.0f} s  rules: 1 more to go; 2 in all\n"
