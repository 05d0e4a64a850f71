"""Write down the smallest counterexamples anew, after a change to generators or shrinking: read the difference well.

python -m tests.equivalence.rules.rewrite_minimal
"""

from importlib import import_module
from pathlib import Path

from tests.equivalence.rules.holding import MINIMAL, smallest


def rewrite(file: Path) -> None:
    """Each file is named after the family whose false rules it has."""
    rules = import_module(f"equivalence.rules.{file.stem}").FALSE
    file.write_text("\n".join(f"## {rule.name}\n{smallest(rule)}\n" for rule in rules), encoding="utf-8")


if __name__ == "__main__":
    for file in sorted(MINIMAL.glob("*.txt")):
        rewrite(file)
