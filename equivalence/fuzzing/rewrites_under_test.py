"""An optimizer from text to text as what is fuzzed."""

from collections.abc import Iterator, Mapping
from functools import partial
from statistics import median
from typing import Final
from zlib import crc32

from equivalence.fuzzing.campaign import FIRINGS_NEEDED, Observation
from equivalence.fuzzing.fuzz_finding import FuzzFinding
from equivalence.fuzzing.judge import SECONDS_FOR_A_PROOF, Judge, Judgement
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.shrink_rewrite import RewriteShrinker, WrongRewrite
from equivalence.fuzzing.sql_rewrite import Rewrite, SqlOptimizer, Way

OFTEN: Final = 2
"""So many times the median, and a rule fires often."""
OFTEN_TRIED_ONE_IN: Final = 4
REFERENCE_ONE_IN: Final = 8
SEEN_WELL: Final = 2 * FIRINGS_NEEDED
"""Of the rewrites of a rule that fired this often, fewer go to the reference and the prover."""
REFERENCE_ONE_IN_LATER: Final = 24


class RewritesUnderTest:
    """Every rewrite is judged once, however many ways lead to it."""

    def __init__(self, optimizer: SqlOptimizer, *, proofs: bool = True) -> None:
        self.name = optimizer.name
        self.version = optimizer.version
        self.rules = tuple(dict.fromkeys(way.rule for way in optimizer.ways))
        self._optimizer = optimizer
        self._seconds = SECONDS_FOR_A_PROOF if proofs else 0
        self._judges: dict[RelationalSchema, Judge] = {}

    def observe(self, sql: str, schema: RelationalSchema, fired: Mapping[str, int]) -> Iterator[Observation]:
        judge = self._judge(schema)
        seen = set()
        for rewrite in self._optimizer.rewrites(sql, schema, self._wanted(sql, fired)):
            key = (rewrite.way.rule, rewrite.before, rewrite.after)
            if rewrite.fired and key not in seen:
                seen.add(key)
                one_in = REFERENCE_ONE_IN if fired[rewrite.way.rule] < SEEN_WELL else REFERENCE_ONE_IN_LATER
                yield self._observed(sql, rewrite, judge.judge(rewrite, one_in), judge)

    def _wanted(self, sql: str, fired: Mapping[str, int]) -> list[Way]:
        """All ways, but of rules that fired much more often than others only some: time is for the seldom ones."""
        often = OFTEN * max(FIRINGS_NEEDED, median(fired.values()))
        return [
            way
            for way in self._optimizer.ways
            if fired[way.rule] <= often or crc32(f"{way.rule} {sql}".encode()) % OFTEN_TRIED_ONE_IN == 0
        ]

    def _judge(self, schema: RelationalSchema) -> Judge:
        if schema not in self._judges:
            self._judges[schema] = Judge(schema, seconds=self._seconds)
        return self._judges[schema]

    def _observed(self, sql: str, rewrite: Rewrite, judged: Judgement, judge: Judge) -> Observation:
        if judged.wrong is None:
            return Observation(rewrite.way.rule, judged.outcome, judged.reason, telling=judge.tells(rewrite.before))
        found = WrongRewrite(sql, rewrite, judged.wrong)
        return Observation(rewrite.way.rule, judged.outcome, shrink=partial(self._finding, found, judge))

    def _finding(self, found: WrongRewrite, judge: Judge, number: int) -> FuzzFinding:
        return RewriteShrinker(self._optimizer, judge).finding(found, number)
