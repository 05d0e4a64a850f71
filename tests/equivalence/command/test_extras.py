"""Where a solver is not installed, the commands that need it name the package and how to install it."""

import subprocess
import sys

import pytest

from tests.paths import ROOT

EQUIV = ("equiv", "S(x int)", "S(x int)")
WITHOUT = """
import sys
sys.modules[sys.argv.pop(1)] = None
from equivalence.command.main import main
main()
"""


def snapeq_without(package: str, *arguments: str) -> tuple[int, str, str]:
    """The command in a process of its own, in which a package cannot be imported."""
    command = [sys.executable, "-c", WITHOUT, package, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize("package", ["z3", "cvc5"])
@pytest.mark.parametrize(
    ("what", "arguments"), [("prover", (*EQUIV, "--by", "prove")), ("discovery of rules", ("discover",))]
)
def test_what_needs_a_solver_says_which_and_how_to_install_it(
    package: str, what: str, arguments: tuple[str, ...]
) -> None:
    message = f"snapeq: {what}: needs {package}, which is not installed: pip install 'snapeq[prove]'\n"
    assert snapeq_without(package, *arguments) == (3, "", message)


@pytest.mark.parametrize("by", ["sample", "exhaust"])
def test_the_other_checks_need_no_solver(by: str) -> None:
    code, out, err = snapeq_without("z3", *EQUIV, "--by", by)
    assert (code, err) == (0, "")
    assert out.startswith("AGREED")
