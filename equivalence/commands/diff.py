"""`snapeq diff`: are two result files snapshot-equivalent?"""

from pathlib import Path
from typing import Annotated

import typer

from equivalence.commands.difference import end_with
from equivalence.commands.terminal import AsJson, working


def diff_command(
    a: Annotated[Path, typer.Argument(metavar="A", help="An interval file: its columns, `_start` and `_end`.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another, of any format.")],
    as_json: AsJson = False,
) -> None:
    """Do two files hold the same rows equally often at every instant?

    \b
    Example:
      snapeq diff mine.parquet theirs.csv

    Rows may overlap, repeat, be cut into pieces and stand in any order; `_count` says how often a row is there, and is
    1 where there is no such column. Exit code 0 if they are equivalent, 1 if not.
    """
    from equivalence.files.comparison import compare_files

    with working("comparing"):
        found = compare_files(a, b)
    end_with(found, (str(a), str(b)), as_json, [])
