"""The rooms of the house, and who imports whom, read from the import statements.

A room is a folder of `semantics`, `physical` or `equivalence`, or of `physical/engines`. The modules in the roots of
the packages are front doors: they may import every room of their package, and only what lies outside may import them.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import networkx as nx

from tests.paths import ROOT

PACKAGES: Final = ("semantics", "physical", "equivalence")
ALGEBRA: Final = ("aggregate", "expression", "functions", "notation", "plan")
PART_OF: Final = dict.fromkeys((f"semantics.{folder}" for folder in ALGEBRA), "semantics")
"""Error messages show values, the notation shows the plans that they are about, and reads calls of functions and of
aggregates, whose tables are about expressions: all of them are one room."""
SUBROOMS: Final = ("physical.engines",)

Edges = dict[tuple[str, str], set[tuple[str, str]]]
"""Which room imports which, and the modules in which it does so."""


@cache
def modules() -> dict[str, Path]:
    """Every module by its name."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {_name(path): path for path in paths}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room_of(module: str) -> str:
    """The room in which a module lies.

    >>> room_of("physical.engines.delta.join"), room_of("physical.columns.stream"), room_of("equivalence.former_names")
    ('physical.engines.delta', 'physical.columns', 'equivalence')
    """
    parts = module.split(".")
    depth = 3 if ".".join(parts[:2]) in SUBROOMS else 2
    room = ".".join(parts[:depth])
    if not (ROOT / Path(*parts[:depth])).is_dir():
        room = room.rpartition(".")[0]
    return PART_OF.get(room, room)


def imported(path: Path) -> Iterator[str]:
    """The modules of ours that a module imports when it runs; imports for the type checker alone do not count."""
    known = modules()
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            pending += node.orelse
            continue
        pending += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and node.module in known:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else str(node.module) for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)


@cache
def edges() -> Edges:
    """All imports from one room into another; what the front doors import is left out."""
    found = Edges()
    for name, path in modules().items():
        for target in imported(path):
            between = room_of(name), room_of(target)
            if between[0] != between[1] and not is_front_door(name):
                found.setdefault(between, set()).add((name, target))
    return found


def is_front_door(module: str) -> bool:
    """Does it lie in the root of a package? In `semantics` only the facade does: the root is the algebra's room."""
    return module in PACKAGES or room_of(module) in ("physical", "equivalence")


def graph() -> "nx.DiGraph[str]":
    """Rooms and the imports between them."""
    rooms = {room_of(name) for name in modules() if not is_front_door(name)}
    result: nx.DiGraph[str] = nx.DiGraph()
    result.add_nodes_from(sorted(rooms - set(SUBROOMS)))
    result.add_edges_from(sorted((room, target) for room, target in edges() if target in rooms))
    return result
