"""The command `snapeq`, also as `python -m snapeq`."""

import gc
import sys
from typing import Final

from snapeq.own_packages import foreign_package

CONTAINERS_BEFORE_A_COLLECTION: Final = 100_000
"""Modules make containers by the ten thousand, none of them garbage; to look for it takes a tenth of the start."""


def main() -> None:
    """Run the command; if a package of another project hides one of ours, one line on stderr says so."""
    gc.set_threshold(CONTAINERS_BEFORE_A_COLLECTION)
    problem = foreign_package()
    if problem is not None:
        print(f"snapeq: {problem}", file=sys.stderr)
        raise SystemExit(2)
    from equivalence.command.main import main as run_command
    from equivalence.command.quick_start import has_own_process

    has_own_process()
    try:
        run_command()
    finally:
        gc.freeze()  # at its end Python looks for garbage once more, and need not look at all that was loaded


if __name__ == "__main__":
    main()
