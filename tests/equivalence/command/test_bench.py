"""`snapeq bench`: runs what lies beside the packages, and says so where nothing does."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from equivalence.command import bench as command
from equivalence.command.main import app
from semantics.errors import Unsupported


def test_json_has_what_the_interface_promises() -> None:
    result = CliRunner().invoke(app, ["bench", "scalar", "--size", "50", "--repeat", "1", "--json"])
    assert result.exit_code in (0, 1)
    (row,) = json.loads(result.stdout)
    assert row.keys() >= {"name", "size", "ours_s", "peer", "peer_s", "ratio", "goal"}
    assert (row["name"], row["size"], row["peer"]) == ("scalar", 50, "numpy")


def test_an_unknown_work_is_bad_input() -> None:
    result = CliRunner().invoke(app, ["bench", "skalar"])
    assert result.exit_code == 2
    assert "unknown work 'skalar'" in result.stderr


def test_without_the_folder_it_is_unsupported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "HOME", tmp_path / "benchmarks")
    result = CliRunner().invoke(app, ["bench"])
    assert isinstance(result.exception, Unsupported)
    assert "benchmarks come with the repository" in str(result.exception)


def test_another_package_of_that_name_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "benchmarks" / "harness").mkdir(parents=True)
    monkeypatch.setattr(command, "HOME", tmp_path / "benchmarks")
    assert not command.available()
