"""What is wrong with a plan of others."""

from typing import Any, Final

from semantics import SnapeqError

SHOWN: Final = 60


class PlanError(SnapeqError):
    """A plan in JSON that cannot be read."""


def part(node: Any, name: str, kind: type | tuple[type, ...]) -> Any:
    """What a JSON object has under a name; a PlanError if that is missing or of another kind."""
    if not isinstance(node, dict) or not isinstance(node.get(name), kind):
        raise PlanError(f'expected a plan with "{name}", got {shown(node)}')
    return node[name]


def shown(node: object) -> str:
    text = str(node)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def has_query(node: object) -> bool:
    """Whether there is a query somewhere in an expression."""
    if isinstance(node, list):
        return any(map(has_query, node))
    return isinstance(node, dict) and bool(node.keys() & {"query", "subquery"} or any(map(has_query, node.values())))
