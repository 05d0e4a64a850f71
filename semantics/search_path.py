"""Where modules that the user names are found."""

import sys
from pathlib import Path


def search_here() -> None:
    """Let imports find modules in the current folder, after all others: an installed command starts without it."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
