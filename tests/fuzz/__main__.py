"""`python -m tests.fuzz` fuzzes every parser with atheris for five minutes in all; with a name, only that one.

What makes a parser fail is written to .fuzz/; to see it again: `python -m tests.fuzz plan .fuzz/crash-…`.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

SECONDS = 300
SLOW = 20
"""Seconds after which an input counts as one that hangs the parser."""
ARTIFACTS = Path(".fuzz")


def fuzz(name: str, options: list[str]) -> None:
    """Fuzz one target in this process; the fuzzer ends it."""
    import atheris

    with atheris.instrument_imports(include=["semantics", "equivalence"]):
        from tests.fuzz.targets import TARGETS, survive

    def one(data: bytes) -> None:
        survive(TARGETS[name], data.decode("utf-8", errors="surrogateescape"))

    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


def fuzz_for(name: str, seconds: int) -> bool:
    """Fuzz one target in a process of its own, beginning with texts that it can read; did it survive?"""
    from tests.fuzz.targets import beginnings

    ARTIFACTS.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        for number, text in enumerate(beginnings(name)):
            (Path(folder) / str(number)).write_text(text, encoding="utf-8")
        limits = [f"-max_total_time={seconds}", f"-timeout={SLOW}", "-rss_limit_mb=2048", "-max_len=4000"]
        options = [*limits, f"-artifact_prefix={ARTIFACTS}/", "-print_final_stats=1", "-verbosity=0"]
        command = [sys.executable, "-m", "tests.fuzz", name, *options, folder]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
    print(name, "survived" if ended.returncode == 0 else "FAILED", _executions(ended.stderr), flush=True)
    if ended.returncode:
        print(ended.stderr[-4000:])
    return ended.returncode == 0


def _executions(log: str) -> str:
    return next((line for line in log.splitlines() if "number_of_executed_units" in line), "")


def main() -> int:
    if len(sys.argv) > 1 and not sys.argv[1].isdecimal():
        fuzz(sys.argv[1], sys.argv[2:])  # before the parsers are imported: they have to be instrumented
    from tests.fuzz.targets import TARGETS

    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    return 0 if all([fuzz_for(name, seconds // len(TARGETS)) for name in TARGETS]) else 1


if __name__ == "__main__":
    sys.exit(main())
