"""Deviations of top-N: how many places there are, in which order, and what becomes of ties."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equivalence.deviations.catalogue.plan_change import on, plan_deviation, some, without_null
from equivalence.deviations.deviation import Deviation
from semantics import Plan
from semantics.plan import Limit


def _more(by: int) -> Callable[[Limit], Plan]:
    return lambda node: replace(node, count=max(node.count + by, 0)) if node.count is not None else node


def _turned(node: Limit) -> Plan:
    """The order the other way round; NULLs stay where they are."""
    turned = [replace(key, descending=not key.descending, nulls_last=key.ends_with_nulls) for key in node.order]
    return replace(node, order=tuple(turned))


def _nulls_moved(node: Limit) -> Plan:
    return replace(node, order=tuple(replace(key, nulls_last=not key.ends_with_nulls) for key in node.order))


LIMITS: Final[tuple[Deviation, ...]] = (
    plan_deviation("one place too many", "there are N + 1 places, not N", "limit", (Limit,), on(Limit)(_more(1)), values=some(Limit, lambda n: n.count is not None), synonyms=("< N + 1 read as <= N + 1", "LIMIT off by one")),
    plan_deviation("one place too few", "there are N - 1 places, not N", "limit", (Limit,), on(Limit)(_more(-1)), values=some(Limit, lambda n: bool(n.count)), synonyms=("<= N read as < N", "LIMIT off by one")),
    plan_deviation("OFFSET ignored", "the first rows are not left out", "offset", (Limit,), on(Limit)(lambda node: replace(node, offset=0)), values=some(Limit, lambda n: n.offset > 0)),
    plan_deviation("order reversed", "the last rows are taken, not the first", "order", (Limit,), on(Limit)(_turned), values=some(Limit, lambda n: bool(n.order)), synonyms=("ASC for DESC",)),
    plan_deviation("NULLs at the other end", "NULLs come at the other end of the order", "order", (Limit,), on(Limit)(_nulls_moved), values=some(Limit, lambda n: bool(n.order)), synonyms=("NULLS FIRST for NULLS LAST",)),
    plan_deviation("peers ranked alike", "rows that tie share a place", "ranking", (Limit,), on(Limit)(lambda node: replace(node, ranking="rank")), values=some(Limit, lambda n: n.ranking == "rows"), synonyms=("RANK for ROW_NUMBER", "WITH TIES")),
    plan_deviation("peers ranked apart", "rows that tie have places of their own", "ranking", (Limit,), on(Limit)(lambda node: replace(node, ranking="rows")), values=some(Limit, lambda n: n.ranking != "rows"), synonyms=("ROW_NUMBER for RANK",)),
    plan_deviation("NULL groups without places", "rows with NULL in a group column get no place", "NULL groups", (Limit,), on(Limit)(lambda node: replace(node, input=without_null(node.input, node.keys))), values=some(Limit, lambda n: bool(n.keys)), position="at the key"),
)  # fmt: skip
