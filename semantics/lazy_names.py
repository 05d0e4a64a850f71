"""Names that a package offers, but loads only when they are first used.

The package imports them under `if TYPE_CHECKING:`, where type checkers, linters and editors follow them. That block is
also the only list of where they live: it is read from the package's source, and never run. A dictionary of names and
modules would be a second list, in strings that no tool follows.
"""

import ast
import linecache
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType


def lazy_names(package: str) -> Callable[[str], object]:
    """The function `__getattr__` of a package; what it loads becomes an ordinary attribute."""

    def load(name: str) -> object:
        if name not in homes(package):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = _loaded(*homes(package)[name])
        setattr(sys.modules[package], name, found)
        return found

    return load


def never_hidden(package: str, name: str) -> None:
    """Let a name that is also the name of a module of the package stay what the package offers.

    Python makes a module an attribute of its package when it is imported, by whomever.
    """

    class Offering(ModuleType):
        """A package that keeps this name."""

        def __setattr__(self, attribute: str, value: object) -> None:
            if attribute != name or not isinstance(value, ModuleType):
                super().__setattr__(attribute, value)

    sys.modules[package].__class__ = Offering


@cache
def homes(package: str) -> dict[str, tuple[str, str]]:
    """For every such name of a package that is being imported: the module where it lives, and its name there."""
    return {
        alias.asname or alias.name: (module, alias.name)
        for block in _source(package).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for module, alias in _imports(block)
    }


def _source(package: str) -> ast.Module:
    """By linecache, which also reads what was imported from a zip file, as Spark ships packages."""
    names = vars(sys.modules[package])
    return ast.parse("".join(linecache.getlines(names["__file__"], names)))


def _imports(block: ast.If) -> Iterator[tuple[str, ast.alias]]:
    for statement in block.body:
        if isinstance(statement, ast.ImportFrom) and statement.module is not None:
            yield from ((statement.module, alias) for alias in statement.names)


def _loaded(module: str, name: str) -> object:
    """An attribute of a module; or, as `from package import name` would give, a module of a package."""
    found = import_module(module)
    return getattr(found, name) if hasattr(found, name) else import_module(f"{module}.{name}")
