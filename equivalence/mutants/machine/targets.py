"""The files that are mutated, and their mutations."""

from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Final

from equivalence.mutants.machine.syntax_mutations import SyntaxMutation, mutations_of
from equivalence.mutants.machine.tuning import NAMES
from physical.planning import planner

ROOT: Final = Path(__file__).parents[3]
TARGETS: Final = (
    "physical/engines/interval/*.py",
    "physical/runtime/*.py",
    "physical/columns/*.py",
    "physical/aggregation/*.py",
    "physical/join_index/*.py",
    "physical/planning/*.py",
    "physical/kernels/*.py",
    "physical/files/run_in_batches.py",
    "physical/files/canonical_runs.py",
    "physical/files/spill.py",
    "physical/files/stream_difference.py",
    "equivalence/optimizer/rewrites/*.py",
)
"""The interval engine with all that it stands on, sessions, canonical form, feeding in batches, and the rewrites."""
LEFT_OUT: Final = frozenset({"physical/kernels/jit.py", "physical/kernels/freed_memory.py"})
"""How kernels are compiled and memory is given back: nothing that a result depends on."""

FOR_READERS: Final = frozenset(
    f"{planner.__name__}.{name}"
    for name in ("explain", "explain_node", "_lines", "_reason", "_join_reason", "_area_reason")
)
"""Functions that only make text for people."""


def target_files(pattern: str = "*") -> list[str]:
    """The files to mutate whose path fits a pattern, relative to the folder of the packages.

    >>> target_files("*/multiplicity.py")
    ['physical/kernels/multiplicity.py']
    """
    found = (path.relative_to(ROOT).as_posix() for target in TARGETS for path in sorted(ROOT.glob(target)))
    return [path for path in found if path not in LEFT_OUT and fnmatch(path, pattern)]


def module_name(file: str) -> str:
    """
    >>> module_name("physical/kernels/multiplicity.py"), module_name("physical/kernels/__init__.py")
    ('physical.kernels.multiplicity', 'physical.kernels')
    """
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def target_mutations(pattern: str = "*") -> Iterator[SyntaxMutation]:
    """All mutations of the files whose path fits a pattern, in order; but none of tuning and of text for people."""
    for file in target_files(pattern):
        yield from _mutations(file)


@cache
def _mutations(file: str) -> tuple[SyntaxMutation, ...]:
    made = mutations_of(module_name(file), (ROOT / file).read_text(encoding="utf-8"))
    return tuple(mutation for mutation in made if not _changes_no_result(mutation))


def _changes_no_result(mutation: SyntaxMutation) -> bool:
    owner = f"{mutation.module}.{mutation.function}".rstrip(".")
    return owner in FOR_READERS or any(f"{owner}.{name}" in NAMES for name in mutation.defines)
