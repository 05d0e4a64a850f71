"""Dataclasses that are completed on use do what those of the standard library do."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar

import pytest

from semantics.dataclass_on_use import dataclass
from semantics.expression import Constant, Ref
from semantics.plan import Filter, Source
from semantics.schema import Schema
from semantics.value import Type

Decorator = Callable[..., Any]


def kinds(decorate: Decorator, *, slots: bool = False) -> tuple[Any, Any, Any]:
    """A class, one that inherits from it, and one with its own equality and a check."""

    @decorate(frozen=True, slots=slots)
    class Point:
        """A point."""

        kind: ClassVar[str] = "point"
        x: int
        y: int = 3

    @decorate(frozen=True, slots=slots)
    class Named(Point):
        """A point with a name."""

        name: str = field(default="p", repr=False)

        def shifted(self) -> Any:
            return replace(self, x=self.x + 1)  # type: ignore[type-var]  # which decorator it has is known at run time

    @decorate(frozen=True, slots=slots)
    class Even:
        """An even number; two are equal if their absolute values are."""

        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError(f"{self.n} is odd")

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Even) and abs(self.n) == abs(other.n)

    return Point, Named, Even


def what_it_does(point: Any, named: Any, even: Any) -> list[object]:
    """Much of what a dataclass can do, in an order in which each is the first use of something."""
    p = point(1)
    match p:
        case point(x, y):
            matched = (x, y)
    return [
        matched,
        *(repr(made).rpartition(".")[2] for made in (p, named(1, 2, "q"), even(4))),
        *(p == point(1, 3), p == point(2), p == named(1, 3), named(1) == named(1, name="p"), even(-4) == even(4)),
        *(hash(p) == hash(point(1)), hash(even(4)) == hash((4,)), {named(1): 7}[named(1)]),
        *([f.name for f in fields(kind)] for kind in (point, named, even)),
        *(kind.__match_args__ for kind in (point, named, even)),
        *(named(1, 2, "q").shifted().x, replace(p, y=9).y, dataclasses.asdict(p), dataclasses.is_dataclass(even)),
        *(_error(lambda: point()), _error(lambda: even(3)), _error(lambda: setattr(p, "x", 2)), _error(lambda: p < p)),
        *(_error(lambda: delattr(p, "x")), p.kind, point.__doc__),
    ]


def _error(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("kinds.<locals>.", "")
    return "no error"


@pytest.mark.parametrize("slots", [False, True])
def test_they_do_what_the_standard_library_does(slots: bool) -> None:
    ours, theirs = kinds(dataclass, slots=slots), kinds(dataclasses.dataclass, slots=slots)
    assert what_it_does(*ours) == what_it_does(*theirs)
    assert hasattr(ours[0](1), "__dict__") is not slots
    assert _error(lambda: setattr(ours[0](1), "z", 2)) == "FrozenInstanceError: cannot assign to field 'z'"


def test_methods_are_made_on_first_use_only() -> None:
    point, named, _ = kinds(dataclass)
    first, below = vars(point)["__init__"], vars(named)["__init__"]
    point(1)
    assert vars(point)["__init__"] is not first
    assert vars(named)["__init__"] is below
    named(1)
    assert vars(named)["__init__"] is not below


def test_what_was_put_around_a_method_stays() -> None:
    point, _, _ = kinds(dataclass)
    inner, seen = point.__hash__, []

    def outer(self: Any) -> int:
        seen.append(self.x)
        return int(inner(self))

    point.__hash__ = outer
    assert hash(point(5)) == hash(point(5))
    assert seen == [5, 5]


def test_a_subclass_that_is_no_dataclass_may_have_attributes_of_its_own() -> None:
    class Marked(Source):
        pass

    marked = Marked("S", Schema.of(x=int))
    marked.mark = 1  # type: ignore[attr-defined]  # it is not declared
    assert vars(marked)["mark"] == 1
    with pytest.raises(FrozenInstanceError):
        marked.name = "T"  # type: ignore[misc]  # that is what is tested


def test_plans_and_expressions_are_copied_and_pickled() -> None:
    plan = Filter(Source("S", Schema.of(x=bool)), Ref(0, Type.BOOL))
    for again in (pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan), copy.copy(plan)):
        assert again == plan
        assert hash(again) == hash(plan)
    nan = Constant(float("nan"), Type.FLOAT)
    assert pickle.loads(pickle.dumps(nan)) == nan


def test_threads_may_use_a_class_first_at_the_same_time() -> None:
    for _ in range(50):
        point, _, _ = kinds(dataclass)
        with ThreadPoolExecutor(8) as team:
            assert [p.y for p in team.map(point, range(64))] == [3] * 64
