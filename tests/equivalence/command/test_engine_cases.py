"""Queries, inputs and expected rows of engines' own suites, by `snapeq check` as a user would type it.

The cases lie beside the repository; where they are not there, the tests are skipped. No text of them is here.
"""

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from equivalence.command.main import app
from semantics import SnapeqError
from semantics.sql import parse_script
from semantics.sql.dialects.registry import read_dialect
from tests.semantics.sql.dialects.engine_cases import NO_VALUE, EngineCase
from tests.semantics.sql.dialects.test_engine_cases import CASES, NO_CASES, expectation_of

QUALIFY = "_in_qualify"
"""Here the engine has one column more than the query selects."""


def _written(source: Path, target: Path, rows_left_out: int = 0) -> Path:
    """A file as our readers know it: nothing for NULL, quotes around everything else."""
    with source.open(newline="") as file:
        rows = list(csv.reader(file))
    if rows_left_out:
        del rows[-rows_left_out:]
    quoted = (["" if value == NO_VALUE else '"' + value.replace('"', '""') + '"' for value in row] for row in rows)
    target.write_text("".join(",".join(row) + "\n" for row in quoted))
    return target


def _checked(case: EngineCase, folder: Path, rows_left_out: int = 0) -> tuple[int, str]:
    """The exit code of the command, 2 for bad input, and what it says."""
    query, output = folder / "query.sql", folder / "output.csv"
    query.write_text(case.script)
    _written(case.folder / "expected.csv", output, rows_left_out)
    streams: list[str] = []
    try:
        read = {name.lower() for name in parse_script(read_dialect(case.script, case.dialect).text).catalogue.relations}
        for file in sorted((case.folder / "inputs").glob("*.csv")):
            if file.stem.lower() in read:
                streams += ["--stream", f"{file.stem}={_written(file, folder / file.name)}"]
        command = ["check", str(query), "--dialect", case.dialect, *streams, "--output", str(output), "--no-explain"]
        ran = CliRunner().invoke(app, command, catch_exceptions=False)
    except SnapeqError as error:
        return 2, str(error)
    return ran.exit_code, ran.output


@pytest.mark.parametrize("case", CASES or [None], ids=lambda case: case.folder.name if case else "none")
def test_the_command_says_of_a_case_what_is_expected(case: EngineCase | None, tmp_path: Path) -> None:
    if case is None:
        pytest.skip(NO_CASES)
    expected = expectation_of(case)
    code, said = _checked(case, tmp_path)
    if expected == "refused":
        assert code == 2
        assert "refused" in said
    elif expected == "deviating" and not case.folder.name.endswith(QUALIFY):
        assert code == 1
    else:
        assert code == 0, said
        if case.expected:
            assert _checked(case, tmp_path, rows_left_out=1)[0] == 1
