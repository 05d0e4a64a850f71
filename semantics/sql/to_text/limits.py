"""Limits as text: ORDER BY … LIMIT, or QUALIFY."""

from collections.abc import Sequence
from typing import Final

from semantics.ordering import Ranking
from semantics.plan import Limit
from semantics.sql.names import name_text
from semantics.sql.to_text.aggregates import order_text

FUNCTIONS: Final[dict[Ranking, str]] = {"rows": "ROW_NUMBER", "rank": "RANK", "dense": "DENSE_RANK"}


def limit_text(plan: Limit) -> list[str]:
    """The clauses behind a query."""
    names = [name_text(name) for name in plan.schema.names]
    order = [order_text(plan.order, names)] if plan.order else []
    if plan.ranking == "rank":
        offset = f"OFFSET {plan.offset} " if plan.offset else ""
        return [*order, f"{offset}FETCH FIRST {plan.count} ROWS WITH TIES"]
    return [*order, f"LIMIT {plan.count}" + (f" OFFSET {plan.offset}" if plan.offset else "")]


def qualify_text(plan: Limit, columns: Sequence[str]) -> str:
    """QUALIFY, which knows groups."""
    group = [f"PARTITION BY {', '.join(columns[key] for key in plan.keys)}"] if plan.keys else []
    over = " ".join([*group, *([order_text(plan.order, columns)] if plan.order else [])])
    return f"QUALIFY {FUNCTIONS[plan.ranking]}() OVER ({over}) {_places(plan)}"


def _places(plan: Limit) -> str:
    if plan.count is None:
        return f"> {plan.offset}"
    last = plan.offset + plan.count
    return f"BETWEEN {plan.offset + 1} AND {last}" if plan.offset else f"<= {last}"
