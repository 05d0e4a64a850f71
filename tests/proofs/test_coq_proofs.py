"""The Coq proofs compile without axioms, and the table of lemmas names what is there."""

import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from equivalence import prover
from equivalence.prover.kernel.existence import Existence
from equivalence.rules.catalogue import CATALOGUE
from proofs.coq.axioms import FORBIDDEN, names, sources
from tests.proofs.vectors import COQ

LEMMAS: dict[str, str] = json.loads((COQ / "lemmas.json").read_text(encoding="utf-8"))
TOOLS = ("coqc", "coq_makefile", "ocamlopt", "make")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]


def statements(file: str) -> list[str]:
    return names(file, (COQ / file).read_text(encoding="utf-8"))


def test_every_file_is_compiled() -> None:
    written = {path.name for path in COQ.glob("*.v")} - {"Assumptions.v"}  # which is made anew each time
    assert written == {path.name for path in sources()}


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_nothing_is_left_unproved(path: Path) -> None:
    assert not FORBIDDEN.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("rule", LEMMAS)
def test_every_rule_with_a_lemma_is_in_the_catalogue(rule: str) -> None:
    assert rule in {r.name for r in CATALOGUE}


@pytest.mark.parametrize("rule", LEMMAS)
def test_every_lemma_is_there(rule: str) -> None:
    file, lemma = re.fullmatch(r"(\w+\.v): (\w+)", LEMMAS[rule]).groups()  # type: ignore[union-attr]  # or it fails
    assert f"{file.removesuffix('.v')}.{lemma}" in statements(file)


STEP = re.compile(r'(?:"""|\. )([A-Z]+(?: [A-Z]+)?): |# (CONG): ')
"""How the prover's own documentation names the steps that it takes."""


def test_every_step_of_the_prover_has_a_theorem() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(prover.__file__).parent.rglob("*.py")]
    steps = {name for text in texts for found in STEP.findall(text) for name in found if name}
    files = ("KernelSteps", "MoreKernelSteps")
    proved = {name.removeprefix(f"{file}.step_") for file in files for name in statements(f"{file}.v")}
    assert len(steps) >= 18
    lacking = {step for step in steps if not any(p.startswith(step.lower().replace(" ", "_")) for p in proved)}
    assert not lacking


def test_every_rewriting_of_existence_has_a_theorem() -> None:
    """But for those that have it as a step, or that only say where to look."""
    rewritings = {name for name, value in vars(Existence).items() if name.startswith("_") and inspect.isfunction(value)}
    text = (COQ / "ExistenceSteps.v").read_text(encoding="utf-8")
    lacking = {name for name in rewritings if not re.search(rf"[*;] {name}: ", text)}
    assert lacking == {"__init__", "_tidied", "_some_last"}


@pytest.mark.skipif(bool(MISSING), reason=f"the Coq proofs were not compiled: {', '.join(MISSING)} not found")
def test_the_proofs_compile_without_axioms_and_the_vectors_are_what_the_oracle_says(tmp_path: Path) -> None:
    copied = shutil.copytree(COQ, tmp_path / "coq", ignore=shutil.ignore_patterns("*.vo", "*.glob", ".*", "oracle*"))
    command = ["make", "-C", str(copied), f"PYTHON={sys.executable}", "check"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    assert "none of them rests on an axiom" in made.stdout
