"""Frozen dataclasses whose methods are compiled when they are first needed.

There are a hundred kinds of plans, expressions and aggregates. To compile the methods of all of them takes as long as
to read a query; and a query uses ten. Apart from that, these classes are what `dataclasses.dataclass` makes.
"""

import dataclasses
import sys
from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Final, get_origin

__all__ = ["dataclass"]

_DECIDED: Final = ("__init__", "__repr__", "__eq__", "__hash__")
"""Methods that a class gets unless it has its own."""
_ABOUT: Final = ("__match_args__", "__dataclass_fields__", "__dataclass_params__")
_LOCK: Final = RLock()

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, slots: bool = False) -> Callable[[type], type]:
        """The decorator; a class that can be changed is not for it.

        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> Point(1) == Point(1, 0), {Point(1): "there"}[Point(1)]
        (True, 'there')
        """
        assert frozen
        return _slotted if slots else _with_methods


def _with_methods(kind: type) -> Any:
    """A class of which the methods come later, made of a copy that holds all they depend on."""
    names = {*_fields(kind), *_DECIDED, "__post_init__", "__qualname__", "__module__", "__doc__"}
    kept = {name: value for name, value in vars(kind).items() if name in names}
    kept["__annotations__"] = _own_annotations(kind)
    for name in _fields(kind):
        if isinstance(kept.get(name), dataclasses.Field):
            _set_default(kind, name, kept[name])
    return _completed_later(kind, lambda: type(kind)(kind.__name__, kind.__bases__, kept))


def _slotted(kind: type) -> Any:
    """The same for a class with slots, which has to be made anew; it keeps the first one to make methods of it."""
    names = _fields(kind)
    own = {name: value for name, value in vars(kind).items() if name not in {*names, "__dict__", "__weakref__"}}
    own |= {"__slots__": names, "__getstate__": _state, "__setstate__": _set_state}
    return _completed_later(type(kind)(kind.__name__, kind.__bases__, own), lambda: kind)


def _completed_later(kind: Any, template: Callable[[], type]) -> Any:
    """Stand-ins in the place of all that the standard library would make; the first that is used makes it."""
    made: dict[str, Any] = {}

    def complete() -> dict[str, Any]:
        with _LOCK:
            if not made:
                finished = vars(dataclasses.dataclass(frozen=True)(template()))
                made.update({name: finished[name] for name in standing_in})
                for name, stand_in in standing_in.items():
                    if vars(kind)[name] is stand_in:  # somebody may have put something around it
                        setattr(kind, name, made[name])
        return made

    own = vars(kind)
    missing = [name for name in _DECIDED if own.get(name) is None]  # an own __eq__ makes __hash__ None
    standing_in = {name: _method(name, complete) for name in missing} | {
        name: _Later(name, complete) for name in _ABOUT
    }
    for name, stand_in in standing_in.items():
        setattr(kind, name, stand_in)
    kind.__setattr__, kind.__delattr__ = _refusals(kind)
    return kind


def _method(name: str, complete: Callable[[], dict[str, Any]]) -> Callable[..., Any]:
    def stand_in(self: object, *args: Any, **named: Any) -> Any:
        return complete()[name](self, *args, **named)

    return stand_in


class _Later:
    """An attribute of a class that is computed when it is asked for."""

    def __init__(self, name: str, complete: Callable[[], dict[str, Any]]) -> None:
        self.name, self.complete = name, complete

    def __get__(self, instance: object, owner: type) -> Any:
        return self.complete()[self.name]


def _refusals(kind: Any) -> tuple[Callable[..., None], Callable[..., None]]:
    """Frozen: no field may be set or deleted, and nothing else unless a subclass allows it."""

    def refuses(self: object, name: str) -> bool:
        return type(self) is kind or name in kind.__dataclass_fields__

    def set_attribute(self: object, name: str, value: object) -> None:
        if refuses(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def delete_attribute(self: object, name: str) -> None:
        if refuses(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return set_attribute, delete_attribute


def _fields(kind: type) -> tuple[str, ...]:
    """The fields that the class itself declares."""
    declared = _own_annotations(kind)
    return tuple(
        name for name, type_ in declared.items() if type_ is not ClassVar and get_origin(type_) is not ClassVar
    )


def _own_annotations(kind: type) -> dict[str, Any]:
    """Without those of its bases. From Python 3.14 on, a class computes them only when it is asked."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        return get_annotations(kind, format=Format.FORWARDREF)
    own: dict[str, Any] = vars(kind).get("__annotations__", {})
    return own


def _set_default(kind: type, name: str, field: "dataclasses.Field[Any]") -> None:
    """As `dataclasses` leaves a class: with the default of a field, or without the attribute."""
    if field.default is dataclasses.MISSING:
        delattr(kind, name)
    else:
        setattr(kind, name, field.default)


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
