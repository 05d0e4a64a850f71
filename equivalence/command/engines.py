"""`snapeq engines`: which engines there are, and their environments."""

from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from os import environ
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.terminal import HOLDS, AsJson, print_columns, print_json, warn

if TYPE_CHECKING:
    from physical.adapters.environments import Environment
    from physical.adapters.protocol_workers import ProtocolWorker

IN_PYTHON = "sqlite"


class Action(StrEnum):
    """What to do with environments."""

    LIST = "list"
    INSTALL = "install"
    REMOVE = "remove"


def engines_command(
    action: Annotated[Action, typer.Argument(help="What to do.")] = Action.LIST,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Engines to install or remove.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The engines that others wrote: which are here, in which version, and how to get the others.

    \b
    Examples:
      snapeq engines
      snapeq engines install datafusion postgres
      snapeq engines install duckdb@1.0.0
      snapeq engines remove postgres

    An engine that cannot share an environment with the others gets one of its own, with pinned versions, in the cache
    folder (SNAPEQ_CACHE, or that of the system). `snapeq conform NAME` then says how far it agrees with the definition.
    """
    from physical.adapters.environments import ENVIRONMENTS

    if action is Action.LIST:
        if names:
            raise typer.BadParameter(f"expected install or remove before {' '.join(names)}")
        _list(as_json)
        raise typer.Exit(HOLDS)
    if not names:
        raise typer.BadParameter(f"{action}: expected the name of an engine: {', '.join(ENVIRONMENTS)}")
    environments = [_environment(name) for name in names]
    if action is Action.INSTALL:
        _install(environments)
    else:
        for environment in environments:
            _remove(environment)


def _environment(name: str) -> "Environment":
    from physical.adapters.environments import environment_of

    return environment_of(name)


def _install(environments: "list[Environment]") -> None:
    """All of them: what cannot be installed does not keep the others from it, and is told at the end."""
    from physical.adapters.environments import EngineUnavailable

    failed = list[EngineUnavailable]()
    for environment in environments:
        if environment.is_installed:
            warn(f"{environment.engine}: is here already")
        try:
            environment.install(warn)
        except EngineUnavailable as error:
            failed.append(error)
    if failed:
        raise EngineUnavailable("; ".join(map(str, failed)))


def _remove(environment: "Environment") -> None:
    gone = environment.remove()
    warn(f"{environment.engine}: {'removed' if gone else 'had no environment'}")


def _list(as_json: bool) -> None:
    from physical.adapters.environments import ENVIRONMENTS
    from physical.adapters.protocol_workers import WORKERS
    from physical.engine import ENGINES, ON_REQUEST

    own = [(name, "", "built in", "") for name in ENGINES]
    environments = {name: getattr(engine, "environment", "") or name for name, engine in ON_REQUEST.items()}
    driven = {name: _standing(name, ENVIRONMENTS.get(environment)) for name, environment in environments.items()}
    driven |= {name: _standing_of_worker(worker) for name, worker in WORKERS.items()}
    others = [(name, *standing) for name, standing in sorted(driven.items())]
    if as_json:
        keys = ("name", "version", "state", "get")
        print_json([dict(zip(keys, line, strict=True)) for line in (*own, *others)])
    else:
        print_columns([("engine", "version", "state", "how to get it"), *own, *others])


def _standing(name: str, environment: "Environment | None") -> tuple[str, str, str]:
    """Version, state, and how to get it."""
    if name == IN_PYTHON:
        from sqlite3 import sqlite_version

        return sqlite_version, "comes with Python", ""
    if environment is None:
        here = _version(name if name != "spark" else "pyspark")
        return here, "installed" if here else "not here", "" if here else f"pip install 'snapeq[{name}]'"
    pinned = environment.engine_version
    if environment.is_installed:
        return (_version(name) or pinned) if environment.is_here else pinned, "installed", ""
    return pinned, "not here", f"snapeq engines install {environment.engine} (about {environment.megabytes} MB)"


def _standing_of_worker(worker: "ProtocolWorker") -> tuple[str, str, str]:
    if worker.server:
        known = worker.variable in environ
        return "", "your server" if known else "not known", "" if known else f"{worker.variable}={worker.server}"
    return _standing(worker.environment.engine, worker.environment)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
