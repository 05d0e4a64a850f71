"""The command, and the function behind `snapeq bench`."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Annotated

import typer

from benchmarks.harness.agree import Disagreement
from benchmarks.harness.duel import Row, Say, falls_short, measure
from benchmarks.harness.memory import SIZE as SESSION_SIZE
from benchmarks.harness.memory import memory
from benchmarks.harness.report import print_queries, print_table
from benchmarks.harness.threads import threads
from benchmarks.harness.work import Work
from benchmarks.studies.flat import flat
from benchmarks.works import catalogue


class UnknownWork(Exception):
    """A name that is not in the table."""


def to_stderr(message: str) -> None:
    """Print a remark where it does not disturb the result."""
    print(message, file=sys.stderr)


def silent(message: str) -> None:
    """Print nothing."""


def run_benchmarks(
    names: Sequence[str] = (), sizes: Sequence[int] = (), repeat: int = 3, say: Say = to_stderr, progress: Say = silent
) -> list[Row]:
    """Time these works (default: all) at these sizes (default: the work's own), best of `repeat` runs.

    `say` is called with what is skipped, and `progress` before every measurement.
    """
    threads()  # by default one, for us, too
    names, extra = [name for name in names if name not in EXTRA], [name for name in EXTRA if name in names]
    works = chosen(names) if names or not extra else []
    for work in works:
        for size, peer in product(sizes or work.sizes, work.peers):
            if peer.largest is not None and size > peer.largest:
                say(f"{work.name}: {size} elements would take {peer.name} forever; skipped")
    for obstacle in sorted({peer.obstacle() or "" for work in works for peer in work.peers} - {""}):
        say(f"{obstacle}; its rows are skipped")
    return [
        *(
            row
            for work in works
            for size in feasible(work, sizes, say)
            for row in measure(work, size, repeat, progress)
        ),
        *(row for name in extra for row in EXTRA[name](sizes, repeat, say, progress)),
    ]


def flat_rows(sizes: Sequence[int], repeat: int, say: Say, progress: Say) -> Iterable[Row]:  # noqa: ARG001
    """Every work against itself at a smaller size."""
    return flat(catalogue(), sizes, repeat, progress)


def memory_rows(sizes: Sequence[int], repeat: int, say: Say, progress: Say) -> Iterable[Row]:  # noqa: ARG001
    """A session over an endless stream, once."""
    return [memory(size, say) for size in sizes or [SESSION_SIZE]]


EXTRA: dict[str, Callable[[Sequence[int], int, Say, Say], Iterable[Row]]] = {"flat": flat_rows, "memory": memory_rows}
"""What is measured only when asked for by name."""


def chosen(names: Sequence[str]) -> list[Work]:
    """The works, or families of works, of these names; all if there are none."""
    works = catalogue()
    for name in names:
        if not any(work.called(name) for work in works):
            known = ", ".join([*dict.fromkeys(work.name.split("/")[0] for work in works), *EXTRA])
            raise UnknownWork(f"bench: unknown work {name!r}; there are: {known}")
    return [work for work in works if not names or any(map(work.called, names))]


def feasible(work: Work, sizes: Sequence[int], say: Say) -> Iterator[int]:
    """The sizes, or the work's own, that its peers can do in reasonable time."""
    for size in sizes or work.sizes:
        if work.largest is not None and size > work.largest:
            say(f"{work.name}: {size} elements would take its peer forever, {work.largest} is the most; skipped")
        else:
            yield size


app = typer.Typer(add_completion=False)


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="works or families, such as equijoin, flat, memory; default: all works")
    ] = None,
    size: Annotated[list[int] | None, typer.Option(min=1, help="elements per stream; may be repeated")] = None,
    repeat: Annotated[int, typer.Option(min=1, help="timed runs of which the best counts")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
    show: Annotated[bool, typer.Option(help="print the plans and the peers' queries first")] = False,
) -> None:
    """Benchmarks against peers, one thread each or as many as SNAPEQ_THREADS says, as ratios: peer time / ours."""
    try:
        if show and not as_json:
            print_queries(chosen([name for name in names or [] if name not in EXTRA]))
        rows = run_benchmarks(names or [], size or [], repeat, progress=to_stderr if sys.stderr.isatty() else silent)
    except (UnknownWork, Disagreement) as error:
        to_stderr(str(error))
        raise typer.Exit(2 if isinstance(error, UnknownWork) else 1) from None
    if as_json:
        print(json.dumps(rows, indent=2))
    else:
        print_table(rows)
    raise typer.Exit(int(any(falls_short(row) for row in rows)))
