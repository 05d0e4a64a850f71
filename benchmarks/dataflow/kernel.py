"""Pure kernel activity: how many events a second one factory handles, without any communication."""

from benchmarks.dataflow.nets import chain, in_batches, run, stream, wired
from benchmarks.dataflow.shape import Claim
from physical.engines.dataflow.query_net import Setting

PUBLISHED_EVENTS_PER_SECOND = 7e6
BATCHES = (1_000, 10_000, 100_000)
FACTORIES = 8


def rates(size: int, repeat: int = 3) -> dict[int, float]:
    """The events per second of one factory for each batch size, in the best run of a chain of factories."""
    whole, found = stream(size), {}
    for batch in BATCHES:
        seconds = min(sum(run(wired([chain(FACTORIES)], Setting()), in_batches(whole, batch))) for _ in range(repeat))
        found[batch] = size * FACTORIES / seconds
    return found


def claims(found: dict[int, float]) -> list[Claim]:
    top = max(found.values())
    return [
        Claim(
            "a factory handles 7·10⁶ events a second",
            f"{top:.2g} with batches of {max(found, key=lambda b: found[b]):,}",
            top > PUBLISHED_EVENTS_PER_SECOND,
        )
    ]
