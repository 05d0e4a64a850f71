"""What a release consists of, beside the code: a citation, ready files for builds of others, versions that agree."""

import re
import shlex
from pathlib import Path

import pytest

import snapeq
from tests.equivalence.command.command import snapeq as run_snapeq
from tests.paths import ROOT

CI = ROOT / "examples" / "ci"
COMMANDS = [
    line
    for file in ("snapeq.yml", "pre-commit-config.yaml")
    for line in re.findall(r"(?:run|entry): (snapeq .*)", (CI / file).read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_examples_hold(command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs").symlink_to(CI / "jobs")
    assert run_snapeq(*shlex.split(command)[1:]).code == 0


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 3


def test_the_citation_is_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {snapeq.__version__}\n" in text
    assert {"cff-version", "message", "title", "authors"} <= set(re.findall(r"^([\w-]+):", text, re.M))


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(r"^## (\S+)", text, re.M)
    assert found is not None
    assert found[1] == snapeq.__version__


def test_every_extra_is_on_the_page_about_installing() -> None:
    table = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[2]
    extras = set(re.findall(r"^(\w+) = \[", table.partition("\n[")[0], re.M))
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert extras == set(re.findall(r"^\| `(\w+)` \|", page, re.M))
