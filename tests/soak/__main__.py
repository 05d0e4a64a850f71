"""A system under load for a long time: four sources out of order, queries that come and go, and one kill -9.

At the end its files must hold what `snapeq run` computes from everything that was sent, and its memory must not have
grown: `python -m tests.soak --minutes 30`.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from statistics import median
from threading import Event
from time import monotonic
from typing import Any, Final

from tests.paths import ROOT
from tests.soak.senders import SLACK, CsvFile, HttpSender, JsonFile, Source, TcpSender

CATALOGUE: Final = "\n".join(f"CREATE STREAM {name}(k INT, v INT, ts BIGINT) ORDERED BY ts;" for name in "ABCD")
QUERIES: Final = {
    "filtered": "SELECT k, v FROM A WINDOW(RANGE 20) WHERE v > 900",
    "grouped": "SELECT k, COUNT(*) AS n, MAX(v) AS top FROM B WINDOW(RANGE 30) GROUP BY k",
    "joined": "SELECT C.k, C.v FROM C WINDOW(RANGE 10), D WINDOW(RANGE 10) WHERE C.k = D.k AND C.v > 800 AND D.v > 800",
    "different": "SELECT DISTINCT k FROM A WINDOW(RANGE 3) EXCEPT ALL SELECT DISTINCT k FROM D WINDOW(RANGE 3)",
}
GUESTS: Final = (
    "SELECT k, SUM(v) AS total FROM A WINDOW(RANGE 50) GROUP BY k",
    "SELECT B.k FROM B WINDOW(RANGE 5), C WINDOW(RANGE 5) WHERE B.k = C.k",
    "SELECT COUNT(*) AS n FROM D WINDOW(RANGE 100)",
    "SELECT k, v FROM C WINDOW(PARTITION BY k ROWS 3)",
)
GROWTH: Final = 1.25
"""Memory at the end may be this many times that of the middle."""


@dataclass
class Soak:
    """One run."""

    folder: Path
    minutes: float
    rows: int
    pause: float
    engine: str
    strategy: str | None = None
    stopping: Event = field(default_factory=Event)
    api: str = ""
    memory: list[float] = field(default_factory=list)
    guests: int = 0
    guest_results: int = 0
    restarts: int = 0

    def run(self) -> bool:
        """Run the system to its end; True if nothing is wrong."""
        (self.folder / "soak.sql").write_text(CATALOGUE)
        self.tcp_port = free_port()
        sources = self._sources()
        process = self._start()
        for source in sources:
            source.start()
        end, kill_at = monotonic() + 60 * self.minutes, monotonic() + 30 * self.minutes
        while monotonic() < end:
            self._invite_guest()
            self.memory.append(resident_mb(process.pid))
            if monotonic() > kill_at:
                process.send_signal(signal.SIGKILL)
                process.wait()
                process, kill_at = self._start(), inf
                self.restarts += 1
        self.stopping.set()
        for source in sources:
            source.join()
        summary = self._finish(process, sources)
        return self._report(sources, summary)

    def _sources(self) -> list[Source]:
        options = (self.rows, self.pause, self.stopping)
        return [
            CsvFile("A", self.folder / "a.csv", *options),
            JsonFile("B", self.folder / "b.jsonl", *options),
            TcpSender("C", lambda: f"127.0.0.1:{self.tcp_port}", *options),
            HttpSender("D", lambda: self.api, *options),
        ]

    def _start(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "equivalence.command.main", "live", "soak.sql", "--no-prompt"]
        command += ["-s", "A=a.csv", "-s", "B=b.jsonl", "-s", f"C=tcp:{self.tcp_port}", "--state", "state"]
        command += ["--results", "out", "--slack", str(SLACK), "--checkpoint", "5", "--engine", self.engine]
        command += ["--strategy", self.strategy] if self.strategy else []
        command += [part for name, sql in QUERIES.items() for part in ("-q", f"{name}={sql}")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        line = next((line for line in process.stderr if "API at http://" in line), "")
        if not line:
            raise SystemExit("soak: the system did not start")
        self.api = line.partition("http://")[2].partition("/")[0]
        return process

    def _invite_guest(self) -> None:
        """A query comes, stays for a while, and goes."""
        name = f"guest{self.guests}"
        try:
            self._call("POST", "/queries", {"name": name, "sql": GUESTS[self.guests % len(GUESTS)]})
            self.stopping.wait(2)
            self.guest_results += self._call("GET", f"/queries/{name}")["results"]
            self._call("DELETE", f"/queries/{name}")
            self.guests += 1
        except OSError:
            self.stopping.wait(1)

    def _finish(self, process: "subprocess.Popen[str]", sources: list[Source]) -> dict[str, Any]:
        """Wait until everything is read, end all streams, and stop."""
        for _ in range(600):
            sample: dict[str, Any] = self._call("GET", "")
            taken = {stream["name"]: stream["elements"] for stream in sample["streams"]}
            if all(taken[source.name] >= len(source.rows) for source in sources):
                break
            Event().wait(0.5)
        for source in sources:
            self._call("POST", f"/streams/{source.name}/end", {})
        sample["memory"] = resident_mb(process.pid)
        process.wait(120)
        return sample

    def _report(self, sources: list[Source], summary: dict[str, Any]) -> bool:
        wrong = [name for name in QUERIES if not self._agrees(name, sources)]
        lost = {
            stream["name"]: (stream["elements"], len(source.rows), stream["late"])
            for stream, source in zip(summary["streams"], sources, strict=True)
            if (stream["elements"], stream["late"]) != (len(source.rows), 0)
        }
        bad = summary["streams"][0]["bad"] - sources[0].bad if isinstance(sources[0], CsvFile) else 0
        first, (middle, last) = self.memory[0], self._memory()
        bounded = last <= GROWTH * middle
        about = {
            "minutes": self.minutes, "engine": self.engine, "strategy": self.strategy,
            "elements": sum(len(source.rows) for source in sources),
            "restarts": self.restarts, "guests": self.guests, "guest_results": self.guest_results,
            "memory_mb": {"start": round(first), "middle": round(middle), "end": round(last), "bounded": bounded,
                          "over_time": self._over_time()},
            "lost_or_late": lost, "bad_lines_miscounted": bad, "wrong_queries": wrong,
        }  # fmt: skip
        print(json.dumps(about, indent=2))
        return not wrong and not lost and not bad and bounded and self.restarts == 1

    def _memory(self) -> tuple[float, float]:
        """The usual memory in the third and in the last part of the run after the restart."""
        after = self.memory[len(self.memory) // 2 :]
        third = max(len(after) // 3, 1)
        return median(after[third : 2 * third] or after), median(after[-third:])

    def _over_time(self) -> list[int]:
        """The usual memory in each twentieth of the run."""
        size = max(len(self.memory) // 20, 1)
        return [round(median(self.memory[i : i + size])) for i in range(0, len(self.memory), size)]

    def _agrees(self, name: str, sources: list[Source]) -> bool:
        """Does the file of a query hold what the query means?"""
        sql = QUERIES[name]
        files = []
        for source in sources:
            if f"{source.name} WINDOW" in sql:
                path = self.folder / f"all_{source.name}.csv"
                rows = sorted(source.rows, key=lambda row: row[2])
                path.write_text("k,v,ts\n" + "".join(f"{k},{v},{t}\n" for k, v, t in rows))
                files += ["--stream", f"{source.name}={path}"]
        expected = self.folder / f"expected_{name}.csv"
        self._snapeq("run", sql, "--catalog", "soak.sql", *files, "--out", str(expected))
        return self._snapeq("diff", str(expected), str(self.folder / "out" / f"{name}.csv")) == 0

    def _snapeq(self, *arguments: str) -> int:
        command = [sys.executable, "-m", "equivalence.command.main", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, cwd=self.folder, env=environment, check=False).returncode

    def _call(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.api}/api{path}", data, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def resident_mb(pid: int) -> float:
    """The memory of a process."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rows", type=int, default=20, help="rows of each source for every instant")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between two instants")
    parser.add_argument("--engine", default="interval")
    parser.add_argument("--strategy")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), options.minutes, options.rows, options.pause, options.engine, options.strategy)
        sys.exit(0 if soak.run() else 1)


if __name__ == "__main__":
    main()
