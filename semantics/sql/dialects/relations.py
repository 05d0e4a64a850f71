"""What FROM of a block has become."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from semantics.sql.dialects.shapes import Item


@dataclass(frozen=True)
class Made:
    """FROM in this language, with the conditions of WHERE that are left."""

    node: exp.Expr | None
    joins: list[exp.Join]
    items: list[Item]
    conditions: list[exp.Expr] = field(default_factory=list)
    raw: bool = False
    paned: bool = False
    renamed: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Columns that are called otherwise now, by the alias of their relation and their name."""
