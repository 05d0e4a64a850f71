"""The command `snapeq`, also as `python -m snapeq`."""

import sys

from snapeq.own_packages import foreign_package


def main() -> None:
    """Run the command; if a package of another project hides one of ours, one line on stderr says so."""
    problem = foreign_package()
    if problem is not None:
        print(f"snapeq: {problem}", file=sys.stderr)
        raise SystemExit(2)
    from equivalence.command.main import main as run_command

    run_command()


if __name__ == "__main__":
    main()
