"""A Python process in another environment, which is sent requests and answers them one after the other.

Requests are objects with a method `run`, so both sides need the same classes: our packages are on the path of the
process, behind those of its environment. It ends when the connection does, whatever happens to this process.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import gettempdir
from typing import Final, Protocol, TypeVar

from physical.adapters.environments import EngineUnavailable, Environment, packages_here
from semantics import SnapeqError
from semantics import errors as ours

Resource = TypeVar("Resource")
Asked = TypeVar("Asked", contravariant=True)

START: Final = """
import runpy, sys
sys.path[:0], sys.path[len(sys.path):] = (paths.split(":") if paths else [] for paths in sys.argv[3:5])
runpy.run_module(sys.argv[1], run_name="__main__")
"""
"""Source folders of ours come first on its path, and installed packages of ours last: there, versions differ."""


class Request(Protocol[Asked]):
    """What a process can be asked to do with the resource that it made when it started."""

    def run(self, resource: Asked) -> object: ...


class EngineFailed(SnapeqError):
    """The process of an engine failed for a reason of its own."""


@dataclass(frozen=True)
class Failure:
    """An error on its way back: some errors cannot be pickled, so only a kind that takes one message, and that."""

    kind: type[SnapeqError]
    message: str

    @classmethod
    def of(cls, error: SnapeqError) -> "Failure":
        return cls(next(kind for kind in type(error).__mro__ if kind in _KINDS), str(error))


_KINDS: Final = {EngineUnavailable, EngineFailed, *(kind for kind in vars(ours).values() if isinstance(kind, type))}


@dataclass
class WorkerProcess:
    """A module that runs `serve`, in an environment; it starts with the first request."""

    environment: Environment
    module: str
    settings: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of the process."""
    _running: "tuple[subprocess.Popen[bytes], Connection] | None" = None

    @property
    def log(self) -> Path:
        return Path(gettempdir()) / f"snapeq-{self.environment.engine}-{os.getuid()}.log"

    def ask(self, request: object) -> object:
        """The answer to a request; an error of ours is raised as it was there, any other one as one sentence."""
        self.environment.check_installed()
        process, connection = self._running = self._running or self._started()
        try:
            connection.send_bytes(pickled(request))
            answer = connection.recv()
        except (EOFError, OSError):
            self.stop()
            ended = f"the process of {self.environment.engine} has ended (exit code {process.returncode})"
            raise EngineFailed(f"{ended}; its log is {self.log}") from None
        if isinstance(answer, Failure):
            raise answer.kind(answer.message)
        return answer

    def stop(self) -> None:
        """End the process, if it runs."""
        if self._running is not None:
            process, connection = self._running
            connection.close()
            process.terminate()
            process.wait()
            self._running = None

    def _started(self) -> tuple[subprocess.Popen[bytes], Connection]:
        ours, theirs = Pipe()
        paths = [":".join(folders) for folders in (source_folders(), packages_here())]
        command = [str(self.environment.python), "-c", START, self.module, str(theirs.fileno()), *paths]
        safe = {"PYTHONSAFEPATH": "1", "PYTHONPATH": "", **self.settings}
        with self.log.open("ab") as log, theirs:
            process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], env={**os.environ, **safe}, stdout=log, stderr=log
            )
        return process, ours


def pickled(request: object) -> bytes:
    """A request as bytes; functions that have no name in a module need cloudpickle, which PySpark brings."""
    try:
        pickler = import_module("pyspark.cloudpickle")
    except ImportError:
        pickler = pickle
    return bytes(pickler.dumps(request))


def source_folders() -> list[str]:
    """Where this process finds packages that are neither installed nor Python's own."""
    own = (*packages_here(), sys.base_prefix, sys.base_exec_prefix)
    return [os.path.abspath(path) for path in sys.path if path and not path.startswith(own)]


def serve(made: Callable[[], Resource], in_words: Callable[[Exception], SnapeqError]) -> None:
    """Answer requests until nobody asks any more; if the resource cannot be made, the first answer says why."""
    connection = Connection(int(sys.argv[2]))
    try:
        resource = made()
    except Exception as error:
        connection.recv()
        connection.send(Failure.of(EngineUnavailable(f"the engine does not start: {error}")))
        return
    while True:
        try:
            request = connection.recv()
        except EOFError:
            return
        connection.send(_answer(request, resource, in_words))


def _answer(request: Request[Resource], resource: Resource, in_words: Callable[[Exception], SnapeqError]) -> object:
    try:
        return request.run(resource)
    except SnapeqError as error:
        return Failure.of(error)
    except Exception as error:
        return Failure.of(in_words(error))
