"""Modules that have moved, and still answer to the names that tests saved before the move import them by.

`snapeq … --test FILE` wrote these names into users' suites, so they work without a warning: in a suite that turns
warnings into errors, a warning would fail tests that are right. Tests that are saved today import `snapeq` only.
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

FORMER_NAMES: Final = {
    "equivalence.engines": "equivalence.conformance.subject.load",
    "equivalence.generate": "equivalence.cases",
    "equivalence.generate.functions": "equivalence.cases.functions",
    "equivalence.pytest_plugin": "pytest_snapeq",
    "equivalence.replay": "equivalence.report.replay",
    "equivalence.report.document": "equivalence.verdicts.json.document",
    "equivalence.report.reading": "equivalence.verdicts.json.reading",
}
"""The plugin is here because an editable installation made before the move looks for it under its former name."""


class _FormerNames:
    """Finds the modules in the table above; without the base class of loaders, which loads half of `importlib`."""

    def create_module(self, _: ModuleSpec) -> None:
        """A module as it is made by default."""

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        found = fullname in FORMER_NAMES
        return ModuleSpec(fullname, self) if found else None  # type: ignore[arg-type]  # a loader but for its base class

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of today in its place: importlib takes what it then finds under the former name."""
        sys.modules[module.__name__] = import_module(FORMER_NAMES[module.__name__])


def answer_to_former_names() -> None:
    """First of all finders: others would find a module of a moved package a second time, under its former name."""
    sys.meta_path.insert(0, _FormerNames())
