"""Engines driven by small programs that speak the protocol of docs/protocol.md, and need nothing of ours."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from physical.adapters.environments import ENVIRONMENTS, Environment


@dataclass(frozen=True)
class ProtocolWorker:
    """A program beside this file, which is told where the packages of its engine are."""

    environment: Environment
    program: str
    arguments: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """What starts it; an error says how to install the engine, if it is not there."""
        self.environment.check_installed()
        program = Path(__file__).parent / self.program
        return shlex.join(["node", str(program), str(self.environment.folder), *self.arguments])


WORKERS: Final[Mapping[str, ProtocolWorker]] = {
    "d2ts": ProtocolWorker(ENVIRONMENTS["d2ts"], "node/incremental.mjs", ("@electric-sql/d2ts",)),
    "db-ivm": ProtocolWorker(ENVIRONMENTS["db-ivm"], "node/incremental.mjs", ("@tanstack/db-ivm",)),
}
"""All of them, by the names that `snapeq conform` takes."""
