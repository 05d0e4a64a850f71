"""`snapeq bench`: the benchmarks, which come with the repository and its source distribution, not with the wheel."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from semantics import Unsupported

HOME = Path(__file__).parents[2] / "benchmarks"


def bench_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="Works or families, such as equijoin; default: all.")
    ] = None,
    size: Annotated[
        list[int] | None, typer.Option(metavar="N", min=1, help="Elements per stream; may be repeated.")
    ] = None,
    repeat: Annotated[int, typer.Option(metavar="N", min=1, help="Timed runs of which the best counts.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    show: Annotated[bool, typer.Option(help="Print the plans and the peers' queries first.")] = False,
) -> None:
    """Benchmarks against peers, as ratios: peer time / ours.

    They come with the repository: beside its packages is the folder benchmarks. Exit code 3 where it is missing.
    """
    if not available():
        raise Unsupported(f"benchmarks come with the repository or the source distribution, there is none at {HOME}")
    from benchmarks.harness.main import bench as run_benchmarks

    run_benchmarks(names, size, repeat, as_json, show)


def available() -> bool:
    """Is the package benchmarks the one beside ours, and not another one of that name?"""
    package = find_spec("benchmarks") if (HOME / "harness").exists() else None
    return package is not None and package.origin is not None and Path(package.origin).parent == HOME
