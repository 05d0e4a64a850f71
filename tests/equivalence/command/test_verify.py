"""The command: what it prints, and its exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from equivalence.cases.random_plans import OPERATORS
from equivalence.verification import QUICK
from tests.golden_corpus import golden_corpus
from tests.paths import ROOT


def snapeq(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = "from equivalence.command.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100", **environment},
        check=False,
    )


def test_help_teaches() -> None:
    shown = snapeq("verify", "--help")
    assert shown.returncode == 0
    assert "golden" in shown.stdout
    assert "--quick" in shown.stdout


def test_verify_holds_and_depends_on_nothing_but_its_seed() -> None:
    first = snapeq("verify", "--quick", "--json", PYTHONHASHSEED="1", TZ="Asia/Kolkata")
    document = json.loads(first.stdout)
    assert first.returncode == 0, [name for part in document.values() if isinstance(part, dict) for name in part]
    assert document["holds"] is True
    assert document["operators"]["Filter"]["verdict"] == "agreed"
    assert document["operators"]["TimeWindow"]["evidence"]["witness"]["plans"]
    assert min(document["rule_firings"].values()) >= QUICK.firings
    assert document["mutants"]["killed"] == document["mutants"]["total"] >= 300
    assert document["mutants"]["median_cases"] <= 200
    assert document["machine_mutants"]["tried"] == QUICK.machine_mutants
    promised = {"operators", "rules", "engines", "optimizer", "proofs", "mutants", "rule_firings", "holds"}
    assert promised <= set(document)
    again = snapeq("verify", "--quick", "--json", "--only", "rules", "--processes", "1", PYTHONHASHSEED="2", TZ="UTC")
    assert json.loads(again.stdout)["rules"] == document["rules"]


def test_verify_prints_a_table_and_a_line_for_each_part_into_a_pipe() -> None:
    shown = snapeq("verify", "--quick", "--only", "operators")
    assert shown.returncode == 0
    assert "everything holds" in shown.stdout
    assert "operators  reducible" in shown.stdout
    told = [line.split("  ")[-1] for line in shown.stderr.splitlines()]
    assert [line for line in told if "more to go" not in line] == [
        f"corpus: {len(golden_corpus())} verified, all hold",
        f"operators: {len(OPERATORS)} verified, all hold",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only this kernel ends a process with its parent")
def test_no_process_outlives_a_verification_that_is_killed() -> None:
    code = "from equivalence.command.main import main; main()"
    command = [sys.executable, "-c", code, "verify", "--only", "rules", "--processes", "2"]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(workers := children(running.pid)) < 2 and running.poll() is None:
        sleep(0.05)
    running.kill()
    running.wait()
    assert len(workers) >= 2
    while any(map(is_alive, workers)):
        sleep(0.05)


def children(process: int) -> list[int]:
    """The processes that this one started for jobs."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [int(one) for one in listed if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("verify", "--only", "nonsense"), 2, "is not one of"),
        (("verify", "--quick", "--full"), 2, "--quick and --full exclude each other"),
        (("verify", "--seed", "x"), 2, "Invalid value for '--seed'"),
        (("nonsense",), 2, "No such command"),
    ],
)
def test_bad_calls(arguments: tuple[str, ...], code: int, message: str) -> None:
    shown = snapeq(*arguments)
    assert shown.returncode == code
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_package_that_shadows_ours_is_named(tmp_path: Path) -> None:
    other = tmp_path / "semantics"
    other.mkdir()
    (other / "__init__.py").write_text("")
    for package in ("physical", "equivalence"):
        code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; import {package}"
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
        assert shown.returncode == 1
        last = shown.stderr.strip().splitlines()[-1]
        assert last.startswith("ImportError: snapeq needs its own package 'semantics', but found ")
        assert str(other) in last
        assert last.endswith("rename that one, or start Python where it does not come first on the path")
