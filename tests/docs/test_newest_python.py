"""The light part of snapeq in Python 3.14, which is what Pyodide is: classes compute their annotations late there."""

import shutil
import subprocess

import pytest

from docs.generate.playground import NEEDED
from tests.paths import ROOT

NODE = shutil.which("node")
PYODIDE = ROOT / "site" / "play" / "pyodide"
SCRIPT = """
    const [pyodide, project] = process.argv.slice(1);
    const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
    const python = await loadPyodide({ indexURL: `${pyodide}/` });
    python.FS.mkdirTree("/project");
    python.mountNodeFS("/project", project);
    python.runPython(`
        import sys
        sys.path.insert(0, "/project")
        sys.dont_write_bytecode = True
        from tests.light import main
        print("exit code", main())
    `);
"""


@pytest.mark.skipif(
    NODE is None or not all((PYODIDE / name).is_file() for name in NEEDED), reason="needs node, and `make site`"
)
def test_what_needs_no_package_works_in_the_python_of_the_browser() -> None:
    assert NODE is not None
    command = [NODE, "--input-type=module", "--eval", SCRIPT, str(PYODIDE), str(ROOT)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert "Python 3.14" in ran.stdout
    assert "0 failed" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "exit code 0"
