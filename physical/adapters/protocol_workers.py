"""Engines driven by small programs that speak the protocol of docs/protocol.md, and need nothing of ours."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from physical.adapters.environments import ENVIRONMENTS, EngineUnavailable, Environment

FOLDER: Final = Path(__file__).parent
POSTGRESQL: Final = "postgresql://USER@HOST:PORT/DATABASE"
THIS_PYTHON: Final = Environment("python", ("python==3.11",), 0, "json")
"""For programs that need no package at all."""


@dataclass(frozen=True)
class ProtocolWorker:
    """A program beside this file, with the environment that it runs in."""

    name: str
    environment: Environment
    program: str
    arguments: tuple[str, ...] = ()
    server: str = ""
    """The form of the address of the server that the user must have, if one is needed."""

    @property
    def variable(self) -> str:
        """The environment variable with the address of the user's server, which the program reads.

        An address may hold a password, so it is no argument: those are shown to everybody.
        """
        return f"SNAPEQ_{self.name.upper()}"

    @property
    def command(self) -> str:
        """What starts it; an error says what is missing."""
        self.environment.check_installed()
        if self.server and not os.environ.get(self.variable):
            how = f"set {self.variable} to its address, {self.server}"
            raise EngineUnavailable(f"the engine {self.name} is a server that you have: {how}")
        program = str(FOLDER / self.program)
        if self.environment.kind == "node":
            return shlex.join(["node", program, str(self.environment.folder), *self.arguments])
        return shlex.join([str(self.environment.python), program, *self.arguments, self.name])


WORKERS: Final[Mapping[str, ProtocolWorker]] = {
    worker.name: worker
    for worker in (
        ProtocolWorker("beam", ENVIRONMENTS["beam"], "workers/start.py"),
        ProtocolWorker("bytewax", ENVIRONMENTS["bytewax"], "workers/start.py"),
        ProtocolWorker("d2ts", ENVIRONMENTS["d2ts"], "node/incremental.mjs", ("@electric-sql/d2ts",)),
        ProtocolWorker("db-ivm", ENVIRONMENTS["db-ivm"], "node/incremental.mjs", ("@tanstack/db-ivm",)),
        ProtocolWorker("feldera", THIS_PYTHON, "workers/start.py", server="http://HOST:PORT"),
        ProtocolWorker("ksqldb", THIS_PYTHON, "workers/start.py", server="http://HOST:PORT"),
        ProtocolWorker("pathway", ENVIRONMENTS["pathway"], "workers/start.py"),
        ProtocolWorker("postgres-views", ENVIRONMENTS["postgres"], "views/worker.py"),
        ProtocolWorker("materialize", ENVIRONMENTS["postgres"], "views/worker.py", server=POSTGRESQL),
        ProtocolWorker("risingwave", ENVIRONMENTS["postgres"], "views/worker.py", server=POSTGRESQL),
    )
}
"""All of them, by the names that `snapeq conform` takes."""
