"""Deviations of windows that count rows, and of the operators that show changes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from equivalence.deviations.catalogue.plan_change import on, plan_deviation, some, without_null
from equivalence.deviations.deviation import Deviation
from semantics import FOREVER, Plan
from semantics.plan import CountWindow, Distinct, Dstream, Istream, PartitionedWindow, TimeWindow

_ROWS: Final = (CountWindow, PartitionedWindow)


def _more(by: int) -> Callable[[Any], Plan]:
    return lambda node: replace(node, rows=node.rows + by) if node.rows + by > 0 else node


def _unpartitioned(node: PartitionedWindow) -> Plan:
    return CountWindow(node.input, node.rows, node.slide, node.ties)


def _with_ties(node: CountWindow | PartitionedWindow) -> Plan:
    return node if node.slide > 1 else replace(node, ties=True)


ROW_WINDOWS: Final[tuple[Deviation, ...]] = (
    plan_deviation("one row too many", "a window of N rows holds N + 1", "rows", _ROWS, on(*_ROWS)(_more(1)), position="at the window", locality="prefix", synonyms=("ROWS off by one",)),
    plan_deviation("one row too few", "a window of N rows holds N - 1", "rows", _ROWS, on(*_ROWS)(_more(-1)), values=some(_ROWS, lambda n: n.rows > 1), position="at the window", locality="prefix", synonyms=("ROWS off by one",)),
    plan_deviation("rows never evicted", "a window of N rows keeps all of them", "rows", _ROWS, on(*_ROWS)(lambda node: TimeWindow(node.input, FOREVER)), position="at the window", locality="prefix", synonyms=("state not cleaned up",)),
    plan_deviation("ties kept", "rows of one instant enter and leave a window of rows together", "ties", _ROWS, on(*_ROWS)(_with_ties), values=some(_ROWS, lambda n: not n.ties and n.slide == 1), position="at the window", locality="prefix", synonyms=("RANGE for ROWS", "peers counted together")),
    plan_deviation("ties cut", "of rows of one instant some are cut off, though they tie", "ties", _ROWS, on(*_ROWS)(lambda node: replace(node, ties=False)), values=some(_ROWS, lambda n: n.ties), position="at the window", locality="prefix", synonyms=("ROWS for RANGE", "WITH TIES ignored")),
    plan_deviation("row slide ignored", "the window shows every row at once, not with its slide", "slide", _ROWS, on(*_ROWS)(lambda node: replace(node, slide=1)), values=some(_ROWS, lambda n: n.slide > 1), position="at the window", locality="prefix"),
    plan_deviation("NULL partition lost", "rows with NULL in the partition key are in no window", "NULL groups", (PartitionedWindow,), on(PartitionedWindow)(lambda node: replace(node, input=without_null(node.input, node.keys))), position="at the key", locality="prefix", synonyms=("NULL groups dropped",)),
    plan_deviation("partitions merged", "there is one window for all keys", "partitions", (PartitionedWindow,), on(PartitionedWindow)(_unpartitioned), position="at the key", locality="prefix"),
    plan_deviation("changes ignored", "everything that is there is shown, not only what has changed", "changes", (Istream, Dstream), on(Istream, Dstream)(lambda node: node.input), synonyms=("RSTREAM for ISTREAM",)),
    plan_deviation("changes of a set", "a row that is there once more is no change", "changes", (Istream, Dstream), on(Istream, Dstream)(lambda node: replace(node, input=Distinct(node.input)))),
    plan_deviation("insertions for deletions", "what comes and what goes are taken for each other", "changes", (Istream, Dstream), on(Istream, Dstream)(lambda node: (Dstream if isinstance(node, Istream) else Istream)(node.input)), synonyms=("sign of changes swapped",)),
)  # fmt: skip
