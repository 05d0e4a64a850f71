"""Kernels are compiled once, wherever snapeq lies and however many processes start together."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT

CALL = """
import sys; sys.path[:0] = [sys.argv[1]]
import numpy as np
from physical.kernels import jit, sort
assert jit.__file__.startswith(sys.argv[1])
jit.loading.left = 0
assert sort.is_sorted(np.arange(3))
print(sum(sort.is_sorted.compiled().stats.cache_hits.values()))
"""


def test_two_processes_in_two_places_compile_a_kernel_once(tmp_path: Path) -> None:
    for package in ("semantics", "physical"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "SNAPEQ_CACHE": str(tmp_path / "cache")}
    started = [
        subprocess.Popen([sys.executable, "-c", CALL, str(place)], env=environment, stdout=subprocess.PIPE, text=True)
        for place in (ROOT, tmp_path)
    ]
    assert sorted(process.communicate()[0] for process in started) == ["0\n", "1\n"]
