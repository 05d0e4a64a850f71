"""`import snapeq`: every public name in one place, loaded when it is first used."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import assert_type

import pytest

import equivalence
import physical
import semantics
import snapeq
from semantics.lazy_names import homes
from tests.paths import ROOT

PACKAGES = (semantics, physical, equivalence)
LAZY = (physical, equivalence, snapeq)


def printed(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return run.stdout.strip()


def test_importing_it_loads_the_standard_library_only() -> None:
    before, after = "before = set(sys.modules)", "{m.split('.')[0] for m in set(sys.modules) - before}"
    code = f"import sys; {before}; import snapeq; print(sorted({after} - sys.stdlib_module_names))"
    assert printed(code) == "['snapeq']"


def test_what_is_typed_at_a_prompt_loads_no_engine() -> None:
    heavy = "{'hypothesis', 'numpy', 'physical.engines', 'equivalence.cases'}"
    code = f"import sys, snapeq; snapeq.parse('S(x int)'); print(sorted(set(sys.modules) & {heavy}))"
    assert printed(code) == "[]"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: str(package.__name__))
def test_what_the_packages_offer_is_here_and_is_the_same(package: ModuleType) -> None:
    same = [name for name in package.__all__ if name != "Session"]
    assert all(getattr(snapeq, name) is getattr(package, name) for name in same)


def test_the_session_is_that_of_the_engine_with_the_optimizer_at_work() -> None:
    assert issubclass(snapeq.Session, physical.Session)


@pytest.mark.parametrize("package", LAZY, ids=lambda package: str(package.__name__))
def test_the_list_of_public_names_is_the_list_of_imports(package: ModuleType) -> None:
    assert sorted(homes(package.__name__)) == sorted(package.__all__)
    assert all(hasattr(package, name) for name in package.__all__)


@pytest.mark.parametrize("package", LAZY, ids=lambda package: str(package.__name__))
def test_no_module_has_the_name_of_something_public(package: ModuleType) -> None:
    """Importing the module would put it in the place of what is promised."""
    modules = {path.stem for folder in package.__path__ for path in Path(folder).iterdir()}
    assert modules & {*package.__all__} == set()


@pytest.mark.parametrize("package", LAZY, ids=lambda package: str(package.__name__))
def test_other_names_are_errors(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match=rf"module '{package.__name__}' has no attribute 'nonsense'"):
        package.nonsense  # noqa: B018  # asking for it is the test


def test_everything_can_be_imported_at_once() -> None:
    assert printed("from snapeq import *; print(parse_plan('S(x int)').operator, run.__name__)") == "Source run"


def test_it_says_its_version() -> None:
    assert assert_type(snapeq.__version__, str) == version("snapeq")
    assert dir(snapeq) == sorted([*snapeq.__all__, "__version__"])


def test_type_checkers_see_the_types() -> None:
    """mypy checks this file: a lazily loaded name is no `Any` to it."""
    assert_type(snapeq.check_plans(snapeq.parse_plan("S(x int)"), snapeq.parse_plan("S(x int)")), snapeq.Verdict)


def test_the_command_says_its_version() -> None:
    for module in ("snapeq", "equivalence.command.main"):
        call = [sys.executable, "-m", module, "--version"]
        shown = subprocess.run(call, capture_output=True, text=True, check=True, cwd=ROOT)
        assert (shown.stdout, shown.stderr) == (f"snapeq {snapeq.__version__}\n", "")
