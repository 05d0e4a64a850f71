"""Kills a continuous query again and again, at random moments from its first second on, while files come.

    python -m tests.physical.engines.spark.kill_at_random FOLDER TIMES SEED

In the end the answer must be that of the reference, and no element may be late. It takes some minutes, so no test runs
it; `test_continuous.py` kills at chosen moments.
"""

import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

from physical.engines.spark import spark_session as sessions
from semantics import evaluate
from tests.physical.engines.spark.arriving import arrive
from tests.physical.engines.spark.kill_points import started, stream
from tests.physical.engines.spark.kill_worker import INTERPRETED, PLAN, SLACK, begun

ROWS: Final = 5
"""The elements of a file; each is at most SLACK instants before another one that came earlier."""


def elements(random: Random, number: int) -> str:
    starts = [number * ROWS + random.randint(0, SLACK) for _ in range(ROWS)]
    return " ".join(f"({random.randint(1, 3)})@{t}" for t in sorted(starts))


def main(folder: Path, times: int, seed: int) -> None:
    random = Random(seed)
    files: dict[str, list[str]] = {"S": [], "T": []}
    os.mkfifo(folder / "said")
    said = os.open(folder / "said", os.O_RDWR)

    def more_arrives() -> None:
        for name, texts in files.items():
            texts.append(elements(random, len(texts)))
            arrive(folder / name, len(texts), stream(name, texts[-1]))

    more_arrives()
    longest = _seconds_until_it_speaks(folder, said)
    for number in range(times):
        process, began, before = started(folder, "between"), time.monotonic(), _committed(folder)
        if number % 2:  # in the first moments after a batch, so in the next one
            more_arrives()
            while _committed(folder) == before:
                time.sleep(0.001)
        time.sleep(random.uniform(0, 1 if number % 4 < 2 else longest) / 2)
        more_arrives()
        time.sleep(random.uniform(0, 1 if number % 4 < 2 else longest) / 2)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        seconds = time.monotonic() - began
        print(f"killed after {seconds:.1f} s; last batch committed: {_committed(folder)}", flush=True)
    _compare(folder, files)


def _committed(folder: Path) -> int:
    """The last batch that Spark has committed; −1 if there is none."""
    done = folder.glob("query/_query/checkpoint/commits/[0-9]*")
    return max((int(one.name) for one in done), default=-1)


def _seconds_until_it_speaks(folder: Path, said: int) -> float:
    """How long a start takes until all that was there is treated; it runs in a folder of its own."""
    began = time.monotonic()
    calm = folder / "calm"
    calm.mkdir()
    for name in ("S", "T"):
        (calm / name).symlink_to(folder / name)
    (calm / "said").symlink_to(folder / "said")
    process = started(calm, "between")
    os.read(said, 100)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return time.monotonic() - began


def _compare(folder: Path, files: dict[str, list[str]]) -> None:
    running = begun(sessions.session("local[2]", settings=INTERPRETED), folder)
    running.finish()
    horizon = ROWS * len(files["S"]) + 20
    sources = {name: stream(name, _ordered(texts)).to_interval() for name, texts in files.items()}
    same = running.results().to_logical(horizon) == evaluate(PLAN, sources, horizon)
    print(f"the reference's answer: {same}; late: {running.late()}; files: {len(files['S'])} of each stream")
    assert same
    assert set(running.late().values()) == {0}


def _ordered(texts: list[str]) -> str:
    return " ".join(sorted(" ".join(texts).split(), key=lambda one: int(one.split("@")[1])))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
