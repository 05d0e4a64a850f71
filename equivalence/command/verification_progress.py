"""What `snapeq verify` tells while it runs: a line for every part that is finished, in a pipe as well."""

from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress

    from equivalence.verification import Outcome, VerificationJob

SILENCE: Final = 30.0
"""In a pipe, where no bar moves, a line comes at least this often while jobs end: seconds."""


class PartsProgress:
    """Counts the jobs of each part, and writes to the console of a progress bar."""

    def __init__(
        self, work: "Sequence[VerificationJob]", bar: "Progress", clock: Callable[[], float] = monotonic
    ) -> None:
        self.left = Counter(job.part for job in work)
        self.outcomes: dict[str, list[Outcome]] = {part: [] for part in self.left}
        self.bar = bar
        self.clock = clock
        self.began = self.told = clock()
        self.task = bar.add_task("verifying", total=len(work))

    def note(self, job: "VerificationJob", outcomes: "Sequence[Outcome]") -> None:
        """One job has ended: it may be the last of its part."""
        self.left[job.part] -= 1
        self.outcomes[job.part] += outcomes
        self.bar.update(self.task, advance=1, description=f"{job.part}: {job.name}")
        if not self.left[job.part]:
            self._tell(f"{job.part}: {counted(self.outcomes[job.part])}")
        elif self.bar.disable and self.clock() - self.told >= SILENCE:
            self._tell(f"{job.part}: {self.left[job.part]} more to go; {sum(self.left.values())} in all")

    def _tell(self, line: str) -> None:
        self.told = self.clock()
        seconds = f"{self.told - self.began:.0f} s"
        self.bar.console.print(f"{seconds:>6}  {line}", markup=False, highlight=False, soft_wrap=True)


def counted(outcomes: "Sequence[Outcome]") -> str:
    """How many hold, and the names of those that do not."""
    short = [outcome.name for outcome in outcomes if not outcome.holds]
    if short:
        return f"{len(short)} of {len(outcomes)} fall short: {', '.join(short)}"
    return f"{len(outcomes)} verified, all hold"
