"""The columns that windows add to a relation: start, end and perhaps the last instant."""

from dataclasses import replace
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nodes import Windowing
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import Shape

ROLES: Final = ("start", "end", "time")


def roles_of(node: Windowing, scope: Scope) -> dict[str, str]:
    """The columns of the window and what they hold. Not every engine has its time, and few queries ask for it."""
    roles = dict(zip(node.args["names"], ROLES, strict=True))
    time = node.args["names"][2]
    asked = scope.profile.window_time if scope.mentioned is None else scope.needs(time)
    return roles if asked or time.startswith("inner_") else {name: roles[name] for name in node.args["names"][:2]}


def named(node: Windowing, scope: Scope, *values: exp.Expr) -> list[exp.Expr]:
    return [
        exp.Alias(this=value, alias=exp.to_identifier(name))
        for name, value in zip(roles_of(node, scope), values, strict=False)
    ]


def with_window(node: Windowing, shape: Shape, scope: Scope, times: frozenset[str], *, paned: bool) -> Shape:
    roles = roles_of(node, scope)
    return replace(
        shape,
        columns=(*shape.columns, *roles),
        times=times,
        window={name.lower(): role for name, role in roles.items()},
        paned=paned,
        by_start=node.args["kind"] != "CUMULATE",
    )
