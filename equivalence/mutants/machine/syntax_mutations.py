"""All mutations of a module's source, each with a name that survives changes elsewhere in the module."""

import ast
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from equivalence.mutants.machine.syntax_kinds import KINDS, Kind, arguments_swapped, same_length

Path = tuple[tuple[str, int | None], ...]
"""The way from the root of a tree to a node: fields, and places in those that are lists."""

FIXED_FIELDS: Final = frozenset({"annotation", "returns", "decorator_list", "type_params", "bases", "keywords", "ctx"})
"""Types change nothing when code runs; what decorates a function has run before it can be changed."""
FIXED_NODES: Final = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Raise, ast.Assert, ast.Global, ast.Nonlocal)
"""What would not compile otherwise, and the words of error messages, which no check of results can see."""


@dataclass(frozen=True)
class SyntaxMutation:
    """One change of one function: what kind it is, and what stands in the place of what."""

    module: str
    function: str
    """The qualified name of the innermost function; outside of functions that of the class, or empty."""
    kind: str
    before: str
    after: str
    number: int
    """Of several such changes in the function, which one?"""
    line: int = field(compare=False)
    source: str = field(compare=False)
    """A hash of the function's source; outside of functions, of the statement's."""
    path: Path = field(compare=False, repr=False)
    node: ast.AST = field(compare=False, repr=False)
    defines: tuple[str, ...] = field(default=(), compare=False)
    """Outside of functions: the names of a module or class that get other values."""
    last_line: int = field(default=0, compare=False)
    """Where what is replaced ends."""

    @property
    def lines(self) -> range:
        """The lines of what is replaced; whoever comes to it comes to one of them."""
        return range(self.line, max(self.line, self.last_line) + 1)

    @property
    def identity(self) -> tuple[str, ...]:
        """What it is, without where: the same after changes elsewhere in the module."""
        return self.module, self.function, self.kind, self.before, self.after, str(self.number)

    @property
    def in_default_value(self) -> bool:
        """Is it in a value that an argument has if none is given?"""
        return any(name in ("defaults", "kw_defaults") for name, _ in self.path)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.kind}: {self.before} → {self.after}"


@dataclass(frozen=True)
class _Place:
    """A node, where it is, and the function around it."""

    node: ast.AST
    path: Path
    function: str
    names: frozenset[str]
    source: str
    defines: tuple[str, ...] = ()


def mutations_of(module: str, source: str) -> Iterator[SyntaxMutation]:
    """Every mutation of a module, in the order of its source.

    >>> [str(m) for m in mutations_of("m", "def f(x):\\n    return x < 3")]  # doctest: +NORMALIZE_WHITESPACE
    ['m:2 boundary: x < 3 → x <= 3', 'm:2 negated comparison: x < 3 → x >= 3',
     'm:2 constant: 3 → 4', 'm:2 constant: 3 → 2']
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for place in _places(_Place(ast.parse(source), (), "", frozenset(), "")):
        for kind, changes in _kinds_for(place):
            for changed in changes(place.node, place.names):
                texts = shown(place.node), shown(changed)
                key = place.function, kind, *texts
                line = getattr(place.node, "lineno", 0) or _first_line(place.node)
                last = getattr(place.node, "end_lineno", 0) or line
                what = kind, *texts, seen[key]
                yield SyntaxMutation(
                    module, place.function, *what, line, place.source, place.path, changed, place.defines, last
                )
                seen[key] += 1


def _kinds_for(place: _Place) -> list[tuple[str, Kind]]:
    """Outside of functions only values that have a name can be changed.

    Arguments are not swapped there: tables of functions and rules would fail as soon as they are loaded.
    """
    if place.names:
        return list(KINDS.items())
    return [(name, kind) for name, kind in KINDS.items() if kind is not arguments_swapped] if place.defines else []


def mutated(source: str, mutation: SyntaxMutation) -> ast.Module:
    """The tree of a module's source with one mutation in it."""
    tree = ast.parse(source)
    parent: ast.AST = tree
    for name, place in mutation.path[:-1]:
        parent = getattr(parent, name) if place is None else getattr(parent, name)[place]
    name, place = mutation.path[-1]
    old = getattr(parent, name) if place is None else getattr(parent, name)[place]
    new = deepcopy(mutation.node)
    ast.copy_location(new, old)
    if place is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[place] = new
    return ast.fix_missing_locations(tree)


def shown(node: ast.AST) -> str:
    """A node as text: an expression whole, of a statement with a body the first line and how it ends."""
    if isinstance(node, ast.Slice):
        return ast.unparse(ast.Subscript(ast.Name("_"), deepcopy(node)))[1:]
    lines = ast.unparse(ast.fix_missing_locations(deepcopy(node))).splitlines()
    body = [line for line in lines if line.strip()]
    return body[0] if len(body) == 1 else f"{_head(node, body)} … {body[-1].strip()}"


def _head(node: ast.AST, lines: list[str]) -> str:
    """The first line that is not a decorator."""
    return next(line for line in lines if not line.startswith("@")) if isinstance(node, ast.FunctionDef) else lines[0]


def _places(place: _Place) -> Iterator[_Place]:
    if isinstance(place.node, FIXED_NODES) or _for_types_only(place.node) or _type_alias(place):
        return
    if same_length(place.node):
        return
    if isinstance(place.node, ast.FunctionDef | ast.ClassDef):
        place = _inside(place)
    if not place.names and isinstance(place.node, ast.Assign | ast.AnnAssign):
        place = replace(place, source=source_hash(place.node), defines=_targets(place.node))
    yield place
    for name, child, number in _children(place.node):
        yield from _places(replace(place, node=child, path=(*place.path, (name, number))))


def _targets(node: ast.Assign | ast.AnnAssign) -> tuple[str, ...]:
    """The names that an assignment binds."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return tuple(inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name))


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST, int | None]]:
    for name, value in ast.iter_fields(node):
        if name in FIXED_FIELDS and not isinstance(node, ast.Call):
            continue
        if isinstance(value, ast.AST):
            yield name, value, None
        elif isinstance(value, list):
            yield from ((name, child, i) for i, child in enumerate(value) if isinstance(child, ast.AST))


def _inside(place: _Place) -> _Place:
    """The place as the body of a function sees it; a class is no function, but part of the names of those in it."""
    node = place.node
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    between = ".<locals>." if place.names else "."
    name = f"{place.function}{between}{node.name}" if place.function else node.name
    if isinstance(node, ast.ClassDef):
        return _Place(node, place.path, name, frozenset(), place.source)
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    arguments = {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
    # An empty set would say that this is no function.
    return _Place(node, place.path, name, frozenset(names | arguments | {name}), source_hash(node))


def source_hash(node: ast.AST) -> str:
    """The same for the same code, however it is laid out."""
    return sha256(ast.dump(node).encode()).hexdigest()[:12]


def _for_types_only(node: ast.AST) -> bool:
    """Protocols, abstract methods, and what is imported for the type checker."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.ClassDef(bases=bases):
            return any("Protocol" in ast.unparse(base) for base in bases)
        case ast.FunctionDef(decorator_list=decorators):
            return any("abstractmethod" in ast.unparse(decorator) for decorator in decorators)
        case ast.Call(func=ast.Name(id="TypeVar")):
            return True
        case _:
            return False


def _type_alias(place: _Place) -> bool:
    """Is it `A | B` outside of functions?"""
    return not place.function and isinstance(place.node, ast.BinOp) and isinstance(place.node.op, ast.BitOr)


def _first_line(node: ast.AST) -> int:
    return min((inner.lineno for inner in ast.walk(node) if isinstance(inner, ast.expr)), default=0)
