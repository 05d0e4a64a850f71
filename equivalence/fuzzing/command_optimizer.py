"""A command in any language that reads a query on stdin and writes another one on stdout."""

import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from typing import Final

from equivalence.fuzzing.foreign_call import TIMEOUT
from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.sql_rewrite import Rewrite, Way, normal
from semantics import SnapeqError

SECONDS: Final = 60


class CommandOptimizer:
    """The command is one rule; it is started for every query."""

    version = ""

    def __init__(self, command: str) -> None:
        self.name = command
        self._words = _words(command)
        if not self._words:
            raise SnapeqError("expected a command, got none")
        if shutil.which(self._words[0]) is None:
            raise SnapeqError(f"there is no command {self._words[0]}; expected a program that can be run")
        self.ways = (Way(self._words[0]),)

    def rewrites(self, sql: str, schema: RelationalSchema, wanted: Sequence[Way]) -> Iterator[Rewrite]:
        del schema, wanted
        try:
            done = subprocess.run(
                self._words, input=sql, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            yield Rewrite(self.ways[0], sql, error=f"{TIMEOUT}: no answer in {SECONDS} s")
            return
        if done.returncode:
            said = (done.stderr.strip().splitlines() or ["nothing on stderr"])[-1]
            yield Rewrite(self.ways[0], sql, error=f"Exit {done.returncode}: {said}")
        else:
            yield Rewrite(self.ways[0], normal(sql), normal(done.stdout.strip().rstrip(";")))

    def reproduction(self, way: Way, sql: str, schema: RelationalSchema) -> list[str]:
        del way, schema
        run = f"subprocess.run({self._words!r}, input=before, capture_output=True, text=True, check=True)"
        return ["import subprocess", "", f"before = {sql!r}", f"after = {run}.stdout"]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise SnapeqError(f"{command}: expected a command, got a text with {str(error).lower()}") from None
