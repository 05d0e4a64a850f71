"""The reference of the Python API: every name of `snapeq.__all__`, from signatures and docstrings, as Markdown."""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Final

import snapeq
from semantics.lazy_names import homes

PACKAGES: Final = {
    "semantics": "Queries, streams and what they mean",
    "physical": "Engines",
    "equivalence": "Checks",
}
ERRORS: Final = "Errors"
_EXAMPLE: Final = re.compile(r"(?:^>>> .*\n(?:.+\n)*)(?:\n?^>>> .*\n(?:.+\n)*)*", re.M)
_PROSE_OR_CODE: Final = re.compile(r"(?P<code>^```.*?^```$|`[^`\n]+`)|<", re.M | re.S)
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")


def python_reference() -> str:
    """A section for each package and one for errors, in each the names in alphabetical order."""
    titles = [*PACKAGES.values(), ERRORS]
    return "\n\n".join(f"## {title}\n\n" + "\n\n".join(_entries(title)) for title in titles)


def _entries(title: str) -> Iterator[str]:
    names = sorted((name for name in snapeq.__all__ if title_of(name) == title), key=str.lower)
    return (entry(name) for name in names)


def title_of(name: str) -> str:
    """The section that a name belongs to."""
    found = getattr(snapeq, name)
    if inspect.isclass(found) and issubclass(found, Exception):
        return ERRORS
    return PACKAGES[homes("snapeq")[name][0].split(".")[0]]


def entry(name: str) -> str:
    """What stands about a name: how it is called, and its docstring."""
    found = getattr(snapeq, name)
    if inspect.isclass(found):
        return _directive("class", name + _signature(found), docstring(name), *_methods(found))
    if inspect.isfunction(found):
        return _directive("function", name + _signature(found), docstring(name))
    return _directive("data", name, docstring(name))


def docstring(name: str) -> str:
    """The docstring of a class, function or module; of anything else, the one that follows where it is assigned."""
    found = getattr(snapeq, name)
    own = inspect.isclass(found) or inspect.isfunction(found) or inspect.ismodule(found)
    text = inspect.getdoc(found) if own else _after_assignment(*_home("snapeq", name))
    return _markdown(text or "")


def _home(package: str, name: str) -> tuple[str, str]:
    """The module that defines a name, past the packages that only offer it."""
    module, original = homes(package)[name]
    import_module(module)
    return _home(module, original) if original in homes(module) else (module, original)


def _after_assignment(module: str, name: str) -> str | None:
    body = ast.parse(inspect.getsource(import_module(module))).body
    for statement, following in pairwise(body):
        if name in _assigned(statement) and isinstance(following, ast.Expr):
            return inspect.cleandoc(str(ast.literal_eval(following.value)))
    for statement in body:
        if isinstance(statement, ast.ImportFrom) and name in [alias.name for alias in statement.names]:
            return _after_assignment(str(statement.module), name)
    return None


def _assigned(statement: ast.stmt) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _methods(of: type) -> Iterator[str]:
    """The public methods and properties that a class defines itself and says something about."""
    for name, value in vars(of).items():
        called = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        text = inspect.getdoc(called)
        if name.startswith("_") or not text or _inherited(of, name):
            continue
        if isinstance(called, property):
            yield _directive("property", name, _markdown(text))
        elif inspect.isfunction(called):
            yield _directive("method", name + _signature(called), _markdown(text))


def _inherited(of: type, name: str) -> bool:
    """Whether `getdoc` would only repeat what a base class says."""
    return vars(of)[name].__doc__ is None


def _signature(of: object) -> str:
    try:
        signature = inspect.signature(of)  # type: ignore[arg-type]  # whatever it is, it says so by an error
    except ValueError:
        return ""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name != "self"]
    return _ADDRESS.sub("", str(signature.replace(parameters=bare, return_annotation=signature.empty)))


def _markdown(text: str) -> str:
    """A docstring with its examples in fences; `<` in its prose is no tag."""
    fenced = _EXAMPLE.sub(lambda found: f"```python\n{found[0].rstrip()}\n```\n", text + "\n").strip()
    return _PROSE_OR_CODE.sub(lambda part: part["code"] or "\\<", fenced)


def _directive(kind: str, signature: str, *parts: str) -> str:
    body = "\n\n".join(part for part in parts if part)
    fence = ":" * (3 + max((len(run) - 2 for run in re.findall(r"^:{3,}", body, re.M)), default=0))
    return f"{fence}{{py:{kind}}} {signature}\n\n{body}\n{fence}"
