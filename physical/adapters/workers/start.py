"""Runs a program of this folder where our packages are not installed: `python start.py NAME …`.

The packages around the folder are made by hand, so that nothing but the programs' own modules is imported.
"""

import sys
from pathlib import Path
from runpy import run_module
from types import ModuleType

HERE = Path(__file__).resolve().parent


def main() -> None:
    del sys.path[0]  # this folder, whose modules are found by their full names
    sys.argv.pop(0)
    parents = {"physical": HERE.parents[1], "physical.adapters": HERE.parent, "physical.adapters.workers": HERE}
    for name, folder in parents.items():
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    run_module(f"physical.adapters.workers.{sys.argv[0]}", run_name="__main__")


if __name__ == "__main__":
    main()
