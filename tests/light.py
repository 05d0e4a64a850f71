"""The part of snapeq that needs only the standard library, and its examples, for any Python without packages.

    python3.14 -W error -m tests.light

imports every light module, runs the examples of all docstrings, evaluates the golden corpus, and refutes and explains
a false claim. Exit code 0 says that all went well.
"""

import doctest
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from tests.doctest_namespace import namespace
from tests.paths import ROOT

HEAVY: Final = frozenset({"hypothesis", "networkx", "numba", "numpy", "pandas", "pyarrow", "rich", "sqlglot", "typer"})
ROOMS: Final = ("semantics", *(f"equivalence/{room}" for room in "cases lists report rules sampling verdicts".split()))
WITH_PACKAGES: Final = (
    "semantics/graph.py",  # a graph of networkx is what it gives
    "semantics/sql/",  # the grammar is written with sqlglot
    "equivalence/cases/strategies.py",  # for Hypothesis
    "equivalence/report/replay.py",  # runs engines
    "equivalence/sampling/sample_on_engine.py",  # runs engines
)
"""Modules and folders of these rooms that need more than the standard library, each with its reason."""


def light_modules() -> Iterator[str]:
    """The names of all modules that need only the standard library."""
    for path in (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(WITH_PACKAGES):
            yield place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def loaded() -> set[str]:
    """The heavy packages that something has imported."""
    return {name.split(".")[0] for name in sys.modules} & HEAVY


def run_examples() -> doctest.TestResults:
    """Import all light modules and run the examples of their docstrings."""
    results = [
        doctest.testmod(import_module(name), extraglobs=namespace(), optionflags=doctest.NORMALIZE_WHITESPACE)
        for name in light_modules()
    ]
    return doctest.TestResults(sum(r.failed for r in results), sum(r.attempted for r in results))


def wrong_golden_cases() -> list[str]:
    """The names of the golden cases that the reference evaluates to something else than people wrote down."""
    from equivalence.reference_checks.golden import corpus_folder, load_corpus
    from semantics import evaluate

    cases = load_corpus(corpus_folder())
    assert cases
    return [c.name for c in cases if evaluate(c.plan, c.streams, c.expected.horizon).snapshots != c.expected.snapshots]


def refutation() -> str:
    """The explanation of a counterexample, with its timeline."""
    from equivalence import check_plans
    from equivalence.report.text import explained
    from semantics import source

    bids = source("Bid", item=int)
    return explained(check_plans(bids.window(2).distinct(), bids.distinct().window(2), examples=200))


def main() -> int:
    examples, wrong, heavy = run_examples(), wrong_golden_cases(), sorted(loaded())
    print(refutation())
    print(f"\nPython {sys.version.split()[0]}: {examples.attempted} examples, {examples.failed} failed;")
    print(f"golden cases that failed: {wrong or 'none'}; packages loaded: {heavy or 'none'}")
    return 1 if examples.failed or wrong or heavy else 0


if __name__ == "__main__":
    sys.exit(main())
