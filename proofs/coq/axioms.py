"""Ask Coq what every theorem and lemma here rests on: it must be nothing but definitions.

>>> names("Truth.v", "Lemma holds_both v w : True.")
['Truth.holds_both']
>>> names("Sums.v", "Module Sums (M : T). Lemma sum_ext A : True.")
['Sums.NatSums.sum_ext', 'Sums.IntSums.sum_ext']
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
STATEMENT: Final = re.compile(r"\b(?:Lemma|Theorem|Corollary)\s+(\w+)")
FORBIDDEN: Final = re.compile(r"\b(?:Admitted|admit|Axiom|Conjecture|give_up|Abort)\b")
COMMENT: Final = re.compile(r"\(\*.*?\*\)", re.DOTALL)
CLOSED: Final = "Closed under the global context"
INSTANCES: Final = {"Sums": ("NatSums", "IntSums")}
"""What is proved for any monoid can be asked about only where it is instantiated."""


def sources() -> list[Path]:
    """The files that _CoqProject lists."""
    return [HERE / line for line in (HERE / "_CoqProject").read_text().splitlines() if line.endswith(".v")]


def names(file: str, text: str) -> list[str]:
    """The statements of a file, by the names that Coq knows them by."""
    module = file.removesuffix(".v")
    prefixes = [f"{module}.{instance}" for instance in INSTANCES.get(module, ())] or [module]
    found = STATEMENT.findall(COMMENT.sub("", text))
    return [f"{prefix}.{name}" for prefix in prefixes for name in found]


def question(files: list[Path]) -> str:
    """A Coq file that asks about all of them at once: so Coq looks at what they share only once."""
    asked = [name for file in files for name in names(file.name, file.read_text(encoding="utf-8"))]
    together = "".join(f"  (@Snapeq.{name},\n" for name in asked) + "  tt" + ")" * len(asked)
    required = "".join(f"From Snapeq Require {file.stem}.\n" for file in files)
    return f"{required}Definition everything :=\n{together}.\nPrint Assumptions everything.\n"


def main() -> None:
    for file in sources():
        if found := FORBIDDEN.search(COMMENT.sub("", file.read_text(encoding="utf-8"))):
            sys.exit(f"{file.name}: every statement must be proved, got {found[0]}")
    asked = HERE / "Assumptions.v"
    asked.write_text(text := question(sources()), encoding="utf-8")
    command = ["coqc", "-Q", str(HERE), "Snapeq", str(asked)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if said.returncode or said.stdout.strip() != CLOSED:
        sys.exit(f"{said.stdout}{said.stderr}\nnot every statement is free of axioms")
    print(f"{text.count('  (@')} statements in {len(sources())} files, none of them rests on an axiom")


if __name__ == "__main__":
    main()
