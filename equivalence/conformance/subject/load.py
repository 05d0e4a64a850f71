"""Engines by name, and what one gives up to a horizon."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from operator import attrgetter
from typing import Any

from equivalence.conformance.subject.by_command.command_engine import CommandEngine, command_in
from equivalence.conformance.subject.in_process import InProcess
from physical.adapters.protocol_workers import WORKERS
from physical.engine import ENGINES, ON_REQUEST, Engine, on_request
from semantics import LogicalStream, Plan, SnapeqError, Stream
from semantics.search_path import search_here
from semantics.value import brief


class EngineError(SnapeqError):
    """There is no such engine, or it is none."""


def load_engine(text: str, also: Sequence[str] = ()) -> Engine:
    """A built-in engine by its name, or any other by `package.module:object` or `command:…`.

    The current folder is searched last.

    `also` names what the caller takes besides engines; the error for an unknown name lists it.
    """
    found = ENGINES.get(text) or on_request(text)
    if found is not None:
        return found
    command = command_in(text)
    if command is not None:
        return CommandEngine(command)
    module, colon, path = text.partition(":")
    if not colon or not all(part.isidentifier() for part in [*module.split("."), *path.split(".")]):
        names = ", ".join(sorted([*ENGINES, *ON_REQUEST, *WORKERS, *also]))
        raise EngineError(f"expected an engine: {names}, package.module:object or command:…, got {text!r}")
    what = f"engine {text}"
    return _engine(_found(_imported(module, what), path, what), what)


def load_object(text: str) -> object:
    """Anything by `package.module:object`; the current folder is searched last."""
    module, colon, path = text.partition(":")
    if not colon or not all(part.isidentifier() for part in [*module.split("."), *path.split(".")]):
        raise EngineError(f"expected a function as package.module:function, got {text!r}")
    return _found(_imported(module, text), path, text)


def load_function(text: str) -> Callable[..., Any]:
    """A function by `package.module:function`."""
    found = load_object(text)
    if not callable(found):
        raise EngineError(f"{text}: expected a function, got {type(found).__name__}")
    return found


def run_engine(engine: Engine, plan: Plan, streams: Mapping[str, Stream], horizon: int) -> LogicalStream:
    """What an engine gives at the instants 0 … horizon − 1; whatever is wrong with it otherwise raises a Fault."""
    return LogicalStream(plan.schema, InProcess(engine).run(plan, streams, horizon))


def _imported(module: str, what: str) -> object:
    search_here()
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise EngineError(f"{what}: there is no module {error.name!r}, not even in this folder") from None
    except (Exception, SystemExit) as error:
        raise EngineError(f"{what}: importing {module} raised {type(error).__name__}: {error}") from error


def _found(module: object, path: str, what: str) -> object:
    try:
        return attrgetter(path)(module)
    except AttributeError:
        there = ", ".join(name for name in vars(module) if not name.startswith("_")) or "nothing"
        raise EngineError(f"{what}: the module has no {path!r}; it has {there}") from None


def _engine(found: Any, what: str) -> Engine:
    """The object itself or, if it is a class, one of its objects."""
    try:
        engine = found() if isinstance(found, type) else found
    except Exception as error:
        raise EngineError(f"{what}: {found.__name__}() raised {type(error).__name__}: {error}") from error
    lacking = [part for part in ("supports", "run") if not callable(getattr(engine, part, None))]
    lacking += [] if isinstance(getattr(engine, "name", None), str) else ["name"]
    if lacking:
        raise EngineError(
            f"{what}: expected an object with name, supports(plan) and run(plan, sources); "
            f"{brief(engine)} lacks {', '.join(lacking)}"
        )
    checked: Engine = engine
    return checked
