"""Mutations are tried: each in a child of a process in which all trials and their right answers are ready."""

import gc
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import inf
from time import process_time
from typing import Final

from equivalence.mutants.machine.cpu_limits import Stopwatch, limit_memory
from equivalence.mutants.machine.fork_server import Ended, Note, Result, run_forked
from equivalence.mutants.machine.live_code import FailsToLoad, LiveCode, NotSwappable
from equivalence.mutants.machine.outcome import MutantOutcome, outcome_of
from equivalence.mutants.machine.reach import Reach
from equivalence.mutants.machine.syntax_mutations import SyntaxMutation
from equivalence.mutants.machine.targets import module_name, target_files
from equivalence.mutants.machine.trial import Trial

PATIENCE: Final = 1.5
"""Seconds of CPU time that a trial may take, and ten times what it takes without a mutation."""
COMPILING: Final = 120.0
"""Seconds of CPU time for one kernel with all that it calls."""


@dataclass(frozen=True)
class Laboratory:
    """Everything that a child needs: trials, what they reach, and the code that can be changed."""

    reach: Reach
    live: LiveCode
    longest: float = inf
    """Seconds of CPU time after which no more trials are begun with a mutant: it has survived."""

    @classmethod
    def prepared(
        cls, trials: Iterable[Trial], modules: Iterable[str] | None = None, longest: float = inf
    ) -> "Laboratory":
        """Run all trials on the right code once: so kernels are compiled, and it is known what a trial executes."""
        names = [module_name(file) for file in target_files()] if modules is None else modules
        reach = Reach(files=frozenset(str(import_module(name).__file__) for name in names))
        for trial in trials:
            reach.add(trial)
        gc.collect()
        live = LiveCode.found()
        gc.freeze()  # so that collecting garbage in a child does not copy all that it shares with its parent
        return cls(reach, live, longest)

    def outcomes(self, mutations: Iterable[SyntaxMutation], processes: int = 1) -> Iterator[MutantOutcome]:
        """What becomes of each mutation, in the order in which it is known."""
        waiting: list[SyntaxMutation] = []
        for mutation in mutations:
            if not self.reach.of(mutation):
                yield outcome_of(mutation, "not reached")
            else:
                waiting.append(mutation)
        yield from (self._judged(ended) for ended in run_forked(waiting, self._try, processes))

    def _try(self, mutation: SyntaxMutation, note: Note) -> Result:
        """In a child: mutate it, and run the trials that reach the mutation until one sees it."""
        limit_memory()
        try:
            kernels = self.live.install(mutation)
        except FailsToLoad as reason:
            return {"status": "killed", "by": "loading 0", "finding": str(reason)[:200]}
        except NotSwappable as reason:
            return {"status": "not tried", "finding": str(reason)}
        except SyntaxError as reason:
            return {"status": "no code", "finding": str(reason)}
        result = self._tried(self.reach.of(mutation), note)
        return {**result, "status": "no code"} if kernels and _refused_by_numba(result) else result

    def _tried(self, numbers: Sequence[int], note: Note) -> Result:
        watch = Stopwatch()
        watch.spare_compiling(COMPILING)
        until = process_time() + self.longest
        for count, number in enumerate(numbers, 1):
            if process_time() > until:
                return {"status": "survived", "trials": count - 1}
            note(count)
            watch.start(PATIENCE + 10 * self.reach.seconds[number])
            trial = self.reach.trials[number]
            finding = trial.finding()
            watch.stop()
            if finding is not None:
                return {"status": "killed", "by": str(trial), "finding": finding, "trials": count}
        return {"status": "survived", "trials": len(numbers)}

    def _judged(self, ended: Ended[SyntaxMutation]) -> MutantOutcome:
        mutation, seconds = ended.item, round(ended.seconds, 3)
        if ended.result is None:
            how = "takes too long" if ended.signal in (signal.SIGPROF, signal.SIGKILL) else f"signal {ended.signal}"
            number = self.reach.of(mutation)[max(ended.noted - 1, 0)]
            by = str(self.reach.trials[number])
            return outcome_of(mutation, "killed", by=by, finding=how, trials=ended.noted, seconds=seconds)
        if "failed" in ended.result:
            return outcome_of(mutation, "not tried", finding=str(ended.result["failed"]), seconds=seconds)
        return outcome_of(mutation, seconds=seconds, **ended.result)  # type: ignore[arg-type]  # as _try makes it


def _refused_by_numba(result: Result) -> bool:
    """Is this an error of numba's compiler? It always names the pipeline that it was in."""
    return "Failed in nopython mode pipeline" in str(result.get("finding"))
