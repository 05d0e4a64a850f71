"""Freed memory is kept where the C library can be asked to, unless the user forbids it."""

import ctypes
import subprocess
import sys

import pytest

from physical.kernels import freed_memory
from tests.paths import ROOT


def test_the_user_may_forbid_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_KEEP_MEMORY", "0")
    assert not freed_memory.keep_freed_memory()


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_nobody_is_asked(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.delenv("SNAPEQ_KEEP_MEMORY", raising=False)
    monkeypatch.setattr("sys.platform", platform)
    assert not freed_memory.keep_freed_memory()


def test_a_library_that_does_not_know_it_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SNAPEQ_KEEP_MEMORY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert not freed_memory.keep_freed_memory()


def test_both_limits_are_set_and_there_is_one_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Library:
        def mallopt(self, option: int, value: int) -> int:
            asked.append((option, value))
            return 1

    monkeypatch.delenv("SNAPEQ_KEEP_MEMORY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: Library())
    assert freed_memory.keep_freed_memory()
    assert asked == [(-1, freed_memory.kept_bytes()), (-3, freed_memory.kept_bytes()), (-8, 1)]
    assert 0 < freed_memory.kept_bytes() < 2**31


@pytest.mark.parametrize("module", ["physical.columns.arrow", "physical.files.writer", "physical.engines.spark.frame"])
def test_memory_is_arranged_before_arrow_starts_a_thread(module: str) -> None:
    """An arena that a thread has made stays, and half of our threads would get it."""
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    names = loaded.stdout.split()
    assert names.index("physical.kernels.freed_memory") < names.index("pyarrow")
