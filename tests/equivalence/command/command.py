"""The command, run in this process: what it prints does not depend on a terminal, so none is needed."""

import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from unittest.mock import patch

from equivalence.command.main import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def snapeq(*arguments: str) -> Ran:
    """Run `snapeq` with these arguments."""
    out, err = StringIO(), StringIO()
    with patch.object(sys, "argv", ["snapeq", *arguments]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())
