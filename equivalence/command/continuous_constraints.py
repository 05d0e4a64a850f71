"""What CREATE statements promise about a query that runs on and on: seen to row by row, or before it starts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from equivalence.command.on_spark import Answered, check_promises
from equivalence.command.query_files.constraint_queries import Promise, promises
from equivalence.command.terminal import warn
from semantics.plan import Filter, Source

if TYPE_CHECKING:
    from physical.engines.spark.exchange import Spread
    from physical.engines.spark.frame import Frame


def kept(asked: Answered, frames: "Mapping[str, Frame]", over: "Spread") -> "dict[str, Frame]":
    """The frames, but a row that breaks a promise ends the query; what is taken for granted is said.

    Promises about tables alone are looked at now, and those about each row of a stream as it comes.
    """
    from physical.engines.spark.compile import Compiler

    found, remarks = promises(asked.question, asked.addresses)
    still = {name for name, frame in frames.items() if not frame.data.isStreaming}
    at_once = [promise for promise in found if promise.broken.sources().keys() <= still]
    by_row = [promise for promise in found if promise not in at_once and _is_by_row(promise)]
    check_promises(at_once, Compiler(frames, over), asked.addresses)
    _say([promise for promise in found if promise not in at_once and promise not in by_row], remarks)
    return _refusing(frames, by_row, asked.addresses)


def _is_by_row(promise: Promise) -> bool:
    return isinstance(promise.broken, Filter) and isinstance(promise.broken.input, Source)


def _refusing(
    frames: "Mapping[str, Frame]", broken: Sequence[Promise], addresses: Mapping[str, str]
) -> "dict[str, Frame]":
    from physical.engines.spark.decode_dataframe import refusing
    from physical.engines.spark.expressions import column

    found = dict(frames)
    for promise in broken:
        assert isinstance(promise.broken, Filter)
        name, frame = promise.source, found[promise.source]
        wrong = column(promise.broken.predicate, frame.columns)
        found[name] = refusing(frame, wrong, promise.error(addresses[name], (), 0))
    return found


def _say(granted: Sequence[Promise], remarks: Sequence[str]) -> None:
    titles = list(dict.fromkeys(promise.title for promise in granted))
    if titles:
        warn(f"snapeq: --continuous: taken for granted, not checked: {', '.join(titles)}")
    for remark in remarks:
        warn(f"snapeq: {remark}")
