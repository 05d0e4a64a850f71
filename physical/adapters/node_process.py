"""A program for Node that answers a line of JSON with a line of JSON."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physical.adapters.environments import EngineUnavailable, Environment
from physical.adapters.worker_process import EngineFailed

FOLDER = Path(__file__).parent / "node"


@dataclass
class NodeProcess:
    """A program of the folder `node`, with the packages of an environment; it starts with the first question."""

    environment: Environment
    program: str
    _running: "subprocess.Popen[bytes] | None" = None

    def ask(self, question: object) -> Any:
        """The answer; an error of the program is raised as one sentence."""
        self.environment.check_installed()
        running = self._running = self._running or self._started()
        assert running.stdin is not None
        assert running.stdout is not None
        try:
            running.stdin.write(json.dumps(question).encode() + b"\n")
            running.stdin.flush()
            line = running.stdout.readline()
        except OSError:
            line = b""
        if not line:
            self.stop()
            raise EngineFailed(f"the process of {self.environment.engine} has ended (exit code {running.returncode})")
        answer = json.loads(line)
        if "error" in answer:
            raise EngineFailed(str(answer["error"]))
        return answer

    def stop(self) -> None:
        """End the process, if it runs."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()
            self._running = None

    def _started(self) -> "subprocess.Popen[bytes]":
        command = ["node", str(FOLDER / self.program), str(self.environment.folder)]
        try:
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except FileNotFoundError:
            raise EngineUnavailable(f"the engine {self.environment.engine} needs node, which is not there") from None
