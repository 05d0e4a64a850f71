"""Write down the smallest counterexamples anew, after a change to generators or shrinking: read the difference well.

python -m tests.equivalence.rules.rewrite_minimal
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from equivalence.rules.catalogue import CATALOGUE
from equivalence.rules.statement import Rule
from tests.equivalence.rules.rule_tests import MINIMAL, siblings, smallest


def rules_of(file: Path) -> Sequence[Rule]:
    """Each file is named after the family whose false rules it has; one is about dropped side conditions."""
    if file.stem == "siblings":
        return siblings(CATALOGUE)
    false: Sequence[Rule] = import_module(f"equivalence.rules.catalogue.{file.stem}").FALSE
    return false


def rewrite(file: Path) -> None:
    rules = rules_of(file)
    file.write_text("\n".join(f"## {rule.name}\n{smallest(rule)}\n" for rule in rules), encoding="utf-8")


if __name__ == "__main__":
    for file in sorted(MINIMAL.glob("*.txt")):
        rewrite(file)
