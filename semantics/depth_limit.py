"""How deep a plan or an expression is: every function over them is recursive, and Python's stack is short."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Final

DEEPEST_NESTING: Final = 200
"""The depth of nodes, of a plan and the expressions in it, up to which a text is read."""


def too_deep(thing: object, limit: int = DEEPEST_NESTING) -> bool:
    """Are there more nodes below each other than the limit? Itself without recursion.

    >>> from semantics import parse_plan
    >>> plan = parse_plan("S(x int) | distinct | distinct")
    >>> too_deep(plan), too_deep(plan, limit=2)
    (False, True)
    """
    waiting = [(thing, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > limit:
            return True
        waiting += [(part, depth + 1) for part in _parts(node)]
    return False


def _parts(node: object) -> Iterator[object]:
    """The nodes right below a node, those in tuples included."""
    if isinstance(node, tuple):
        yield from (part for part in node if isinstance(part, tuple) or is_dataclass(part))
    elif is_dataclass(node):
        values = [getattr(node, field.name) for field in fields(node)]
        yield from (value for value in values if isinstance(value, tuple) or is_dataclass(value))
