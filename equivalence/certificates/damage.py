"""Certificates with one thing wrong: what the checker must refuse, unless what is left is still a proof."""

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

Path = tuple[str | int, ...]
CLAIM: Final = ("left", "right", "sources", "constraints")
"""What a certificate is about; all else is how it is proved."""


@dataclass(frozen=True)
class Damage:
    """One thing that is put in the place of another."""

    path: Path
    new: Any
    what: str

    def applied_to(self, certificate: dict[str, Any]) -> dict[str, Any]:
        if not self.path:
            return dict(self.new)
        changed = copy.deepcopy(certificate)
        inner: Any = changed
        for name in self.path[:-1]:
            inner = inner[name]
        inner[self.path[-1]] = self.new
        return changed


def damages(certificate: dict[str, Any], chooser: random.Random) -> Iterator[Damage]:
    """Every value changed, every entry left out, doubled and exchanged with another, one after the other."""
    places = [(path, value) for path, value in _places(certificate, ())]
    scalars = [value for _, value in places if not isinstance(value, dict | list)]
    for path, value in places:
        if isinstance(value, list) and len(value) > 1:
            i, j = chooser.sample(range(len(value)), 2)
            if value[i] != value[j]:
                yield Damage(path, _exchanged(value, i, j), f"entries {i} and {j} exchanged")
        if isinstance(value, list) and value:
            i = chooser.randrange(len(value))
            yield Damage(path, value[:i] + value[i + 1 :], f"entry {i} left out")
            yield Damage(path, [*value[: i + 1], *value[i:]], f"entry {i} twice")
        elif isinstance(value, dict) and value:
            name = chooser.choice(sorted(value))
            yield Damage(path, {k: v for k, v in value.items() if k != name}, f"no {name}")
        elif not isinstance(value, dict | list):
            for other in _others(value, scalars, chooser):
                yield Damage(path, other, f"{value!r} became {other!r}")


def _places(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in entries:
        yield from _places(inner, (*path, name))


def _others(value: Any, scalars: list[Any], chooser: random.Random) -> list[Any]:
    alike = [s for s in scalars if type(s) is type(value) and s != value]
    found = [chooser.choice(alike)] if alike else []
    if isinstance(value, bool):
        found.append(not value)
    elif isinstance(value, int):
        found += [value + 1, value - 1]
    elif value is None:
        found.append(0)
    return list(dict.fromkeys(other for other in found if other != value or type(other) is not type(value)))


def _exchanged(value: list[Any], i: int, j: int) -> list[Any]:
    changed = list(value)
    changed[i], changed[j] = value[j], value[i]
    return changed
