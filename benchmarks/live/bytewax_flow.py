"""The peer, run by a Python that has Bytewax: `python bytewax_flow.py NAME SIZE BATCH` prints rate, median and p99.

`filter` is the same filter. `grouped count` counts per key without a window: Bytewax would have to put every element
into a hundred sliding windows, so the peer does less work than we do. An element's latency is the time from the source
to the sink.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from time import perf_counter
from typing import Any

Item = tuple[str, int, float]


def arriving(size: int) -> Iterator[Item]:
    """Elements with a key, a value, and when they came."""
    for t in range(size):
        yield str(t * 7919 % 10), t * 104729 % 1000, perf_counter()


def counted(state: int | None, item: Item) -> tuple[int, Item]:
    """One more element of a key."""
    return (state or 0) + 1, item


def flow(name: str, size: int, batch: int, took: list[float]) -> Any:
    """The dataflow; what each element took goes into the list."""
    op, testing = import_module("bytewax.operators"), import_module("bytewax.testing")
    made = import_module("bytewax.dataflow").Dataflow("peer")
    stream = op.input("in", made, testing.TestingSource(arriving(size), batch))
    if name == "filter":
        items = op.filter("filter", stream, lambda item: item[1] < 500)
    else:
        keyed = op.key_on("key", stream, lambda item: item[0])
        items = op.map("item", op.stateful_map("count", keyed, counted), lambda pair: pair[1])
    op.output("out", op.map("took", items, lambda item: perf_counter() - item[2]), testing.TestingSink(took))
    return made


def main(name: str, size: int, batch: int) -> None:
    took: list[float] = []
    made = flow(name, size, batch, took)
    begun = perf_counter()
    import_module("bytewax.testing").run_main(made)
    rate = size / (perf_counter() - begun)
    took.sort()
    print(rate, 1e6 * took[len(took) // 2], 1e6 * took[len(took) * 99 // 100])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
